//! Replies as files.

use std::fs;
#[cfg(unix)]
use std::io::{BufRead as _, BufReader};
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::sync::Arc;

use futures_util::FutureExt as _;
use openapi_bindings_runtime::{ByteStream, ErrorKind, internal};
#[cfg(unix)]
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use crate::streams::{cut, pet};
use crate::support::server::{Act, Server, bytes, response};

/// Wherever the body ends early, there is no file, and no temporary one.
#[tokio::test]
async fn a_file_appears_when_it_is_complete() {
    let body = "content";
    for length in 0..=body.len() {
        let server = Server::new(move |_, _| Act::Close(cut(body, length)));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.png");
        let stream = internal::open(pet(&server), (&[200], "image/png")).await.unwrap();
        let saved = stream.save(&path).await.map_err(|error| error.kind());
        let files = fs::read_dir(folder.path()).unwrap().count();
        if length == body.len() {
            assert_eq!((saved, files), (Ok(7), 1));
            assert_eq!(fs::read(&path).unwrap(), body.as_bytes());
        } else {
            assert_eq!((saved, files), (Err(ErrorKind::Interrupted), 0), "cut at {length}");
        }
    }
}

/// The file is created in a thread, which dropping the future does not stop.
#[test]
fn a_dropped_save_leaves_no_temporary_file() {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let server = Server::new(|_, _| response(200, &[], "content"));
        let folder = tempfile::tempdir().unwrap();
        let stream = internal::open(pet(&server), (&[200], "image/png")).await.unwrap();
        let (release, released) = std::sync::mpsc::channel::<()>();
        let busy = spawn_blocking(move || released.recv());
        let save = stream.save(folder.path().join("file.png"));
        assert!(save.now_or_never().is_none());
        release.send(()).unwrap();
        busy.await.unwrap().unwrap();
        let files = spawn_blocking(move || folder.path().read_dir().unwrap().count());
        assert_eq!(files.await.unwrap(), 0);
    });
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_with_the_longest_name_is_replaced_and_keeps_its_mode_without_set_user_id() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    let server = Server::new(|_, _| response(200, &[], "content"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x".repeat(255));
    for mode in [0o600, 0o666, 0o6755] {
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let stream = internal::open(pet(&server), (&[200], "image/png")).await.unwrap();
        assert_eq!(stream.save(&path).await.unwrap(), 7);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode & 0o777);
    }
}

/// Returns a server of a content with a version, which supports ranges. Its first replies end after these numbers of bytes.
fn versioned(content: &'static str, cuts: &'static [usize]) -> Server {
    Server::new(move |number, seen| {
        let start = seen.headers.get("range").map_or(0, |range| {
            assert_eq!(seen.headers["if-range"], "\"v1\"");
            range["bytes=".len()..].trim_end_matches('-').parse().unwrap()
        });
        let rest = &content[start..];
        let range = format!("bytes {start}-{}/{}", content.len() - 1, content.len());
        let headers = [("etag", "\"v1\""), ("content-range", range.as_str())];
        let whole = match start {
            0 => bytes(200, &headers[..1], rest),
            _ => bytes(206, &headers, rest),
        };
        let end = cuts.get(number).map_or(rest.len(), |cut| cut - start);
        Act::Close(whole[..whole.len() - rest.len() + end].to_vec())
    })
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

async fn open(server: &Server) -> ByteStream {
    internal::open(pet(server), (&[200], "image/png")).await.unwrap()
}

#[tokio::test]
async fn a_save_that_breaks_off_is_continued_until_the_file_is_complete() {
    for cuts in [&[1][..], &[3], &[6], &[1, 2, 5], &[3, 3, 3]] {
        let server = versioned("content", cuts);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.png");
        fs::write(&path, "old").unwrap();
        let mut saved = open(&server).await.save(&path).await;
        for cut in cuts {
            let error = saved.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Interrupted);
            let part = error.part().unwrap();
            assert_eq!((part.length(), part.validator()), (*cut as u64, "\"v1\""));
            assert_eq!(fs::read(part.path()).unwrap(), b"content"[..*cut]);
            assert_eq!(fs::read(&path).unwrap(), b"old", "it is not complete");
            let opening = internal::open(pet(&server), (&[200], "image/png")).resume(part);
            saved = opening.await.unwrap().save(&path).await;
        }
        assert_eq!(saved.unwrap(), 7 - *cuts.last().unwrap() as u64);
        assert_eq!(fs::read(&path).unwrap(), b"content");
        assert_eq!(names(folder.path()), ["file.png"]);
    }
}

