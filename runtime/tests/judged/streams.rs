//! Random event streams, cut at random places, and the events that the runtime reads.

use std::sync::Arc;

use fastrand::Rng;
use openapi_bindings_runtime::internal::{self, Text};
use serde_json::json;

use crate::support::api::get;
use crate::support::client;
use crate::support::server::{Act, Server};

const STREAMS: usize = 10_000;

/// Lines and their parts, whole, broken and unknown.
const PIECES: [&[u8]; 30] = [
    b"data: ",
    b"data:",
    b"data",
    b"event: ",
    b"event:",
    b"id: ",
    b"id:",
    b"id",
    b"retry: ",
    b"retry:",
    b": comment",
    b":",
    b" ",
    b"unknown: x",
    b"Data: x",
    b"a",
    b"12",
    b"0",
    b"\0",
    b"-1",
    b"\n",
    b"\n",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\r\n\r\n",
    "\u{feff}".as_bytes(),
    "\u{1f600}é".as_bytes(),
    b"\xff",
];

/// Returns the pieces of a stream.
fn stream(random: &mut Rng) -> Vec<Vec<u8>> {
    let count = random.usize(1..40);
    let bytes: Vec<u8> =
        (0..count).flat_map(|_| PIECES[random.usize(..PIECES.len())].iter().copied()).collect();
    let mut pieces = vec![Vec::new()];
    for byte in bytes {
        pieces.last_mut().unwrap().push(byte);
        if random.u8(..8) == 0 {
            pieces.push(Vec::new());
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn chunked(pieces: &[Vec<u8>]) -> Vec<u8> {
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunks = pieces
        .iter()
        .flat_map(|piece| [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat());
    head.bytes().chain(chunks).chain(*b"0\r\n\r\n").collect()
}

#[tokio::test]
#[ignore = "`cargo xtask conformance --judges` judges the events"]
async fn random_streams_are_read() {
    let random = &mut Rng::with_seed(926);
    let streams: Arc<[_]> = (0..STREAMS).map(|_| stream(random)).collect();
    let sent = Arc::clone(&streams);
    let server = Server::new(move |number, _| Act::Send(chunked(&sent[number])));
    let client = client(server.url()).build().unwrap();
    let mut rows = Vec::new();
    for pieces in streams.iter() {
        let mut stream =
            internal::events::<String, Text>(get(&client, "7"), (&[200], "text/event-stream"));
        let mut events = Vec::new();
        while let Some(event) = stream.try_next().await.unwrap() {
            let retry = event.retry.map(|retry| retry.as_millis().to_string());
            events.push(json!({
                "id": event.id, "event": event.event, "retry": retry, "data": event.data,
            }));
        }
        rows.push(json!({"pieces": pieces, "events": events}));
    }
    super::write("streams", &rows.into());
}
