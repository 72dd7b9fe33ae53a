//! Replies that are read while they are received.

mod messages;
mod reconnects;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use openapi_bindings_runtime::internal::{self, FromReply, Json, Received, Several, Text};
use openapi_bindings_runtime::{Clock, Error, ErrorKind, Event, Events, Lines, Value};

use crate::support::api::{GetPet, Request, get};
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{Act, Server, bytes, response};
use crate::support::{client, timed};

/// Returns a response of 200 whose body ends with the connection.
fn open_ended(media_type: &str, body: &[u8]) -> Act {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {media_type}\r\n\r\n");
    Act::Close([head.as_bytes(), body].concat())
}

/// Returns a response of 200 without the end of its body.
pub fn cut(body: &str, length: usize) -> Vec<u8> {
    let whole = bytes(200, &[], body);
    whole[..whole.len() - body.len() + length].to_vec()
}

pub fn pet(server: &Server) -> Request<GetPet> {
    get(&client(server.url()).build().unwrap(), "7")
}

pub fn events(server: &Server) -> Events<Value> {
    internal::events::<_, Json>(pet(server), (&[200], "text/event-stream"))
}

pub fn lines(server: &Server) -> Lines<Value> {
    internal::lines::<_, Json>(pet(server), (&[200], "application/x-ndjson"))
}

/// Returns the data of the events, and the kinds of errors between them.
async fn all(mut events: Events<Value>) -> Vec<Result<String, ErrorKind>> {
    let mut found = Vec::new();
    while let Some(event) = events.try_next().await.transpose() {
        found.push(event.map(|event| event.data.to_string()).map_err(|error| error.kind()));
    }
    found
}

#[tokio::test]
async fn events_have_their_fields_and_types() {
    let body = ": hi\n\nid: 1\nevent: added\ndata: {\"a\":\ndata: 1}\n\nretry: 5\ndata: [2]\n\n";
    let server = Server::new(move |_, _| response(200, &[], body));
    let mut events = events(&server);
    let Event { id, event, retry, data, .. } = events.try_next().await.unwrap().unwrap();
    assert_eq!((id.as_deref(), event.as_deref(), retry), (Some("1"), Some("added"), None));
    assert_eq!(data, serde_json::json!({"a": 1}));
    let Event { id, event, retry, .. } = events.try_next().await.unwrap().unwrap();
    assert_eq!((id.as_deref(), event), (Some("1"), None));
    assert_eq!(retry, Some(Duration::from_millis(5)));
    assert!(events.try_next().await.unwrap().is_none());
    assert!(events.try_next().await.unwrap().is_none());
    assert_eq!(server.only().headers["accept"], "text/event-stream");
}

/// A bad event is an item, and the stream goes on; nothing follows the sentinel.
#[tokio::test]
async fn a_bad_event_does_not_end_the_stream() {
    let body = "data: 1\n\ndata: no\n\ndata: 2\n\ndata: [DONE]\n\ndata: 3\n\n";
    let server = Server::new(move |_, _| response(200, &[], body));
    let found = all(events(&server)).await;
    assert_eq!(found, [Ok("1".to_owned()), Err(ErrorKind::Decode), Ok("2".to_owned())]);
}

/// The media type of the stream is right, so the error of a message does not blame it.
#[tokio::test]
async fn the_error_of_a_bad_event_names_no_media_type() {
    let headers = [("content-type", "text/event-stream")];
    let server = Server::new(move |_, _| response(200, &headers, "data: no\n\n"));
    let error = events(&server).try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(!error.to_string().contains("text/event-stream"), "{error}");
}

#[tokio::test]
async fn a_stream_ends_with_the_sentinel_of_its_api() {
    let server = Server::new(|_, _| response(200, &[], "data: 1\n\ndata: END\n\ndata: 2\n\n"));
    assert_eq!(all(events(&server).with_sentinel("END")).await, [Ok("1".to_owned())]);
    let server = Server::new(|_, _| response(200, &[], "1\nEND\n2\n"));
    let mut lines = lines(&server).with_sentinel("END");
    assert_eq!(lines.try_next().await.unwrap(), Some(Value::from(1)));
    assert_eq!(lines.try_next().await.unwrap(), None);
}

/// Data of several types.
#[derive(Debug, PartialEq)]
pub enum Data {
    Count(i64),
    Message(Vec<i64>),
    Note(String),
    Unknown(String),
}

