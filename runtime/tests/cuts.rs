//! Replies of every form whose connection ends at every byte: none is a success, and nothing arrives twice.

use std::future::ready;

use futures_util::stream;
use openapi_bindings_runtime::internal::{
    self, Binary, FailingEndpoint, Json, Optional, Rejection, Text,
};
use openapi_bindings_runtime::{
    Body, BoxFuture, Bytes, Error, ErrorKind, Map, RequestBody, RetryPolicy, Transport,
    TransportError, Value, http,
};

use crate::support::api::{GetPet, Request, get};
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{Act, Seen, Server};
use crate::support::{client, timed};

/// How a connection ends.
const ENDS: [fn(Vec<u8>) -> Act; 2] = [Act::Close, Act::Reset];

/// Returns the head of a response, and the body as it is sent: with its length, and in chunks of three bytes.
fn framings(status: u16, body: &str) -> [(String, String); 2] {
    let head = format!("HTTP/1.1 {status} Whatever\r\ncontent-type: application/json\r\n");
    let mut chunks = String::new();
    for chunk in body.as_bytes().chunks(3) {
        let text = std::str::from_utf8(chunk).unwrap();
        chunks += &[&chunk.len().to_string(), "\r\n", text, "\r\n"].concat();
    }
    [
        (format!("{head}content-length: {}\r\n\r\n", body.len()), body.to_owned()),
        (format!("{head}transfer-encoding: chunked\r\n\r\n"), format!("{chunks}0\r\n\r\n")),
    ]
}

fn pet(server: &Server) -> Request<GetPet> {
    let builder = timed(client(server.url()), &TestClock::new());
    get(&builder.retry(RetryPolicy::never()).build().unwrap(), "7")
}

/// Calls servers that send a response up to each of its bytes. The second argument of the call is whether it is whole.
async fn cut(status: u16, body: &str, call: impl AsyncFn(Request<GetPet>, bool, &str)) {
    for (head, sent) in framings(status, body) {
        for (end, length) in
            ENDS.iter().enumerate().flat_map(|(end, _)| (0..=sent.len()).map(move |it| (end, it)))
        {
            // A reset can overtake what was sent.
            if end == 1 && length == sent.len() {
                continue;
            }
            let bytes = [head.as_bytes(), &sent.as_bytes()[..length]].concat();
            let server = Server::new(move |_, _| ENDS[end](bytes.clone()));
            let place = format!("{sent:?} cut at {length} by {end}");
            call(pet(&server), length == sent.len(), &place).await;
        }
    }
}

/// Checks the result of a whole body.
fn judge<T: PartialEq + std::fmt::Debug>(
    result: Result<T, Error>,
    expected: &T,
    is_whole: bool,
    place: &str,
) {
    match result {
        Ok(value) => assert!(is_whole && value == *expected, "{value:?}: {place}"),
        Err(error) => {
            assert!(!is_whole && error.kind() == ErrorKind::Interrupted, "{error}: {place}");
        }
    }
}

#[tokio::test]
async fn no_part_of_a_body_is_a_value() {
    // Each beginning of the second body is JSON, too.
    let number: Map = [("a".to_owned(), Value::from(12))].into_iter().collect();
    cut(200, "{\"a\":12}  ", async |request, is_whole, place| {
        judge(request.await, &number, is_whole, place);
    })
    .await;
    cut(200, "1234567", async |request, is_whole, place| {
        let sent = internal::send_as::<_, Json>(request, (&[200], "application/json")).await;
        judge(sent, &Value::from(1_234_567), is_whole, place);
    })
    .await;
    cut(200, "1234567", async |request, is_whole, place| {
        let sent =
            internal::send_as::<_, Optional<Json>>(request, (&[200], "application/json")).await;
        judge(sent, &Some(Value::from(1_234_567)), is_whole, place);
    })
    .await;
    cut(200, "content", async |request, is_whole, place| {
        let sent = internal::send_as::<_, Text>(request, (&[200], "text/plain")).await;
        judge(sent, &"content".to_owned(), is_whole, place);
    })
    .await;
    cut(200, "content", async |request, is_whole, place| {
        let sent = internal::send_as::<_, Binary>(request, (&[200], "image/png")).await;
        judge(sent, &Bytes::from("content"), is_whole, place);
    })
    .await;
}

