//! Any tower service as a transport.

use std::future::{Ready, pending, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use openapi_bindings_runtime::reqwest::client_builder;
use openapi_bindings_runtime::{
    Body, BoxError, BoxFuture, Client, ClientBuilder, Error, ErrorKind, RequestBody,
    ReqwestTransport, TowerTransport, Transport, TransportError, http,
};
use tower_service::Service;

use crate::support::api::{SERVICE, create};
use crate::support::clock::TestClock;
use crate::support::server::Server;
use crate::support::{client, timed};

#[derive(Clone)]
struct Echo;

impl Service<http::Request<RequestBody>> for Echo {
    type Response = http::Response<Body>;
    type Error = TransportError;
    type Future = Ready<Result<http::Response<Body>, TransportError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<RequestBody>) -> Self::Future {
        ready(match request.uri().host() {
            Some("echo.example") => Ok(http::Response::new(Body::from(request.into_body()))),
            _ => Err(TransportError::connect("no such host").lasting()),
        })
    }
}

#[tokio::test]
async fn requests_go_through_the_service() {
    let client = |url| {
        ClientBuilder::<Client>::new(&SERVICE, url)
            .transport(TowerTransport::new(Echo))
            .build()
            .unwrap()
    };
    assert_eq!(create(&client("https://echo.example")).await.unwrap()["name"], "Rex");
    let error = create(&client("https://other.example")).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Connect, 1));
    assert!(error.to_string().contains("failed to connect: no such host"), "{error}");
}

/// Sends requests to a server, and in some of them, counted from 0, waits or fails instead.
#[derive(Clone)]
struct Queue {
    transport: ReqwestTransport,
    clock: TestClock,
    /// What `poll_ready` does with a request.
    ready: fn(usize) -> Poll<Result<(), BoxError>>,
    /// Whether the service holds a request that it has.
    holds: bool,
    requests: Arc<AtomicUsize>,
}

impl Service<http::Request<RequestBody>> for Queue {
    type Response = http::Response<Body>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<http::Response<Body>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        let ready = (self.ready)(self.requests.fetch_add(1, Ordering::Relaxed));
        if ready.is_pending() {
            self.clock.ring();
        }
        ready
    }

    fn call(&mut self, request: http::Request<RequestBody>) -> Self::Future {
        let Self { transport, clock, holds, .. } = self.clone();
        Box::pin(async move {
            if holds {
                clock.ring();
                return pending().await;
            }
            Ok(transport.send(request).await?)
        })
    }
}

/// Makes a POST, and returns its outcome and the number of requests that the server received.
async fn queued(
    ready: fn(usize) -> Poll<Result<(), BoxError>>,
    holds: bool,
) -> (Result<u32, Error>, usize) {
    let (server, clock) = (Server::json("{}"), TestClock::new());
    let transport = ReqwestTransport::without_redirects(client_builder().unwrap().build().unwrap());
    let requests = Arc::default();
    let queue = Queue { transport, clock: clock.clone(), ready, holds, requests };
    let builder = timed(client(server.url()), &clock).transport(TowerTransport::new(queue));
    let reply = create(&builder.build().unwrap()).send_raw().await;
    (reply.map(|reply| reply.attempts()), server.seen().len())
}

#[tokio::test]
async fn a_service_that_is_not_ready_sends_nothing() {
    let late = |number| if number < 2 { Poll::Pending } else { Poll::Ready(Ok(())) };
    let (attempts, requests) = queued(late, false).await;
    assert_eq!((attempts.unwrap(), requests), (3, 1));
    let (attempts, _) = queued(|_| Poll::Pending, false).await;
    let error = attempts.unwrap_err();
    let end = "the transport did not begin to send within 100s; nothing was sent";
    assert!(error.is_timeout() && error.attempts() == 4, "{error:?}");
    assert!(error.to_string().ends_with(end), "{error}");

    let refuses = |number| Poll::Ready(if number < 2 { Err("overload".into()) } else { Ok(()) });
    let (attempts, requests) = queued(refuses, false).await;
    assert_eq!((attempts.unwrap(), requests), (3, 1));
}

#[tokio::test]
async fn a_service_that_has_the_request_may_have_sent_it() {
    let (attempts, _) = queued(|_| Poll::Ready(Ok(())), true).await;
    let error = attempts.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 1));
    assert!(error.to_string().ends_with("no response within 100s"), "{error}");
}
