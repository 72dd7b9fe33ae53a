//! The extensions of a request: interceptors add to them, transports read them, and the attempt keeps them.

use std::future::{pending, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{FutureExt, stream};
use openapi_bindings_runtime::internal::{self, Json};
use openapi_bindings_runtime::{
    Attempt, Body, BoxError, BoxFuture, Client, Events, Interceptor, Operation, RequestBody,
    Transport, TransportError, Value, http,
};
use tokio::sync::Semaphore;

use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::{client, timed};

/// Limits the attempts at the same time.
struct Limit(Arc<Semaphore>);

impl Interceptor for Limit {
    fn before<'a>(
        &'a self,
        _: &'a Attempt,
        request: &'a mut http::Request<RequestBody>,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(async move {
            let permit = Arc::clone(&self.0).acquire_owned().await?;
            request.extensions_mut().insert(Arc::new(permit));
            Ok(())
        })
    }
}

/// Responds to requests by their number, counted from 0, or never.
struct Responds(fn(usize) -> Option<http::Response<Body>>, AtomicUsize);

impl Transport for Responds {
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let operation = request.extensions().get::<&'static Operation>();
        assert_eq!(operation.map(|operation| operation.id), Some("pets.get"));
        match (self.0)(self.1.fetch_add(1, Ordering::Relaxed)) {
            Some(response) => Box::pin(ready(Ok(response))),
            None => Box::pin(pending()),
        }
    }
}

/// Returns a client with one permit.
fn limited(respond: fn(usize) -> Option<http::Response<Body>>) -> (Client, Arc<Semaphore>) {
    let permits = Arc::new(Semaphore::new(1));
    let transport = Responds(respond, AtomicUsize::new(0));
    let builder = client("https://pets.example").transport(transport);
    let builder = builder.interceptor(Limit(Arc::clone(&permits)));
    (timed(builder, &TestClock::new()).build().unwrap(), permits)
}

fn response(status: u16, body: Body) -> http::Response<Body> {
    http::Response::builder().status(status).header("location", "/other").body(body).unwrap()
}

#[test]
fn cancelled_calls_return_their_permits() {
    let silent: [fn(usize) -> _; 2] =
        [|_| None, |_| Some(response(200, Body::from_stream(stream::pending())))];
    for respond in silent {
        let (client, permits) = limited(respond);
        let mut call = get(&client, "7").send();
        assert!((&mut call).now_or_never().is_none());
        assert_eq!(permits.available_permits(), 0);
        drop(call);
        assert_eq!(permits.available_permits(), 1);
    }
}

#[test]
fn an_attempt_returns_its_permit_before_the_next_request() {
    for first in [503, 302] {
        let (client, permits) = limited(match first {
            503 => |number| Some(response(if number == 0 { 503 } else { 200 }, "{}".into())),
            _ => |number| Some(response(if number == 0 { 302 } else { 200 }, "{}".into())),
        });
        get(&client, "7").send().now_or_never().expect("it has a permit").unwrap();
        assert_eq!(permits.available_permits(), 1);
    }
}

#[test]
fn a_stream_returns_its_permit_when_it_ends() {
    let (client, permits) = limited(|_| Some(response(200, "data: 1\n\ndata: 2\n\n".into())));
    let events = || -> Events<Value> {
        internal::events::<_, Json>(get(&client, "7"), (&[200], "text/event-stream"))
    };
    let next = |events: &mut Events<Value>| {
        events.try_next().now_or_never().expect("it has a permit").unwrap().is_some()
    };
    let mut whole = events();
    assert!(next(&mut whole) && permits.available_permits() == 0);
    assert!(next(&mut whole) && !next(&mut whole));
    assert_eq!(permits.available_permits(), 1);
    let mut dropped = events();
    assert!(next(&mut dropped) && permits.available_permits() == 0);
    drop(dropped);
    assert_eq!(permits.available_permits(), 1);
}
