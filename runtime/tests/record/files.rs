//! Files that are full, shared, cut or slow.

use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use openapi_bindings_runtime::testing::Replay;
use openapi_bindings_runtime::{Client, ClientBuilder, Recorder, Value, json};

use tracing_core::{Dispatch, dispatcher};

use super::{Memory, get_account};
use crate::support::api::SERVICE;
use crate::support::server::Server;
use crate::traces::Recorder as Events;

fn client(server: &Server, recorder: &Recorder) -> Client {
    let builder = ClientBuilder::new(&SERVICE, server.url()).record(recorder.clone());
    builder.allow_anonymous().build().unwrap()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_file_is_appended_to_and_private() {
    let server = Server::json("{}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.ndjson");
    for count in 1..3 {
        let recorder = Recorder::to_file(&path);
        get_account(&client(&server, &recorder), "ada").await.unwrap();
        drop(recorder);
        assert_eq!(lines(&path).len(), count);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        drop(Recorder::to_file(&path));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn a_file_has_one_recorder_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.ndjson");
    let first = Recorder::to_file(&path);
    let build = |recorder: Recorder| {
        let builder = ClientBuilder::<Client>::new(&SERVICE, "https://pets.test").record(recorder);
        builder.build().map(drop).map_err(|error| error.to_string())
    };
    build(first.clone()).unwrap();
    let error = build(Recorder::to_file(&path)).unwrap_err();
    assert!(error.contains("traffic.ndjson`: another recorder writes to it"), "{error}");
    drop(first);
    build(Recorder::to_file(&path)).unwrap();
    let error = build(Recorder::to_file(folder.path())).unwrap_err();
    assert!(error.contains("cannot record to `"), "{error}");
}

/// An output that fails after some lines, as a full disk does.
struct Full(usize, Memory);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        self.0 -= 1;
        self.1.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_full_disk_fails_no_call() {
    let server = Server::json("{}");
    let memory = Memory::default();
    let recorder = Recorder::to_writer(Full(1, memory.clone()));
    let full = client(&server, &recorder);
    for _ in 0..4 {
        get_account(&full, "ada").await.unwrap();
        recorder.flush();
    }
    assert_eq!(memory.entries().len(), 1);

    #[cfg(target_os = "linux")]
    {
        let recorder = Recorder::to_file("/dev/full");
        let full = client(&server, &recorder);
        for _ in 0..2 {
            get_account(&full, "ada").await.unwrap();
            recorder.flush();
        }
    }
}

#[tokio::test]
async fn a_recorder_stops_at_its_limit() {
    let server = Server::json("{}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.ndjson");
    let first = Recorder::to_file(&path);
    get_account(&client(&server, &first), "ada").await.unwrap();
    drop(first);
    let length = std::fs::metadata(&path).unwrap().len();
    let recorder = Recorder::to_file(&path).max_bytes(3 * length + length / 2);
    let limited = client(&server, &recorder);
    for _ in 0..5 {
        get_account(&limited, "ada").await.unwrap();
    }
    recorder.flush();
    assert_eq!(lines(&path).len(), 3, "what an earlier recorder wrote counts, too");
}

/// The file that a child process records to.
const RECORDING: &str = "RECORDING";

#[tokio::test]
async fn a_recorder_says_once_that_it_stops_and_leaves_the_file_of_another_process_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.ndjson");
    let held = Recorder::to_file(&path);
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", "record::files::child_that_records", "--ignored", "--nocapture"]);
    process.env(RECORDING, &path);
    let output = tokio::task::spawn_blocking(move || process.output().unwrap()).await.unwrap();
    let has_run = String::from_utf8_lossy(&output.stdout).contains("1 passed");
    assert!(output.status.success() && has_run, "{output:?}");
    drop(held);
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
}

/// An output that panics.
struct Panicking;

impl Write for Panicking {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        panic!("an output that panics")
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Its subscriber is that of all threads.
#[tokio::test]
#[ignore = "a child process"]
async fn child_that_records() {
    let events = Events::default();
    dispatcher::set_global_default(Dispatch::new(events.clone())).unwrap();
    let held = Recorder::to_file(std::env::var_os(RECORDING).unwrap());
    let builder = ClientBuilder::<Client>::new(&SERVICE, "https://pets.test").record(held);
    let error = builder.allow_anonymous().build().map(drop).unwrap_err().to_string();
    assert!(error.contains("another recorder writes to it"), "{error}");

    let server = Server::json("{}");
    let full = Recorder::to_writer(Full(0, Memory::default()));
    let limited = Recorder::to_writer(Memory::default()).max_bytes(10);
    let panicking = Recorder::to_writer(Panicking);
    for (recorder, why) in [
        (full, "no storage space"),
        (limited, "the limit of 10 bytes"),
        (panicking, "writing an exchange panicked"),
    ] {
        let stopped = client(&server, &recorder);
        let before = events.text().len();
        for _ in 0..3 {
            get_account(&stopped, "ada").await.unwrap();
            recorder.flush();
        }
        let text = events.text().split_off(before);
        let warned: Vec<_> = text.lines().filter(|line| line.contains("event WARN")).collect();
        let [warned] = warned[..] else { panic!("{text}") };
        assert!(warned.contains("the recorder has stopped") && warned.contains(why), "{warned}");
    }
}

/// An output that waits before each line.
struct Slow(Receiver<()>, Memory);

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.recv();
        self.1.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_slow_disk_delays_no_call_and_lines_count_what_is_left_out() {
    let body = format!(r#"{{"id":"{}"}}"#, "x".repeat(12 << 20));
    let server = Server::json(body.leak());
    let memory = Memory::default();
    let (release, gate) = channel();
    let recorder = Recorder::to_writer(Slow(gate, memory.clone()));
    let slow = client(&server, &recorder);
    // The first one is being written or waits; 32 MiB have room for two bodies or three.
    for _ in 0..8 {
        get_account(&slow, "ada").await.unwrap();
    }
    drop(release);
    recorder.flush();
    let written = memory.entries().len();
    assert!((2..5).contains(&written), "{written}");
    get_account(&slow, "ada").await.unwrap();
    recorder.flush();
    let dropped = memory.entries().pop().unwrap()["_dropped"].as_u64().unwrap();
    assert_eq!(dropped, 8 - u64::try_from(written).unwrap());
}

#[tokio::test]
async fn lines_that_were_cut_are_left_out() {
    let server = Server::json(r#"{"count":7}"#);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.ndjson");
    let record = async |id: &str| {
        let recorder = Recorder::to_file(&path);
        get_account(&client(&server, &recorder), id).await.unwrap();
    };
    record("ada").await;
    record("bob").await;
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 40]).unwrap();
    let ids = async |ids: &[&str]| {
        let builder = ClientBuilder::<Client>::new(&SERVICE, "https://pets.test").allow_anonymous();
        let client = builder.transport(Replay::from_file(&path).unwrap()).build().unwrap();
        let mut found = Vec::new();
        for id in ids {
            found.push(get_account(&client, id).await.is_ok());
        }
        found
    };
    assert_eq!(ids(&["ada", "bob"]).await, [true, false]);
    // The next recorder begins a new line.
    record("cid").await;
    assert_eq!(ids(&["ada", "cid"]).await, [true, true]);

    // Within a character, as the name of a property can have.
    std::fs::write(&path, [text.as_bytes(), b"{\"\xc3"].concat()).unwrap();
    assert_eq!(ids(&["ada", "bob"]).await, [true, true]);

    std::fs::write(&path, format!("{text}{{}}\n")).unwrap();
    let error = Replay::from_file(&path).unwrap_err().to_string();
    assert!(error.contains("traffic.ndjson:3: not an entry that a recorder wrote"), "{error}");
    std::fs::write(&path, "GET / 200\n").unwrap();
    let error = Replay::from_file(&path).unwrap_err().to_string();
    assert!(error.contains("traffic.ndjson:1: not JSON"), "{error}");
    let error = Replay::from_file(folder.path().join("none")).unwrap_err().to_string();
    assert!(error.contains("none: No such file"), "{error}");
}

#[tokio::test]
async fn an_invalid_header_of_a_recording_is_an_error() {
    let server = Server::json("{}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.ndjson");
    let recorder = Recorder::to_file(&path);
    get_account(&client(&server, &recorder), "ada").await.unwrap();
    drop(recorder);
    for (name, value) in [(":status", "200"), ("x", "a\nb"), ("", "")] {
        let mut line = lines(&path).remove(0);
        line["response"]["headers"] = json!([{"name": name, "value": value}]);
        let edited = folder.path().join("edited.ndjson");
        std::fs::write(&edited, line.to_string()).unwrap();
        let builder = ClientBuilder::<Client>::new(&SERVICE, "https://pets.test").allow_anonymous();
        let client = builder.transport(Replay::from_file(&edited).unwrap()).build().unwrap();
        let error = get_account(&client, "ada").await.map(drop).unwrap_err().to_string();
        assert!(error.ends_with("line 1 has an invalid header"), "{error}");
    }
}
