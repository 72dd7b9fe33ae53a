//! Attempts that time out before their request is sent.

use std::convert::Infallible;
use std::future::pending;
use std::io::Read as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Instant;

use futures_util::stream;
use openapi_bindings_runtime::reqwest::client_builder;
use openapi_bindings_runtime::{
    Attempt, Body, BoxError, BoxFuture, Bytes, Client, Error, ErrorKind, Interceptor, RequestBody,
    ReqwestTransport, RetryPolicy, SendProgress, Transport, TransportError, Upload, http,
};

use crate::bodies::PutUpload;
use crate::support::api::{create, get, request};
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{Act, Server, Silence, json, listen, response, unused_port};
use crate::support::{client, timed};

/// The default transport, which counts the timeouts that it is told.
struct Told(ReqwestTransport, Arc<AtomicUsize>);

impl Transport for Told {
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        self.0.send(request)
    }

    fn send_observed<'a>(
        &'a self,
        request: http::Request<RequestBody>,
        progress: &'a SendProgress,
    ) -> BoxFuture<'a, Result<http::Response<Body>, TransportError>> {
        self.0.send_observed(request, progress)
    }

    fn timed_out(&self, begun: Instant) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.timed_out(begun);
    }
}

/// Sends each request to a closed port, and then to its server, whose progress is reported by the default transport, or else
/// by a function.
struct Twice(ReqwestTransport, Option<fn(&SendProgress)>);

impl Transport for Twice {
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        self.0.send(request)
    }

    fn send_observed<'a>(
        &'a self,
        request: http::Request<RequestBody>,
        progress: &'a SendProgress,
    ) -> BoxFuture<'a, Result<http::Response<Body>, TransportError>> {
        Box::pin(async move {
            let (mut head, body) = request.into_parts();
            let again = http::Request::from_parts(head.clone(), body.clone());
            head.uri = unused_port().parse().unwrap();
            let request = http::Request::from_parts(head, body);
            self.0.send_observed(request, progress).await.unwrap_err();
            match self.1 {
                None => self.0.send_observed(again, progress).await,
                Some(begin) => {
                    begin(progress);
                    self.0.send(again).await
                }
            }
        })
    }
}

/// Holds some requests, counted from 1, until their attempt times out, and takes the failures.
#[derive(Clone)]
struct Holds(Arc<Inner>);

struct Inner {
    clock: TestClock,
    held: fn(usize) -> bool,
    requests: AtomicUsize,
    failures: Mutex<Vec<String>>,
}

impl Interceptor for Holds {
    fn before<'a>(
        &'a self,
        _: &'a Attempt,
        _: &'a mut http::Request<RequestBody>,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(async move {
            if (self.0.held)(self.0.requests.fetch_add(1, Ordering::Relaxed) + 1) {
                self.0.clock.ring();
                pending::<()>().await;
            }
            Ok(())
        })
    }

    fn failed(&self, _: &Attempt, error: &Error) {
        self.0.failures.lock().unwrap().push(error.to_string());
    }
}

fn transport() -> ReqwestTransport {
    ReqwestTransport::without_redirects(client_builder().unwrap().build().unwrap())
}

/// A client whose timeouts a test ends, and what it does.
struct Fixture {
    client: Client,
    clock: TestClock,
    timeouts: Arc<AtomicUsize>,
    failures: Holds,
    /// Whether the server may have acted on the request, of each attempt.
    sent: Arc<Mutex<Vec<bool>>>,
}

impl Fixture {
    fn new(server: &Server, held: fn(usize) -> bool) -> Self {
        let (clock, timeouts) = (TestClock::new(), Arc::<AtomicUsize>::default());
        Self::over(server.url(), clock, timeouts, held)
    }

    fn over(
        url: String,
        clock: TestClock,
        timeouts: Arc<AtomicUsize>,
        held: fn(usize) -> bool,
    ) -> Self {
        let sent = Arc::<Mutex<Vec<_>>>::default();
        let all = Arc::clone(&sent);
        let policy = RetryPolicy::standard().with_rule(move |failed| {
            all.lock().unwrap().push(failed.sent);
            failed.is_retryable()
        });
        let (requests, failures) = (AtomicUsize::new(0), Mutex::default());
        let inner = Inner { clock: clock.clone(), held, requests, failures };
        let failures = Holds(Arc::new(inner));
        let builder = timed(client(url), &clock).interceptor(failures.clone());
        let builder = builder.transport(Told(transport(), Arc::clone(&timeouts))).retry(policy);
        Self { client: builder.build().unwrap(), clock, timeouts, failures, sent }
    }

    /// Checks what the transport, the retry rule and the interceptor were told.
    fn told(&self, timeouts: usize, sent: &[bool], failures: usize) {
        assert_eq!(self.timeouts.load(Ordering::Relaxed), timeouts);
        assert_eq!(*self.sent.lock().unwrap(), sent);
        let failed = self.failures.0.failures.lock().unwrap();
        assert_eq!(failed.len(), failures, "{failed:?}");
    }
}

