//! Replies as files.

use futures_util::FutureExt as _;
use openapi_bindings_runtime::{ErrorKind, internal};
use tokio::task::spawn_blocking;

use crate::streams::{cut, pet};
use crate::support::server::{Act, Server, response};

/// Wherever the body ends early, there is no file, and no temporary one.
#[tokio::test]
async fn a_file_appears_when_it_is_complete() {
    let body = "content";
    for length in 0..=body.len() {
        let server = Server::new(move |_, _| Act::Close(cut(body, length)));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.png");
        let stream = internal::open(pet(&server), "image/png").await.unwrap();
        let saved = stream.save(&path).await.map_err(|error| error.kind());
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        if length == body.len() {
            assert_eq!((saved, files), (Ok(7), 1));
            assert_eq!(std::fs::read(&path).unwrap(), body.as_bytes());
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
        let stream = internal::open(pet(&server), "image/png").await.unwrap();
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
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    let server = Server::new(|_, _| response(200, &[], "content"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x".repeat(255));
    for mode in [0o600, 0o666, 0o6755] {
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let stream = internal::open(pet(&server), "image/png").await.unwrap();
        assert_eq!(stream.save(&path).await.unwrap(), 7);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode & 0o777);
    }
}
