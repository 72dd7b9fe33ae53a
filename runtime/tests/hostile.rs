//! Servers that do what no server should, calls that are dropped anywhere, and runtimes that end.

use std::future::poll_fn;
use std::io::{Read as _, Write as _};
use std::pin::pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

use openapi_bindings_runtime::{
    BoxFuture, Client, Clock, ErrorKind, RetryPolicy, SystemClock, jiff,
};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::support::FirstScheme as _;
use crate::support::api::{create, get};
use crate::support::clock::TestClock;
use crate::support::server::{Act, Seen, Server, json, listen, response};
use crate::support::{client, timed};

/// Polls a future so often, and returns whether it has ended.
async fn polled(future: impl Future, times: usize) -> bool {
    let (mut future, mut left) = (pin!(future), times);
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        match future.as_mut().poll(context) {
            Poll::Ready(_) => Poll::Ready(true),
            Poll::Pending if left == 0 => Poll::Ready(false),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// Answers a call with everything that makes the runtime go on.
fn detour(number: usize, seen: &Seen) -> Act {
    match (number, &*seen.target) {
        (_, "/token") => json(200, &format!(r#"{{"access_token":"t{number}","expires_in":3600}}"#)),
        (1, _) => json(401, "{}"),
        (3, _) => response(503, &[("retry-after", "0")], "{}"),
        (4, _) => response(302, &[("location", "/moved")], ""),
        _ => json(200, "{}"),
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_anywhere_holds_up_no_other() {
    let mut has_ended = false;
    let mut polls = 0;
    while !has_ended {
        let server = Server::new(detour);
        let builder = timed(client(server.url()), &TestClock::new());
        let client = builder.client_credentials("/token", "me", "cl1ent-s3cr3t").build().unwrap();
        has_ended = polled(get(&client, "7").send(), polls).await;
        let next = timeout(Duration::from_secs(60), get(&client, "7").send()).await;
        next.unwrap_or_else(|_| panic!("no call ends after {polls} polls of another")).unwrap();
        polls += 1;
    }
    assert!(polls > 5, "{polls}");
}

#[tokio::test]
async fn endless_informational_responses_end_with_the_timeout() {
    let clock = TestClock::new();
    let rings = clock.clone();
    let address = listen(0, move |mut stream| {
        let _ = stream.read(&mut [0; 1024]);
        let hints = b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(100);
        let mut sent = 0;
        while stream.write_all(&hints).is_ok() {
            sent += 1;
            if sent == 1000 {
                rings.ring();
            }
        }
    });
    let builder = timed(client(format!("http://{}", address.unwrap())), &clock);
    let client = builder.retry(RetryPolicy::never()).build().unwrap();
    assert_eq!(create(&client).await.unwrap_err().kind(), ErrorKind::Timeout);
}

/// What follows `HTTP/1.1 ` in a response, and the outcome of a GET: only if bytes are missing, it is sent again.
const RESPONSES: [(&[u8], &str); 30] = [
    (b"200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}", "Interrupted"),
    (b"200 OK\r\ncontent-length: 2, 2\r\n\r\n{}", "good"),
    (b"200 OK\r\ncontent-length: -2\r\n\r\n{}", "Interrupted"),
    (b"200 OK\r\ncontent-length: 99999999999999999999\r\n\r\n{}", "Interrupted"),
    (b"200 OK\r\ncontent-length: 18446744073709551615\r\n\r\n{}", "Interrupted"),
    (
        b"200 OK\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "Interrupted, sent again",
    ),
    (b"200 OK\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}", "Interrupted"),
    (b"200 OK\r\ntransfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n", "Interrupted"),
    (b"200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx: \xff\r\n\r\n", "good"),
    (
        b"200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx: y\r\n",
        "Interrupted, sent again",
    ),
    (b"200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n", "good"),
    (b"200 OK\r\ntransfer-encoding: gzip\r\n\r\n{}", "good"),
    (b"200 OK\r\ncontent-type: \xff\r\ncontent-length: 2\r\n\r\n{}", "good"),
    (b"200 OK\r\ncontent-encoding: \xff\r\ncontent-length: 2\r\n\r\n{}", "good"),
    (b"200 OK\r\nbad header\r\ncontent-length: 2\r\n\r\n{}", "Interrupted"),
    (b"200 OK\r\n folded: x\r\ncontent-length: 2\r\n\r\n{}", "Interrupted"),
    (b"200\r\ncontent-length: 2\r\n\r\n{}", "good"),
    (b"200 \xff\xfe\r\ncontent-length: 2\r\n\r\n{}", "good"),
    (b"999 No\r\ncontent-length: 2\r\n\r\n{}", "Status 999"),
    (b"600 No\r\ncontent-length: 0\r\n\r\n", "Status 600"),
    (b"099 No\r\ncontent-length: 2\r\n\r\n{}", "Interrupted"),
    (b"000 No\r\ncontent-length: 2\r\n\r\n{}", "Interrupted"),
    (b"101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n{}", "Status 101"),
    (b"100 Continue\r\n\r\n", "Interrupted, sent again"),
    (b"302 Found\r\nlocation: \xff\r\ncontent-length: 0\r\n\r\n", "Redirect 302"),
    (b"302 Found\r\nlocation: //[::1\r\ncontent-length: 0\r\n\r\n", "Redirect 302"),
    (b"302 Found\r\ncontent-length: 0\r\n\r\n", "Redirect 302"),
    (b"302 Found\r\nlocation: javascript:alert(1)\r\ncontent-length: 0\r\n\r\n", "Redirect 302"),
    (b"400 No\r\nx-request-id: \xff\r\ncontent-length: 1\r\n\r\n\xff", "Status 400"),
    (
        b"400 No\r\ncontent-type: application/problem+json\r\ncontent-length: 4\r\n\r\nnull",
        "Status 400",
    ),
];

#[tokio::test]
async fn invalid_responses_are_errors_and_are_shown() {
    let mut others = Vec::new();
    for (rest, expected) in RESPONSES {
        let server = Server::new(move |_, _| Act::Close([b"HTTP/1.1 ".as_slice(), rest].concat()));
        let builder = timed(client(server.url()), &TestClock::new());
        let client = builder.build().unwrap();
        let outcome = match get(&client, "7").await {
            Ok(_) => "good".to_owned(),
            Err(error) => {
                assert!(error.to_string().len() < 300, "{error}");
                let status = error.status().map(|status| format!(" {status}"));
                let is_known = matches!(error.kind(), ErrorKind::Status | ErrorKind::Redirect);
                let status = status.filter(|_| is_known).unwrap_or_default();
                let again = if error.is_retryable() { ", sent again" } else { "" };
                assert_eq!(error.attempts(), if error.is_retryable() { 4 } else { 1 });
                format!("{:?}{status}{again}", error.kind())
            }
        };
        if outcome != expected {
            others.push(format!("{}: {outcome}", rest.escape_ascii()));
        }
        // A connection that is closed can lose an attempt.
        assert_eq!(server.seen().len() > 1, outcome.ends_with("again"), "{outcome}");
    }
    assert!(others.is_empty(), "{others:#?}");
}

#[tokio::test]
async fn a_storm_of_refusals_ends_whatever_pause_it_asks_for() {
    for (pause, attempts) in [
        ("0", 4),
        ("-1", 4),
        ("1e9", 4),
        ("soon", 4),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 4),
        ("61", 1),
        ("99999999999999999999999999", 1),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 1),
    ] {
        for status in [429, 503] {
            let server = Server::new(move |_, _| response(status, &[("retry-after", pause)], ""));
            let client = timed(client(server.url()), &TestClock::new()).build().unwrap();
            let error = get(&client, "7").await.unwrap_err();
            assert_eq!((error.status(), error.attempts()), (Some(status), attempts), "{pause}");
        }
    }
}

/// Changes, removes and repeats some bytes.
fn mutated(text: &str, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.usize(1..4) {
        let at = random.usize(..bytes.len());
        match random.u8(..4) {
            0 => bytes[at] = random.u8(..),
            1 => bytes[at] ^= 1 << random.u8(..8),
            2 => drop(bytes.remove(at)),
            _ => bytes.splice(at..at, bytes[at / 2..at].to_vec()).for_each(drop),
        }
    }
    bytes
}

#[tokio::test]
async fn mutated_responses_end_every_call() {
    const OF_CALLS: [&str; 3] = [
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n{\"a\":1}",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{\"a\r\n4\r\n\":1}\r\n0\r\nx: y\r\n\r\n",
        "HTTP/1.1 503 No\r\nretry-after: 1\r\nx-request-id: r\r\n\r\n{\"message\":\"later\"}",
    ];
    const OF_TOKENS: &str = "HTTP/1.1 200 OK\r\ncontent-length: 42\r\n\r\n\
                             {\"access_token\":\"t0k3n\",\"expires_in\":3600}";
    let random = Mutex::new(fastrand::Rng::with_seed(7));
    let server = Server::new(move |number, seen| {
        let mut random = random.lock().unwrap();
        let text = if seen.target == "/token" { OF_TOKENS } else { OF_CALLS[number % 3] };
        let is_valid = random.bool();
        Act::Close(if is_valid { text.as_bytes().to_vec() } else { mutated(text, &mut random) })
    });
    let builder = || timed(client(server.url()), &TestClock::new());
    let (mut successes, mut failures) = (0, 0);
    for _ in 0..200 {
        let client = builder().client_credentials("/token", "me", "cl1ent-s3cr3t").build().unwrap();
        match get(&client, "7").await {
            Ok(_) => successes += 1,
            Err(error) => {
                assert!(!format!("{error} {error:?}").contains("t0k3n"), "{error}");
                failures += 1;
            }
        }
    }
    assert!(successes > 10 && failures > 10, "{successes} {failures}");
}

/// A clock that goes back an hour whenever it is read.
struct Backwards(Mutex<(Instant, jiff::Timestamp)>);

impl Backwards {
    const STEP: Duration = Duration::from_secs(3600);
}

impl Clock for Backwards {
    fn now(&self) -> Instant {
        let mut time = self.0.lock().unwrap();
        time.0 -= Self::STEP;
        time.0
    }

    fn wall(&self) -> jiff::Timestamp {
        let mut time = self.0.lock().unwrap();
        time.1 -= Self::STEP;
        time.1
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        SystemClock.sleep(duration)
    }

    fn random(&self) -> f64 {
        0.0
    }
}

#[tokio::test]
async fn a_clock_that_goes_back_ends_no_call() {
    let server = Server::new(detour);
    let start = (Instant::now() + Backwards::STEP * 10_000, jiff::Timestamp::now());
    let client = client(server.url())
        .client_credentials("/token", "me", "cl1ent-s3cr3t")
        .clock(Backwards(Mutex::new(start)))
        .build()
        .unwrap();
    for _ in 0..3 {
        get(&client, "7").await.unwrap();
    }
}

/// The time of the machine, which reports that a call waits.
struct Waits(Mutex<Sender<()>>);

impl Clock for Waits {
    fn now(&self) -> Instant {
        SystemClock.now()
    }

    fn wall(&self) -> jiff::Timestamp {
        SystemClock.wall()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let _ = self.0.lock().unwrap().send(());
        SystemClock.sleep(duration)
    }

    fn random(&self) -> f64 {
        SystemClock.random()
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// A client whose first request for a token is not answered, and what reports that it has begun.
fn unanswered() -> (Client, Receiver<()>, Receiver<()>) {
    let (begun, begins) = channel();
    let (waits, waiting) = channel();
    let begun = Mutex::new(begun);
    let server = Server::new(move |number, seen| match (number, &*seen.target) {
        (0, "/token") => {
            let begun = begun.lock().unwrap().clone();
            Act::Stall(Vec::new(), Arc::new(move |_| begun.send(()).unwrap_or_default()))
        }
        (_, "/token") => json(200, r#"{"access_token":"t","expires_in":3600}"#),
        _ => json(200, "{}"),
    });
    let client = client(server.url())
        .client_credentials("/token", "me", "cl1ent-s3cr3t")
        .clock(Waits(Mutex::new(waits)))
        .retry(RetryPolicy::never());
    (client.build().unwrap(), begins, waiting)
}

/// Returns a runtime in which a call has begun to obtain a token.
fn refreshing(client: &Client, begins: &Receiver<()>) -> Runtime {
    let runtime = runtime();
    let call = client.clone();
    runtime.spawn(async move { get(&call, "7").await.map(drop) });
    runtime.block_on(async {
        while begins.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
    });
    runtime
}

/// Each `#[tokio::test]` has a runtime of its own, which a static client outlives.
#[test]
fn a_refresh_of_a_runtime_that_has_ended_fails_no_call_of_another() {
    let (client, begins, _waiting) = unanswered();
    let first = refreshing(&client, &begins);
    drop(first);
    for _ in 0..10 {
        runtime().block_on(get(&client, "7").send()).unwrap();
    }
}

#[test]
fn a_runtime_that_ends_during_a_refresh_fails_no_call_of_another() {
    let (client, begins, waiting) = unanswered();
    let first = refreshing(&client, &begins);
    while waiting.try_recv().is_ok() {}
    let second = thread::spawn(move || runtime().block_on(get(&client, "7").send()));
    waiting.recv().unwrap();
    drop(first);
    second.join().unwrap().unwrap();
}
