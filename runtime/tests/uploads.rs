//! Contents without a length, with a wrong one, and without an end.

#[cfg(all(feature = "fs", unix))]
mod pipes;

use std::convert::Infallible;
use std::task::Poll;

use futures_util::stream;
use openapi_bindings_runtime::{
    Body, BoxFuture, Bytes, ErrorKind, RequestBody, RetryPolicy, Transport, TransportError, Upload,
    http,
};

use crate::bodies::{Form, PostUpload, PutUpload, SendParts};
use crate::support::api::{get, request};
use crate::support::clock::TestClock;
use crate::support::server::Server;
use crate::support::{client, timed};

#[cfg(feature = "fs")]
#[tokio::test]
async fn empty_files_have_the_length_zero() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    request::<PutUpload>(&client, Upload::from_path(file.path())).await.unwrap();
    assert_eq!(server.only().headers["content-length"], "0");
}

#[tokio::test]
async fn the_length_zero_is_checked() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let of = |chunks: &'static [&'static str]| {
        let chunks = chunks.iter().map(|chunk| Ok::<_, Infallible>(Bytes::from(*chunk)));
        Upload::from_stream(stream::iter(chunks)).with_length(0)
    };
    request::<PutUpload>(&client, of(&[])).await.unwrap();
    request::<PutUpload>(&client, of(&["", ""])).await.unwrap();
    assert_eq!(server.take().len(), 2);
    let error = request::<PutUpload>(&client, of(&["", "content"])).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Request, 1), "{error}");
    assert!(error.to_string().contains("longer than its length"), "{error}");
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn lengths_beyond_64_bits_are_refused() {
    let server = Server::json("{}");
    let stream =
        || Upload::from_stream(endless::<Infallible>(TestClock::new())).with_length(u64::MAX);
    let form = Form::with_files([stream(), stream()]);
    let client = client(server.url()).build().unwrap();
    let error = request::<SendParts>(&client, form).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Request, 1), "{error}");
    assert!(error.to_string().contains("exceeds 64 bits"), "{error}");
    assert!(server.seen().is_empty());
}

/// Returns empty chunks without end, always at once. The first one ends the time of the attempt.
fn endless<E>(clock: TestClock) -> impl stream::Stream<Item = Result<Bytes, E>> + Send {
    let mut clock = Some(clock);
    stream::poll_fn(move |_| {
        if let Some(clock) = clock.take() {
            clock.ring();
        }
        Poll::Ready(Some(Ok(Bytes::new())))
    })
}

#[tokio::test]
async fn endless_empty_chunks_do_not_hold_the_thread() {
    for length in [None, Some(0), Some(7)] {
        let clock = TestClock::new();
        let server = Server::json("{}");
        let client = timed(client(server.url()), &clock).build().unwrap();
        let upload = Upload::from_stream(endless::<Infallible>(clock));
        let upload = match length {
            Some(length) => upload.with_length(length),
            None => upload,
        };
        let error = request::<PostUpload>(&client, upload).await.unwrap_err();
        assert!(error.is_timeout(), "{error}");
    }
}

/// Responds with endless empty chunks.
struct Endless(TestClock);

impl Transport for Endless {
    fn send(
        &self,
        _: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let body = Body::from_stream(endless(self.0.clone()));
        Box::pin(async move { Ok(http::Response::new(body)) })
    }
}

#[tokio::test]
async fn endless_empty_chunks_of_responses_do_not_hold_the_thread() {
    let clock = TestClock::new();
    let builder = timed(client("http://localhost"), &clock).transport(Endless(clock.clone()));
    let client = builder.retry(RetryPolicy::never()).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
}