impl FromReply for Data {
    fn from_reply(reply: &Received<'_>) -> Result<Self, Error> {
        match reply.event() {
            "count" => reply.json().map(Self::Count),
            "message" => reply.json().map(Self::Message),
            "note" => reply.text().map(Self::Note),
            _ => reply.unknown_event().map(Self::Unknown),
        }
    }
}

/// The name decides the type of the data. Bad data and unknown names do not end the stream, and the sentinel of a named
/// event does.
#[tokio::test]
async fn the_name_of_an_event_decides_the_type_of_its_data() {
    let body = "event: count\ndata: 1\n\nevent: note\ndata: 2\n\ndata: [3]\n\nevent: message\ndata: [4]\n\n\
        event: count\ndata: no\n\nevent: other\ndata: 5\n\nevent: note\ndata: [DONE]\n\nevent: count\ndata: 6\n\n";
    let server = Server::new(move |_, _| response(200, &[], body));
    for is_strict in [false, true] {
        let drift = Arc::new(Mutex::new(Vec::new()));
        let report = Arc::clone(&drift);
        let mut client = client(server.url()).on_drift(move |drift| {
            report.lock().unwrap().push(drift.to_string());
        });
        if is_strict {
            client = client.strict();
        }
        let pet = get(&client.build().unwrap(), "7");
        let mut events = internal::events::<Data, Several>(pet, (&[200], "text/event-stream"));
        let mut found = Vec::new();
        while let Some(event) = events.try_next().await.transpose() {
            found.push(event.map(|event| event.data).map_err(|error| error.kind()));
        }
        let unknown = Data::Unknown("5".to_owned());
        let unknown = if is_strict { Err(ErrorKind::Decode) } else { Ok(unknown) };
        let expected = [
            Ok(Data::Count(1)),
            Ok(Data::Note("2".to_owned())),
            Ok(Data::Message(vec![3])),
            Ok(Data::Message(vec![4])),
            Err(ErrorKind::Decode),
            unknown,
        ];
        assert_eq!(found, expected);
        assert_eq!(*drift.lock().unwrap(), ["pets.get: event `other` is not described"]);
    }
}

#[tokio::test]
async fn texts_are_events_as_they_are() {
    let server = Server::new(|_, _| response(200, &[], "data: no JSON\n\n"));
    let mut events = internal::events::<String, Text>(pet(&server), (&[200], "text/event-stream"));
    assert_eq!(events.try_next().await.unwrap().unwrap().data, "no JSON");
}

/// Events are UTF-8, whatever the media type says, and a byte order mark only begins a stream.
#[tokio::test]
async fn texts_of_events_are_not_decoded_again() {
    let headers = [("content-type", "text/event-stream; charset=iso-8859-1")];
    let server = Server::new(move |_, _| response(200, &headers, "\u{feff}data: \u{feff}é\n\n"));
    let mut events = internal::events::<String, Text>(pet(&server), (&[200], "text/event-stream"));
    assert_eq!(events.try_next().await.unwrap().unwrap().data, "\u{feff}é");
}

/// A page or a whole JSON text has no events: they are errors instead of the end of a stream.
#[tokio::test]
async fn a_reply_that_is_no_event_stream_is_an_error() {
    for (name, value, body) in [
        ("content-type", "text/html; charset=utf-8", "<p>\n\n"),
        ("content-type", "application/json", "{\"a\": 1}\n\n"),
        ("content-encoding", "zstd", "{\"a\": 1}\n\n"),
        ("x-body", "HTML", "\n <p>data: 1\n\n"),
    ] {
        let server = Server::new(move |_, _| response(200, &[(name, value)], body));
        let error = events(&server).reconnect().try_next().await.unwrap_err();
        let essence = value.split(';').next().unwrap();
        assert!(error.to_string().contains(essence), "{error}");
        assert_eq!((error.kind(), error.status()), (ErrorKind::Decode, Some(200)));
        assert_eq!(server.seen().len(), 1);
    }
}

#[tokio::test]
async fn an_error_of_the_call_is_the_only_item() {
    let server = Server::new(|_, _| response(404, &[], "{}"));
    assert_eq!(all(events(&server)).await, [Err(ErrorKind::Status)]);
}