#[tokio::test]
async fn an_attempt_that_an_interceptor_holds_is_retried_with_any_method() {
    let server = Server::json("{}");
    let fixture = Fixture::new(&server, |number| number <= 2);
    let reply = create(&fixture.client).send_raw().await.unwrap();
    assert_eq!((reply.attempts(), server.seen().len()), (3, 1));
    fixture.told(0, &[false, false], 2);
}

#[tokio::test]
async fn the_error_names_what_did_not_return() {
    let server = Server::json("{}");
    let fixture = Fixture::new(&server, |_| true);
    let error = create(&fixture.client).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 4));
    let end =
        "timed out after 4 attempts: an interceptor did not return within 100s; nothing was sent";
    assert!(error.to_string().ends_with(end), "{error}");
    assert_eq!(fixture.failures.0.failures.lock().unwrap().last(), Some(&error.to_string()));
    fixture.told(0, &[false; 3], 4);

    let error = create(&fixture.client).with_total_timeout(TIMER).await.unwrap_err();
    let end = "timed out: the call did not complete within 100s in total: \
               an interceptor did not return; nothing was sent \
               (not retried: the pause would exceed the total timeout)";
    assert!(error.to_string().ends_with(end), "{error}");
    fixture.told(0, &[false; 4], 5);
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn an_attempt_whose_body_is_not_read_sends_nothing() {
    let server = Server::json("{}");
    let fixture = Fixture::new(&server, |_| false);
    let clock = fixture.clock.clone();
    let silent = stream::poll_fn(move |_| {
        clock.ring();
        Poll::<Option<Result<Bytes, Infallible>>>::Pending
    });
    let upload = Upload::from_stream(silent).with_length(0);
    let error = request::<PutUpload>(&fixture.client, upload).await.unwrap_err();
    let end = "timed out: the length of the body was not determined within 100s; nothing was sent \
               (not retried: its body is a stream, which can be sent only once)";
    assert!(error.to_string().ends_with(end), "{error}");
    fixture.told(0, &[false], 0);
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_server_that_has_the_request_may_have_acted_on_it() {
    let (clock, timeouts) = (TestClock::new(), Arc::<AtomicUsize>::default());
    let rings = clock.clone();
    let server = Server::new(move |_, _| {
        let rings = rings.clone();
        let bell = move |event| {
            if event == Silence::Begins {
                rings.ring();
            }
        };
        Act::Stall(Vec::new(), Arc::new(bell))
    });
    let fixture = Fixture::over(server.url(), clock, timeouts, |_| false);
    let error = create(&fixture.client).await.unwrap_err();
    assert!(error.to_string().ends_with("timed out: no response within 100s"), "{error}");
    fixture.told(1, &[true], 1);
    let error = create(&fixture.client).with_total_timeout(TIMER).await.unwrap_err();
    let end = "timed out: the call did not complete within 100s in total: no response";
    assert!(error.to_string().ends_with(end), "{error}");
    fixture.told(2, &[true; 2], 2);
    for (begin, failures) in [(None, 3), (Some(SendProgress::begin as fn(&_)), 4)] {
        let twice = fixture.client.to_builder::<Client>().transport(Twice(transport(), begin));
        create(&twice.build().unwrap()).await.unwrap_err();
        fixture.told(2, &vec![true; failures], failures);
    }
}

/// A POST is incomplete without its body, which a connection reads once it is established.
#[tokio::test]
async fn an_attempt_without_a_connection_sends_nothing() {
    let (clock, timeouts) = (TestClock::new(), Arc::<AtomicUsize>::default());
    let rings = clock.clone();
    // The handshake of TLS does not end.
    let address = listen(0, move |mut stream| {
        stream.read_exact(&mut [0]).unwrap();
        rings.ring();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let url = format!("https://{}", address.unwrap());
    let fixture = Fixture::over(url, clock, timeouts, |_| false);
    let error = create(&fixture.client).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 4));
    let end = "timed out after 4 attempts: no connection was ready within 100s; nothing was sent";
    assert!(error.to_string().ends_with(end), "{error}");
    fixture.told(4, &[false; 3], 4);
}

/// The first request was sent, but no connection is silent.
#[tokio::test]
async fn an_interceptor_can_hold_an_attempt_after_a_redirect() {
    let server = Server::new(|_, seen| match &*seen.target {
        "/other" => json(200, "{}"),
        _ => response(302, &[("location", "/other")], ""),
    });
    let fixture = Fixture::new(&server, |number| number == 2);
    get(&fixture.client, "7").await.unwrap();
    fixture.told(0, &[true], 1);
    let failed = fixture.failures.0.failures.lock().unwrap();
    assert!(failed[0].ends_with("an interceptor did not return within 100s"), "{failed:?}");
}
