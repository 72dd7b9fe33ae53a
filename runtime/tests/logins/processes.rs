//! Processes that share the session of a user through a file.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc;

use openapi_bindings_runtime::{FileStore, Login};

use super::{error, logged_in, provider};
use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::client;
use crate::support::server::{Act, Seen, Server, Silence, json};

const PROCESSES: usize = 4;

/// The number of calls of each process.
const CALLS: usize = 5;

const URL: &str = "SERVER_URL";
const FILE: &str = "SESSION_FILE";

/// Takes each refresh token once, and returns tokens that no second call can use.
fn strict(issued: &Mutex<usize>, seen: &Seen) -> Act {
    let mut issued = issued.lock().unwrap();
    let current = format!("&refresh_token=r{issued}&");
    if *issued > 0 && !seen.body.contains(&current) {
        return error("invalid_grant");
    }
    *issued += 1;
    let answer =
        format!(r#"{{"access_token":"t{issued}","refresh_token":"r{issued}","expires_in":0}}"#);
    json(200, &answer)
}

fn login(url: &str, file: &Path) -> Login {
    let login = client(url).build().unwrap().login(provider(), "app");
    login.store(FileStore::new(file))
}

/// Starts [`child_that_makes_calls`].
fn process(server: &Server, file: &Path) -> Child {
    let mut process = Command::new(env::current_exe().unwrap());
    process.args(["--exact", "logins::processes::child_that_makes_calls", "--ignored"]);
    process.env(URL, server.url()).env(FILE, file).stdout(Stdio::piped()).spawn().unwrap()
}

#[tokio::test]
#[ignore = "a child process"]
async fn child_that_makes_calls() {
    let url = env::var(URL).unwrap();
    let login = login(&url, Path::new(&env::var_os(FILE).unwrap()));
    for _ in 0..CALLS {
        let session = login.resume().await.unwrap().unwrap();
        let client = client(&url).token_source(session).build().unwrap();
        get(&client, "7").await.unwrap();
    }
}

#[tokio::test]
async fn no_refresh_token_is_lost_or_used_twice() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session");
    let issued = Mutex::new(0);
    let (waits, waiting) = mpsc::channel();
    let stalled = Mutex::new(Some(waits));
    let server = Server::new(move |_, seen| match seen.target.as_str() {
        "/token" if seen.body.contains("grant_type=refresh_token") => {
            let Some(waits) = stalled.lock().unwrap().take() else { return strict(&issued, seen) };
            let bell = move |silence| match silence {
                Silence::Begins => waits.send(()).unwrap(),
                Silence::ClientLeft => {}
            };
            Act::Stall(Vec::new(), std::sync::Arc::new(bell))
        }
        "/token" => strict(&issued, seen),
        _ => json(200, "{}"),
    });
    logged_in(&login(&server.url(), &file)).await;

    // Killed while it has the lock, and before the provider has answered.
    let mut killed = process(&server, &file);
    waiting.recv().unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();

    let processes: Vec<Child> = (0..PROCESSES).map(|_| process(&server, &file)).collect();
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let seen = server.seen();
    let calls = seen.iter().filter(|seen| seen.target != "/token").count();
    assert_eq!(calls, PROCESSES * CALLS);
    // The login, and a refresh for each call.
    let last = 1 + PROCESSES * CALLS;
    let stored = fs::read_to_string(&file).unwrap();
    assert!(stored.contains(&format!("\"r{last}\"")), "not r{last}: {stored}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