/// Wherever the connection breaks, each event comes once, and then the error.
#[tokio::test]
async fn a_connection_that_breaks_is_an_error_at_every_byte() {
    let body = "data: 1\n\ndata: 22\n\n";
    for length in 0..body.len() {
        let server = Server::new(move |_, _| Act::Close(cut(body, length)));
        let mut expected: Vec<_> = [(9, "1"), (19, "22")]
            .into_iter()
            .filter(|(end, _)| *end <= length)
            .map(|(_, data)| Ok(data.to_owned()))
            .collect();
        expected.push(Err(ErrorKind::Interrupted));
        assert_eq!(all(events(&server)).await, expected, "cut at {length}");
    }
}

#[tokio::test]
async fn an_event_has_a_limit() {
    let server = Server::new(|_, _| response(200, &[], "data: 1\n\ndata: 1234567890\n\n"));
    let found = all(events(&server).with_max_event_bytes(12)).await;
    assert_eq!(found, [Ok("1".to_owned()), Err(ErrorKind::TooLarge)]);
}

#[tokio::test]
async fn a_line_has_a_limit() {
    let server = Server::new(|_, _| response(200, &[], "1\n1234567890\n"));
    let mut lines = lines(&server).with_max_line_bytes(8);
    assert_eq!(lines.try_next().await.unwrap(), Some(Value::from(1)));
    let error = lines.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(error.to_string().contains("line 2 of the reply is larger than 8 bytes"), "{error}");
}

#[tokio::test]
async fn lines_are_values() {
    for body in ["1\n{\"a\":2}\r\n\nno\n[3]", "\u{1e}1\n\u{1e}{\"a\":2}\n\u{1e}no\n\u{1e}[3]\n"] {
        let server = Server::new(move |_, _| response(200, &[], body));
        let mut lines = lines(&server);
        let mut found = Vec::new();
        while let Some(line) = lines.try_next().await.transpose() {
            found.push(line.map(|line| line.to_string()).map_err(|error| error.kind()));
        }
        let expected = ["1", r#"{"a":2}"#].map(|line| Ok(line.to_owned()));
        let rest = [Err(ErrorKind::Decode), Ok("[3]".to_owned())];
        assert_eq!(found, [expected, rest].concat(), "{body:?}");
        assert_eq!(server.only().headers["accept"], "application/x-ndjson");
    }
}

/// Nothing shows whether a number at the end of a record is whole (RFC 7464, section 2.4).
#[tokio::test]
async fn a_record_that_may_be_cut_is_an_error() {
    let server = Server::new(|_, _| response(200, &[], "\u{1e}1\n\u{1e}12"));
    let mut lines = lines(&server);
    assert_eq!(lines.try_next().await.unwrap(), Some(Value::from(1)));
    let error = lines.try_next().await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Decode, Some(200)));
    assert_eq!(lines.try_next().await.unwrap(), None);
}

/// Its headers can declare a length (RFC 9110, section 6.4.1).
#[tokio::test]
async fn a_reply_without_content_has_no_bytes() {
    let server = Server::new(|_, _| {
        Act::Send(b"HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n".to_vec())
    });
    let mut stream = internal::open(pet(&server), (&[], "*/*")).await.unwrap();
    assert_eq!((stream.length(), stream.try_next().await.unwrap()), (None, None));
}

/// A line or a piece that is cut is neither a value nor the end.
#[tokio::test]
async fn lines_and_bytes_that_break_off_are_errors_at_every_byte() {
    let body = "1\n22\n";
    for length in 0..body.len() {
        let server = Server::new(move |_, _| Act::Close(cut(body, length)));
        let mut lines = lines(&server);
        for expected in [(2, 1), (5, 22)].into_iter().filter(|(end, _)| *end <= length) {
            assert_eq!(lines.try_next().await.unwrap(), Some(expected.1.into()), "cut at {length}");
        }
        let error = lines.try_next().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted, "cut at {length}");
        assert_eq!(lines.try_next().await.unwrap(), None);

        let mut stream = internal::open(pet(&server), (&[200], "*/*")).await.unwrap();
        let mut content = Vec::new();
        let error = loop {
            match stream.try_next().await {
                Ok(piece) => content.extend(piece.expect("the body has not ended")),
                Err(error) => break error,
            }
        };
        assert_eq!((error.kind(), content.len()), (ErrorKind::Interrupted, length));
        assert_eq!(stream.try_next().await.unwrap(), None);
    }
}

