//! Tokens in files, and in stores that fail.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use openapi_bindings_runtime::{
    BoxError, FileStore, LockedStore, MemoryStore, StoredTokens, TokenStore,
};
use tokio::task::JoinSet;

use super::{call, forms, issuer, logged_in, provider, short_lived};
use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::{client, timed};

#[tokio::test]
async fn a_file_keeps_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let server = short_lived();
    let login =
        client(server.url()).build().unwrap().login(provider(), "app").store(FileStore::new(&path));
    assert!(login.resume().await.unwrap().is_none());
    logged_in(&login).await;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for name in ["tokens", "tokens.lock"] {
            let mode = fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }
    let mut calls = JoinSet::new();
    for _ in 0..5 {
        // Each opens the file like a process of its own.
        let login = login.clone().store(FileStore::new(&path));
        let client = client(server.url());
        calls.spawn(async move {
            let session = login.resume().await.unwrap().unwrap();
            get(&client.token_source(session).build().unwrap(), "7").await.unwrap();
        });
    }
    calls.join_all().await;
    let seen = server.seen();
    let tokens = seen.iter().filter_map(|seen| seen.headers.get("authorization"));
    assert_eq!(tokens.filter(|token| *token == "Bearer t2").count(), 5);
    assert_eq!(forms(&server).len(), 2);
    fs::write(&path, "{\"access_token\":").unwrap();
    let error = login.resume().await.unwrap_err().to_string();
    let why = format!("failed: `{}`: the stored tokens are not a JSON object", path.display());
    assert!(error.contains(&why) && error.contains("a new login replaces the file"), "{error}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let error = login.resume().await.unwrap_err().to_string();
        assert!(error.contains("other users can read"), "{error}");
    }
}

#[test]
fn a_file_has_the_old_tokens_or_the_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let store = FileStore::new(&path);
    let mut locked = store.try_lock().unwrap().unwrap();
    locked.save(&tokens(0)).unwrap();
    let is_saved = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            // Backups read it without the lock.
            while !is_saved.load(Ordering::Relaxed) {
                let text = fs::read_to_string(&path).unwrap();
                StoredTokens::from_json(&text).unwrap();
            }
        });
        let saved = (1..100).try_for_each(|number| locked.save(&tokens(number)));
        is_saved.store(true, Ordering::Relaxed);
        saved.unwrap();
        reader.join().unwrap();
    });
}