/// The status of an error is known, and its body is the declared one only if all of that has arrived.
#[tokio::test]
async fn no_part_of_the_body_of_an_error_is_a_failure() {
    let sent: Map = [("a".to_owned(), Value::from(12))].into_iter().collect();
    cut(404, "{\"a\":12}", async |request, is_whole, place| {
        let error = request.await.unwrap_err();
        assert_eq!(error.status(), Some(404), "{place}");
        let failure = error.failure_as::<Map>();
        assert!(failure.is_none() && !is_whole || failure.as_ref() == Some(&sent), "{place}");
    })
    .await;
    // Each beginning of these is a text or a number, too.
    for (status, sent) in [(400, Value::from("content")), (404, Value::from(1_234_567))] {
        let body = sent.as_str().map_or_else(|| sent.to_string(), str::to_owned);
        cut(status, &body, async |request, is_whole, place| {
            let failure = request.await.unwrap_err().failure::<Request<GetPet>>();
            assert_eq!(failure, is_whole.then(|| sent.clone()), "{place}");
        })
        .await;
    }
}

impl FailingEndpoint for GetPet {
    type Failure = Value;

    fn failure(reply: &Rejection<'_>) -> Option<Value> {
        if reply.status() == 400 { reply.text().map(Value::from) } else { reply.json() }
    }
}

/// A line that is not UTF-8 is an error like any other, and the next one is read.
#[tokio::test]
async fn lines_are_not_repaired() {
    let server = Server::new(|_, _| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/jsonl\r\n\r\n";
        Act::Close([head.as_bytes(), b"\"a\"\n\"\xff\"\n\"b\"\n"].concat())
    });
    let mut lines = internal::lines::<Value, Json>(pet(&server), (&[200], "application/jsonl"));
    let mut found = Vec::new();
    while let Some(line) = lines.try_next().await.transpose() {
        found.push(line.map_err(|error| error.kind()));
    }
    assert_eq!(found, [Ok(Value::from("a")), Err(ErrorKind::Decode), Ok(Value::from("b"))]);
}

#[tokio::test]
async fn each_message_of_a_stream_arrives_once() {
    let judge = |found: &[Result<Value, Error>], is_whole: bool, place: &str| {
        let (last, values) = match found.split_last() {
            Some((Err(error), values)) => (Some(error.kind()), values),
            _ => (None, found),
        };
        let values: Vec<_> = values.iter().map(|value| value.as_ref().unwrap().clone()).collect();
        let all = [Value::from(1), Value::from(22), Value::from(333)];
        assert!(all.starts_with(&values), "{values:?}: {place}");
        let expected =
            if is_whole { (None, 3) } else { (Some(ErrorKind::Interrupted), values.len()) };
        assert_eq!((last, values.len()), expected, "{place}");
    };
    for body in ["1\n22\n333", "\u{1e}1\n\u{1e}22\n\u{1e}333\n"] {
        cut(200, body, async |request, is_whole, place| {
            let mut lines =
                internal::lines::<Value, Json>(request, (&[200], "application/json-seq"));
            let mut found = Vec::new();
            while let Some(line) = lines.try_next().await.transpose() {
                found.push(line);
            }
            judge(&found, is_whole, place);
        })
        .await;
    }
}

/// Whatever part of an event arrives, it is requested again, and no other.
#[tokio::test]
async fn each_event_arrives_once_over_all_connections() {
    let all = ["id: 1\ndata: 1\n\n", "id: 2\ndata: 22\n\n", "id: 3\ndata: 333\n\n"];
    for length in 0..=all.concat().len() {
        let server = Server::new(move |number, seen: &Seen| {
            let last = seen.headers.get("last-event-id").map_or(0, |id| id.parse().unwrap());
            let body = format!("retry: 0\n{}", all[last..].concat());
            let length = if number == 0 { "retry: 0\n".len() + length } else { body.len() };
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
            if last == all.len() {
                return Act::Send(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec());
            }
            Act::Close([head, &body[..length]].concat().into_bytes())
        });
        let events = internal::events::<Value, Json>(pet(&server), (&[200], "text/event-stream"));
        let mut events = events.reconnect();
        let mut found = Vec::new();
        while let Some(event) = events.try_next().await.unwrap() {
            found.push(event.data);
        }
        assert_eq!(found, [1, 22, 333].map(Value::from), "cut at {length}");
    }
}

/// A transport whose bodies always have a piece.
struct Endless;

impl Transport for Endless {
    fn send(
        &self,
        _: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let pieces = stream::repeat_with(|| Ok(Bytes::from_static(b" ")));
        Box::pin(ready(Ok(http::Response::new(Body::from_stream(pieces)))))
    }
}

#[tokio::test]
async fn a_body_that_never_waits_ends_at_its_timeout() {
    let clock = TestClock::new();
    let client = timed(client("https://pets.example"), &clock).transport(Endless);
    let opening = internal::open(get(&client.build().unwrap(), "7"), (&[200], "*/*"));
    let mut stream = opening.await.unwrap().with_timeout(TIMER);
    assert_eq!(stream.try_next().await.unwrap().unwrap(), " ");
    clock.pass(TIMER);
    assert!(stream.try_next().await.unwrap_err().is_timeout());
}