/// What begins again removes the part, and a changed content does not continue it.
#[tokio::test]
async fn a_part_of_an_old_version_is_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.png");
    let error = open(&versioned("content", &[3])).await.save(&path).await.unwrap_err();
    let part = error.part().unwrap();
    let server = Server::new(|_, _| response(200, &[("etag", "\"v2\"")], "changed"));
    let changed =
        internal::open(pet(&server), (&[200], "image/png")).resume(part).await.unwrap_err();
    assert_eq!(changed.kind(), ErrorKind::Changed);
    assert_eq!(fs::read(part.path()).unwrap(), b"con");
    assert_eq!(open(&server).await.save(&path).await.unwrap(), 7);
    assert_eq!(fs::read(&path).unwrap(), b"changed");
    assert_eq!(names(folder.path()), ["file.png"]);
}

/// A part that cannot be continued, or of which it is not known where it begins, is removed.
#[tokio::test]
async fn a_part_without_a_validator_or_a_beginning_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.png");
    let server = Server::new(|_, _| Act::Close(cut("content", 3)));
    let error = open(&server).await.save(&path).await.unwrap_err();
    assert_eq!((error.kind(), error.part()), (ErrorKind::Interrupted, None));
    let mut stream = open(&versioned("content", &[3])).await;
    assert_eq!(stream.try_next().await.unwrap().unwrap(), "con");
    assert_eq!(stream.save(&path).await.unwrap_err().part(), None);
    let error = open(&versioned("content", &[0])).await.save(&path).await.unwrap_err();
    assert_eq!(error.part(), None);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[tokio::test]
async fn a_rest_is_appended_to_what_it_continues() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.png");
    let resumed = |server: Server| async move {
        let opening = internal::open(pet(&server), (&[200], "image/png")).resume_at(3);
        opening.if_unchanged("\"v1\"").await.unwrap()
    };
    for found in ["con", "confused"] {
        fs::write(&path, found).unwrap();
        assert_eq!(resumed(versioned("content", &[])).await.save(&path).await.unwrap(), 4);
        assert_eq!(fs::read(&path).unwrap(), b"content");
    }
    // What the program wrote itself before it saves the rest is kept, too.
    fs::write(&path, "con").unwrap();
    let mut stream = resumed(versioned("content", &[])).await;
    let piece = stream.try_next().await.unwrap().unwrap();
    fs::write(&path, [b"con", &piece[..]].concat()).unwrap();
    assert_eq!(stream.save(&path).await.unwrap(), 0);
    assert_eq!(fs::read(&path).unwrap(), b"content");
    // After another cut, it is the part.
    fs::write(&path, "con").unwrap();
    let error = resumed(versioned("content", &[5])).await.save(&path).await.unwrap_err();
    let part = error.part().unwrap();
    assert_eq!(part.length(), 5);
    assert_eq!(fs::canonicalize(part.path()).unwrap(), fs::canonicalize(&path).unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"conte");
    for found in [Some("co"), None] {
        fs::remove_file(&path).unwrap();
        if let Some(found) = found {
            fs::write(&path, found).unwrap();
        }
        let error = resumed(versioned("content", &[])).await.save(&path).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::File, "{error}");
        let why = found.map_or("No such file", |_| "it has 2 bytes, fewer than the 3");
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), found);
        fs::write(&path, "").unwrap();
    }
    assert_eq!(names(folder.path()), ["file.png"]);
}

/// `202 Accepted` and the like speak of something else than the content.
#[tokio::test]
async fn a_response_without_content_changes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.png");
    fs::write(&path, "old").unwrap();
    for status in [201, 202, 204, 205] {
        let server = Server::new(move |_, _| response(status, &[], ""));
        let stream = internal::open(pet(&server), (&[], "image/png")).await.unwrap();
        let error = stream.save(&path).await.unwrap_err();
        assert_eq!((error.kind(), error.status()), (ErrorKind::Decode, Some(status)));
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
    assert_eq!(
        open(&Server::new(|_, _| response(200, &[], ""))).await.save(&path).await.unwrap(),
        0
    );
    assert_eq!(fs::read(&path).unwrap(), b"");
    assert_eq!(names(folder.path()), ["file.png"]);
}

