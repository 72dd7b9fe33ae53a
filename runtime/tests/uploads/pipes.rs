//! Contents of pipes, and of files without a length.

use std::io::{Read as _, Write as _};
use std::sync::mpsc;

use openapi_bindings_runtime::Upload;

use crate::bodies::{Form, PostUpload, PutUpload, SendParts};
use crate::support::api::request;
use crate::support::clock::TestClock;
use crate::support::server::{bytes, listen};
use crate::support::{client, timed};

/// Answers requests with chunked bodies (RFC 9112, section 7.1) by these statuses, and returns what was received.
fn chunked(statuses: &'static [u16]) -> (String, mpsc::Receiver<String>) {
    let (sender, received) = mpsc::channel();
    let address = listen(0, move |mut socket| {
        for status in statuses {
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n0\r\n\r\n") {
                let mut buffer = [0; 4096];
                match socket.read(&mut buffer) {
                    Ok(read @ 1..) => request.extend_from_slice(&buffer[..read]),
                    _ => return,
                }
            }
            sender.send(String::from_utf8(request).unwrap()).unwrap();
            socket.write_all(&bytes(*status, &[], "{}")).unwrap();
        }
    });
    (format!("http://{}", address.unwrap()), received)
}

fn pipe(folder: &tempfile::TempDir, content: &'static str) -> std::path::PathBuf {
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    let writer = path.clone();
    std::thread::spawn(move || std::fs::write(writer, content).unwrap());
    path
}

#[tokio::test]
async fn pipes_are_streams() {
    let folder = tempfile::tempdir().unwrap();
    let (url, received) = chunked(&[200]);
    let upload = Upload::from_path(pipe(&folder, "from a pipe"));
    let client = client(url).build().unwrap();
    request::<PostUpload>(&client, upload).await.unwrap();
    let request = received.recv().unwrap().to_lowercase();
    assert!(request.contains("transfer-encoding: chunked\r\n"), "{request}");
    assert!(request.contains("\r\nfrom a pipe\r\n"), "{request}");
}

#[tokio::test]
async fn a_pipe_is_sent_once() {
    let folder = tempfile::tempdir().unwrap();
    let (url, _received) = chunked(&[503]);
    let upload = Upload::from_path(pipe(&folder, "from a pipe"));
    let client = timed(client(url), &TestClock::new()).build().unwrap();
    let call = request::<PutUpload>(&client, upload.clone());
    let error = call.await.unwrap_err();
    assert_eq!((error.status(), error.attempts()), (Some(503), 1));
    assert!(error.to_string().contains("its body is a stream"), "{error}");
    let again = request::<PutUpload>(&client, upload).await.unwrap_err();
    assert!(again.to_string().contains("was already sent"), "{again}");
}

#[tokio::test]
async fn pipes_are_files_of_forms() {
    let folder = tempfile::tempdir().unwrap();
    let (url, received) = chunked(&[200]);
    let file = Upload::from_path(pipe(&folder, "from a pipe"));
    let client = client(url).build().unwrap();
    request::<SendParts>(&client, Form::with_file(file)).await.unwrap();
    assert!(received.recv().unwrap().contains("from a pipe"));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn files_whose_length_is_zero_are_read() {
    let (url, received) = chunked(&[200]);
    let call = request::<PostUpload>(
        &client(url).build().unwrap(),
        Upload::from_path("/proc/self/status"),
    );
    call.await.unwrap();
    assert!(received.recv().unwrap().contains("VmPeak"));
}