/// Returns tokens, which have a number.
fn tokens(number: usize) -> StoredTokens {
    StoredTokens::from_json(&format!(r#"{{"access_token":"t{number}"}}"#)).unwrap()
}

#[test]
fn a_process_that_was_killed_leaves_no_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let new = folder.path().join("tokens.new");
    let store = FileStore::new(&path);
    store.try_lock().unwrap().unwrap().save(&tokens(1)).unwrap();
    fs::write(&new, r#"{"access_token":"t2""#).unwrap();
    let mut locked = store.try_lock().unwrap().unwrap();
    assert!(!new.exists());
    // Without the lock nothing is removed: another process writes the file.
    fs::write(&new, "").unwrap();
    assert!(store.try_lock().unwrap().is_none());
    assert!(new.exists());
    fs::remove_file(&new).unwrap();
    assert!(locked.load().unwrap().is_some());
    // A failure to replace the file leaves no tokens either.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(locked.save(&tokens(2)).is_err());
    assert!(!new.exists());
}

#[test]
#[cfg(unix)]
fn only_regular_files_are_opened() {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let is_made = Command::new("mkfifo").args([path("pipe"), path("locked.lock")]).status();
    assert!(is_made.unwrap().success());
    fs::write(path("other"), "untouched").unwrap();
    symlink("other", path("link")).unwrap();
    symlink("other", path("linked.lock")).unwrap();
    symlink("none", path("dangling.lock")).unwrap();
    for (name, why) in [
        ("locked", "it is not a regular file"),
        ("linked", "it is a symbolic link"),
        ("dangling", "it is a symbolic link"),
    ] {
        let error = FileStore::new(path(name)).try_lock().err().unwrap().to_string();
        assert!(error.contains(why), "{name}: {error}");
    }
    for (name, why) in [("pipe", "it is not a regular file"), ("link", "it is a symbolic link")] {
        let mut locked = FileStore::new(path(name)).try_lock().unwrap().unwrap();
        let before = fs::symlink_metadata(path(name)).unwrap().file_type();
        // Renaming would replace it: a device of the machine, if the program may.
        for error in [locked.load().map(drop).unwrap_err(), locked.save(&tokens(1)).unwrap_err()] {
            let error = error.to_string();
            assert!(error.contains(&format!("{name}`: {why}")), "{name}: {error}");
        }
        assert_eq!(fs::symlink_metadata(path(name)).unwrap().file_type(), before, "{name}");
    }
    assert_eq!(fs::read_to_string(path("other")).unwrap(), "untouched");
    assert!(!path("none").exists());
}

/// A store that waits until a test lets it go on.
struct Slow(Arc<Mutex<mpsc::Receiver<()>>>);

impl TokenStore for Slow {
    fn try_lock(&self) -> Result<Option<Box<dyn LockedStore>>, BoxError> {
        // It ends when the test does.
        let _ = self.0.lock().unwrap().recv();
        Ok(None)
    }
}

#[tokio::test]
async fn a_store_that_waits_blocks_no_worker() {
    let server = short_lived();
    let clock = TestClock::new();
    let (end, waits) = mpsc::channel();
    let login = super::login(&server, &clock).store(Slow(Arc::new(Mutex::new(waits))));
    let resumed = tokio::spawn(async move { login.resume().await });
    // There is one worker: the timeout of the session passes on it while the store waits.
    clock.ring();
    let error = resumed.await.unwrap().unwrap_err().to_string();
    assert!(error.contains("the store of the tokens did not answer"), "{error}");
    drop(end);
}

/// A store, and how often it will fail to save.
#[derive(Clone, Default)]
struct Full(MemoryStore, Arc<AtomicUsize>);

struct LockedFull(Box<dyn LockedStore>, Arc<AtomicUsize>);

impl TokenStore for Full {
    fn try_lock(&self) -> Result<Option<Box<dyn LockedStore>>, BoxError> {
        let locked = self.0.try_lock()?;
        Ok(locked.map(|locked| Box::new(LockedFull(locked, Arc::clone(&self.1))) as _))
    }
}

impl LockedStore for LockedFull {
    fn load(&mut self) -> Result<Option<StoredTokens>, BoxError> {
        self.0.load()
    }

    fn save(&mut self, tokens: &StoredTokens) -> Result<(), BoxError> {
        match self.1.load(Ordering::Relaxed) {
            0 => return self.0.save(tokens),
            failures => self.1.store(failures - 1, Ordering::Relaxed),
        }
        Err("no space left".into())
    }
}

#[tokio::test]
async fn tokens_are_kept_until_a_store_saves_them() {
    for logs_in_again in [false, true] {
        let (server, clock) = (issuer(), TestClock::new());
        let store = Full::default();
        let login = super::login(&server, &clock).store(store.clone());
        let session = logged_in(&login).await;
        clock.pass(Duration::from_secs(3600));
        store.1.store(2, Ordering::Relaxed);
        let client = timed(client(server.url()).token_source(session.clone()), &clock);
        let client = client.build().unwrap();
        for _ in 0..2 {
            let error = get(&client, "7").await.unwrap_err().to_string();
            assert!(error.contains("no space left"), "{error}");
        }
        assert_eq!(forms(&server).len(), 2, "the second call refreshes nothing");
        if logs_in_again {
            logged_in(&login).await;
        }
        let newest = if logs_in_again { 3 } else { 2 };
        assert_eq!(call(&server, &session, &clock).await, format!("Bearer t{newest}"));
        assert_eq!(forms(&server).len(), newest);
        clock.pass(Duration::from_secs(3600));
        let resumed = login.resume().await.unwrap().unwrap();
        call(&server, &resumed, &clock).await;
        let form = format!("grant_type=refresh_token&refresh_token=r{newest}&client_id=app");
        assert_eq!(*forms(&server).last().unwrap(), form);
    }
}