#[cfg(unix)]
#[tokio::test]
async fn only_regular_files_are_replaced_and_links_stay() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    fs::create_dir(at("folder")).unwrap();
    symlink(at("nothing"), at("dangling")).unwrap();
    symlink("/dev/null", at("device")).unwrap();
    symlink(at("pipe"), at("link to pipe")).unwrap();
    let all = names(folder.path());
    for name in &all {
        for start in [0, 3] {
            let opening = internal::open(pet(&versioned("content", &[])), (&[200], "image/png"));
            let opening =
                if start == 0 { opening } else { opening.resume_at(3).if_unchanged("\"v1\"") };
            let error = opening.await.unwrap().save(at(name)).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::File, "{name}: {error}");
            let why = if name == "dangling" {
                "a symbolic link to a file that"
            } else {
                "not a regular file"
            };
            assert!(error.to_string().contains(why), "{name}: {error}");
        }
    }
    assert_eq!(names(folder.path()), all);
    assert!(fs::metadata(at("pipe")).unwrap().file_type().is_fifo());

    fs::create_dir(at("elsewhere")).unwrap();
    fs::write(at("elsewhere/file"), "old").unwrap();
    symlink("elsewhere/file", at("link")).unwrap();
    symlink("link", at("link to link")).unwrap();
    open(&versioned("content", &[])).await.save(at("link to link")).await.unwrap();
    assert_eq!(fs::read(at("elsewhere/file")).unwrap(), b"content");
    assert!(fs::symlink_metadata(at("link to link")).unwrap().is_symlink());
    assert_eq!(names(&at("elsewhere")), ["file"]);
}

/// Two saves of the same file are in each other's way neither while they run nor when they end.
#[cfg(unix)]
#[tokio::test]
async fn a_part_that_is_being_written_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.png");
    let (writes, mut written) = mpsc::unbounded_channel();
    let stalls = Server::new(|_, _| Act::Stall(cut("content", 3), Arc::new(|_| {})));
    let first = open(&stalls).await.on_progress(move |_, _| writes.send(()).unwrap());
    let first = tokio::spawn({
        let path = path.clone();
        async move { first.save(path).await }
    });
    written.recv().await.unwrap();
    assert_eq!(names(folder.path()).len(), 1);
    open(&versioned("content", &[])).await.save(&path).await.unwrap();
    assert_eq!(names(folder.path()).len(), 2, "the other part is still written");
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    assert_eq!(names(folder.path()), ["file.png"]);
}

#[cfg(unix)]
fn child(name: &str) -> Command {
    let mut child = Command::new("sh");
    let program = std::env::current_exe().unwrap();
    // 512 or 1,024 bytes. The signal would end the process.
    child.args([
        "-c",
        "trap '' XFSZ; ulimit -f 1; exec \"$0\" --exact \"$1\" --ignored --nocapture",
    ]);
    child.arg(program).arg(format!("saves::{name}"));
    child
}

/// A limit of the size of files is a full disk of their own.
#[cfg(unix)]
#[test]
fn a_full_disk_is_no_fault_of_the_request() {
    let output = child("child_that_fills_the_disk").output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[cfg(unix)]
#[tokio::test]
#[ignore = "a child process"]
async fn child_that_fills_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.png");
    let body = "x".repeat(1 << 20);
    let server = Server::new(move |_, _| response(200, &[("etag", "\"v1\"")], &body));
    let error = open(&server).await.save(&path).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::File, Some(200)));
    assert!(!error.is_retryable() && error.to_string().contains("File too large"), "{error}");
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(unix)]
#[tokio::test]
async fn the_part_of_a_killed_process_is_removed_when_the_file_is_saved_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.png");
    let mut killed = child("child_that_is_killed");
    killed.env("SAVED_FILE", &path).stdout(Stdio::piped());
    let mut killed = killed.spawn().unwrap();
    let mut lines = BufReader::new(killed.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("3 bytes")));
    killed.kill().unwrap();
    killed.wait().unwrap();
    let [part] = &names(folder.path())[..] else { panic!() };
    // The file of someone else that has the name of the part.
    let foreign = folder.path().join("foreign");
    fs::write(&foreign, "foreign").unwrap();
    open(&versioned("content", &[])).await.save(&path).await.unwrap();
    assert_eq!(names(folder.path()), ["file.png", "foreign"]);
    std::os::unix::fs::symlink(&foreign, folder.path().join(part)).unwrap();
    open(&versioned("content", &[])).await.save(&path).await.unwrap();
    assert_eq!(names(folder.path()), [part.as_str(), "file.png", "foreign"]);
    assert_eq!(fs::read(&foreign).unwrap(), b"foreign");
}

#[cfg(unix)]
#[tokio::test]
#[ignore = "a child process"]
async fn child_that_is_killed() {
    let Some(path) = std::env::var_os("SAVED_FILE") else { return };
    let stalls = Server::new(|_, _| Act::Stall(cut("content", 3), Arc::new(|_| {})));
    let stream = open(&stalls).await.on_progress(|received, _| println!("{received} bytes"));
    let _ = stream.save(path).await;
}