/// The timeout of the attempt ends a pause, unless the stream has others for a pause and for the rest of the body.
#[tokio::test]
async fn a_body_that_pauses_or_takes_too_long_is_an_error() {
    let server = Server::new(|_, _| Act::Stall(cut("content", 3), Arc::new(|_| {})));
    for (pause, whole, expected) in [
        (None, None, TIMER),
        (Some(TIMER * 2), None, TIMER * 2),
        (Some(TIMER * 4), Some(TIMER * 3), TIMER * 3),
    ] {
        let clock = TestClock::new();
        let client = timed(client(server.url()), &clock).build().unwrap();
        let mut stream = internal::open(get(&client, "7"), (&[200], "*/*")).await.unwrap();
        if let Some(pause) = pause {
            stream = stream.with_pause_timeout(pause);
        }
        if let Some(whole) = whole {
            stream = stream.with_timeout(whole);
        }
        assert_eq!(stream.try_next().await.unwrap().unwrap(), "con");
        let start = clock.now();
        clock.ring();
        let error = stream.try_next().await.unwrap_err();
        assert_eq!((error.kind(), clock.now() - start), (ErrorKind::Timeout, expected));
        assert_eq!(stream.try_next().await.unwrap(), None);
    }
}

#[tokio::test]
async fn bytes_come_in_pieces_with_their_progress() {
    let server = Server::new(|_, _| response(200, &[("content-type", "image/png")], "content"));
    let (sender, receiver) = std::sync::mpsc::channel();
    let stream = internal::open(pet(&server), (&[200], "image/png")).await.unwrap();
    assert_eq!((stream.status(), stream.length()), (200, Some(7)));
    let mut stream = stream.on_progress(move |received, length| {
        sender.send((received, length)).unwrap();
    });
    let mut content = Vec::new();
    while let Some(piece) = stream.try_next().await.unwrap() {
        content.extend_from_slice(&piece);
    }
    assert_eq!(content, b"content");
    assert_eq!(receiver.try_iter().last(), Some((7, Some(7))));
}

/// The limit for whole bodies does not apply, and no piece is kept.
#[tokio::test]
async fn a_stream_may_be_larger_than_the_limit_of_bodies() {
    let server = Server::new(|_, _| response(200, &[], &"x".repeat(100_000)));
    let client = client(server.url()).max_response_bytes(10).build().unwrap();
    let mut stream = internal::open(get(&client, "7"), (&[200], "*/*")).await.unwrap();
    let mut length = 0;
    while let Some(piece) = stream.try_next().await.unwrap() {
        length += piece.len();
    }
    assert_eq!(length, 100_000);
}

/// Returns the largest memory of this process so far, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

/// In a process of its own, whose memory no other test takes.
#[cfg(target_os = "linux")]
#[test]
fn a_stream_of_1_gib_takes_little_memory() {
    let mut process = std::process::Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", "streams::child_that_receives_1_gib", "--ignored", "--nocapture"]);
    let output = process.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "a child process"]
async fn child_that_receives_1_gib() {
    use std::io::{Read as _, Write as _};

    const LENGTH: usize = 1 << 30;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            connection.read_exact(&mut byte).unwrap();
            request.extend(byte);
        }
        write!(connection, "HTTP/1.1 200 OK\r\ncontent-length: {LENGTH}\r\n\r\n").unwrap();
        let piece = vec![b'x'; 1 << 16];
        for _ in 0..LENGTH / piece.len() {
            connection.write_all(&piece).unwrap();
        }
    });
    let client = client(url).build().unwrap();
    let mut stream = internal::open(get(&client, "7"), (&[200], "*/*")).await.unwrap();
    let mut length = stream.try_next().await.unwrap().unwrap().len();
    let before = peak_memory();
    while let Some(piece) = stream.try_next().await.unwrap() {
        length += piece.len();
    }
    let growth = peak_memory() - before;
    println!("{growth} bytes more than after the first piece, {} in total", peak_memory());
    assert_eq!(length, LENGTH);
    assert!(growth < 8 << 20, "{growth}");
    server.join().unwrap();
}

#[tokio::test]
async fn a_reply_continues_where_it_broke_off() {
    let range = [("content-range", "bytes 3-6/7")];
    let server = Server::new(move |number, _| match number {
        0 => response(206, &range, "tent"),
        _ => response(200, &[], "content"),
    });
    let open = || internal::open(pet(&server), (&[200], "*/*")).resume_at(3);
    let mut stream = open().await.unwrap();
    assert_eq!(stream.try_next().await.unwrap().unwrap(), "tent");
    assert_eq!(server.take()[0].headers["range"], "bytes=3-");
    assert_eq!(open().await.unwrap_err().kind(), ErrorKind::Decode);
}

/// A server may send less than it was asked for (RFC 9110, section 15.3.7), and the rest in other replies.
#[tokio::test]
async fn a_part_that_ends_before_the_content_is_not_its_end() {
    let content = "content";
    let server = Server::new(move |_, seen| {
        let start: usize = seen.headers["range"][6..].trim_end_matches('-').parse().unwrap();
        let end = (start + 3).min(content.len());
        let range = format!("bytes {start}-{}/{}", end - 1, content.len());
        response(206, &[("content-range", &range)], &content[start..end])
    });
    let mut received = String::new();
    for (start, ends) in [(0, false), (3, false), (6, true)] {
        let mut stream =
            internal::open(pet(&server), (&[200], "*/*")).resume_at(start).await.unwrap();
        assert_eq!(stream.length(), Some(7 - start));
        let piece = stream.try_next().await.unwrap().unwrap();
        received.push_str(str::from_utf8(&piece).unwrap());
        let end = stream.try_next().await.map_err(|error| (error.kind(), error.is_retryable()));
        assert_eq!(end, if ends { Ok(None) } else { Err((ErrorKind::Interrupted, true)) });
    }
    assert_eq!(received, content);
}

/// Without a range request, a part would be taken for the whole.
#[tokio::test]
async fn a_part_that_was_not_requested_is_an_error() {
    let range = [("content-range", "bytes 0-9/100"), ("content-type", "text/event-stream")];
    let server = Server::new(move |_, _| response(206, &range, "data: 1\n\n\n"));
    let error = internal::open(pet(&server), (&[200], "*/*")).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Decode, Some(206)));
    assert_eq!(all(events(&server)).await, [Err(ErrorKind::Decode)]);
    let requested = pet(&server).with_header("range", "bytes=0-9");
    let mut stream = internal::open(requested, (&[200], "*/*")).await.unwrap();
    assert_eq!(stream.try_next().await.unwrap().unwrap().len(), 10);
    assert_eq!(stream.try_next().await.unwrap(), None);
}

/// The coded bytes are only for those who ask for the coding.
#[tokio::test]
async fn encoded_bytes_are_an_error_unless_the_call_accepts_the_coding() {
    let server = Server::new(|_, _| response(200, &[("content-encoding", "zstd")], "coded"));
    let error = internal::open(pet(&server), (&[200], "*/*")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.to_string().contains("encoded as `zstd`"), "{error}");
    let decodes = pet(&server).with_header("accept-encoding", "zstd");
    let mut stream = internal::open(decodes, (&[200], "*/*")).await.unwrap();
    assert_eq!(stream.try_next().await.unwrap().unwrap(), "coded");
    let decodes = client(server.url()).default_header("accept-encoding", "zstd").build().unwrap();
    assert!(internal::open(get(&decodes, "7"), (&[200], "*/*")).await.is_ok());
    let server = Server::new(|_, _| response(200, &[("content-encoding", "br")], ""));
    let mut stream = internal::open(pet(&server), (&[200], "*/*")).await.unwrap();
    assert_eq!(stream.try_next().await.unwrap(), None);
}

#[cfg(feature = "blocking")]
#[test]
fn streams_are_iterators_for_programs_without_async() {
    let server = Server::new(|_, _| response(200, &[], "data: 1\n\ndata: no\n\n"));
    let found = events(&server).into_blocking().map(|event| event.map(|event| event.data));
    let found: Vec<_> = found.map(|data| data.map_err(|error| error.kind())).collect();
    assert_eq!(found, [Ok(Value::from(1)), Err(ErrorKind::Decode)]);
}

/// A thread that must not wait does not lose the events.
#[cfg(feature = "blocking")]
#[test]
fn a_refused_iterator_continues_on_another_thread() {
    let server = Server::new(|_, _| response(200, &[], "data: 1\n\n"));
    let mut events = events(&server).into_blocking();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let refused: Vec<_> = runtime.block_on(async { events.by_ref().collect() });
    let [Err(error)] = refused.as_slice() else { panic!("{refused:?}") };
    assert_eq!(error.kind(), ErrorKind::Blocking);
    assert_eq!(events.next().unwrap().unwrap().data, 1);
    assert!(events.next().is_none());
}
