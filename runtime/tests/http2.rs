//! Connections of HTTP/2 that fall silent, end early or answer at length.

use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use openapi_bindings_runtime::{Backoff, Bytes, Client, ErrorKind, RetryPolicy};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::support::api::{create, get};
use crate::support::clock::{TIMER, TestClock};
use crate::support::http2::{Act, NO_ERROR, Server, answer, transport};
use crate::support::server::{Bell, Silence, bytes, unused_port};
use crate::support::tls::{Authority, tls};
use crate::support::{client, timed};

/// Starts a server of TLS, and returns its URL and its authority.
fn serve(
    script: impl Fn(usize) -> Vec<Act> + Send + Sync + 'static,
) -> (Server, String, Authority) {
    let authority = Authority::new();
    let server = Server::over(tls(authority.server(&[b"h2"])), script);
    let url = server.url().replace("http://127.0.0.1", "https://localhost");
    (server, url, authority)
}

fn rings(clock: &TestClock) -> Bell {
    let clock = clock.clone();
    Arc::new(move |event| {
        if event == Silence::Begins {
            clock.ring();
        }
    })
}

#[tokio::test]
async fn after_a_timeout_calls_and_retries_use_another_connection() {
    let clock = TestClock::new();
    let bell = rings(&clock);
    let (server, url, authority) = serve(move |number| match number {
        0 | 5 => vec![Act::Deaf(Arc::clone(&bell))],
        _ => answer("{}"),
    });
    let builder = timed(client(url), &clock).add_root_certificate(authority.pem());
    let client = builder.build().unwrap();
    let reply = get(&client, "7").send_raw().await.unwrap();
    assert_eq!((reply.attempts(), server.connections()), (2, 2));
    for _ in 0..3 {
        get(&client, "7").await.unwrap();
    }
    assert_eq!((server.seen(), server.connections()), (5, 2));
    let error = create(&client).await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
    create(&client).await.unwrap();
    assert_eq!((server.seen(), server.connections()), (7, 3));
}

/// Makes calls at once, every second one a POST, none of which fails.
async fn call_at_once(client: &Client, count: usize) {
    let mut calls = JoinSet::new();
    for number in 0..count {
        let client = client.clone();
        calls.spawn(async move {
            match number % 2 {
                0 => get(&client, "7").await,
                _ => create(&client).await,
            }
        });
    }
    for outcome in calls.join_all().await {
        outcome.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn first_calls_share_a_connection() {
    let (server, url, authority) = serve(|_| answer("{}"));
    let client = client(url).add_root_certificate(authority.pem()).build().unwrap();
    call_at_once(&client, 100).await;
    assert_eq!((server.seen(), server.connections()), (100, 1));
}

/// The calls that the old connection does not process, and those that begin after it, share the next one.
#[tokio::test(flavor = "multi_thread")]
async fn calls_share_the_connection_after_one_that_closes() {
    for closes_at in [0, 20, 150] {
        let (server, url, authority) = serve(move |number| {
            let mut acts = answer("{}");
            if number == closes_at {
                acts.insert(0, Act::GoAway { includes_this: true });
            }
            acts
        });
        let builder = client(url).timeout(Duration::from_secs(10));
        let client = builder.add_root_certificate(authority.pem()).build().unwrap();
        for burst in 0..2 {
            call_at_once(&client, 300).await;
            let connections = server.connections();
            // A request that waits for a second opens its own, and so does one after a timeout.
            assert!((2..6).contains(&connections), "{connections} in burst {burst}");
        }
    }
}

#[tokio::test]
async fn a_first_connection_that_fails_holds_nobody() {
    let url = unused_port().replace("http://127.0.0.1", "https://localhost");
    let client = client(url).retry(RetryPolicy::never()).build().unwrap();
    let mut calls = JoinSet::new();
    for _ in 0..20 {
        let client = client.clone();
        calls.spawn(async move { get(&client, "7").await.unwrap_err() });
    }
    for error in calls.join_all().await {
        assert!(error.is_connect(), "{error}");
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_as_the_first_one_holds_nobody() {
    // The first connection answers no handshake.
    let (authority, number) = (Authority::new(), AtomicUsize::new(0));
    let open = tls(authority.server(&[b"http/1.1"]));
    let (sender, mut opened) = tokio::sync::mpsc::unbounded_channel();
    let address = crate::support::server::listen(0, move |mut socket| {
        sender.send(()).unwrap();
        if number.fetch_add(1, Ordering::Relaxed) == 0 {
            let _ = std::io::copy(&mut socket, &mut std::io::sink());
            return;
        }
        let mut connection = open(socket);
        let _ = connection.read(&mut [0; 4096]);
        let _ = connection.write_all(&bytes(200, &[], "{}"));
    });
    let url = format!("https://localhost:{}", address.unwrap().port());
    let client = client(url).add_root_certificate(authority.pem()).build().unwrap();
    let (first, second) = (client.clone(), client);
    let first = tokio::spawn(async move { get(&first, "7").await });
    opened.recv().await.unwrap();
    let second = tokio::spawn(async move { get(&second, "7").await });
    first.abort();
    second.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_first_call_that_is_held_without_being_polled_holds_nobody_for_long() {
    let (server, url, authority) = serve(|_| answer("{}"));
    let client = client(url).add_root_certificate(authority.pem()).build().unwrap();
    let mut held = Box::pin(get(&client, "7").send());
    assert!(held.as_mut().now_or_never().is_none());
    let mut second = Box::pin(create(&client).send());
    assert!(second.as_mut().now_or_never().is_none());
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(2)).await;
    tokio::time::resume();
    second.await.unwrap();
    create(&client).await.unwrap();
    held.await.unwrap();
    assert_eq!(server.seen(), 3);
}

#[tokio::test]
async fn a_call_that_waits_for_the_first_connection_has_sent_nothing() {
    let (server, url, authority) = serve(|_| answer("{}"));
    let clock = TestClock::new();
    let builder = timed(client(url), &clock).add_root_certificate(authority.pem());
    let client = builder.retry(RetryPolicy::never()).build().unwrap();
    let mut held = Box::pin(get(&client, "7").with_timeout(TIMER * 9).send());
    assert!(held.as_mut().now_or_never().is_none());
    // The wait for the connection does not end.
    tokio::time::pause();
    let mut second = Box::pin(create(&client).send());
    assert!(second.as_mut().now_or_never().is_none());
    // The first timer is that of the call that is held.
    clock.ring();
    clock.ring();
    let error = second.await.unwrap_err();
    assert!(
        error.to_string().ends_with("did not begin to send within 100s; nothing was sent"),
        "{error}"
    );
    assert_eq!(server.seen(), 0);
}

#[tokio::test]
async fn calls_that_time_out_together_share_the_next_connection() {
    let clock = TestClock::new();
    let bell = rings(&clock);
    let (server, url, authority) = serve(move |number| match number {
        1 => vec![Act::Deaf(Arc::clone(&bell))],
        _ => answer("{}"),
    });
    let builder = timed(client(url), &clock).add_root_certificate(authority.pem());
    let client = builder.build().unwrap();
    get(&client, "7").await.unwrap();
    let mut calls = JoinSet::new();
    for _ in 0..5 {
        let client = client.clone();
        calls.spawn(async move { create(&client).await.unwrap_err() });
    }
    for error in calls.join_all().await {
        assert!(error.is_timeout(), "{error}");
    }
    assert_eq!((server.seen(), server.connections()), (6, 1));
    get(&client, "7").await.unwrap();
    get(&client, "7").await.unwrap();
    assert_eq!((server.seen(), server.connections()), (8, 2));
}

#[tokio::test]
async fn a_connection_that_answers_no_ping_is_closed() {
    let (server, url, authority) = serve(|number| match number {
        0 => vec![Act::Deaf(Arc::new(|_| {}))],
        _ => answer("{}"),
    });
    let at_once =
        RetryPolicy::standard().with_backoff(Backoff::new(Duration::ZERO, Duration::ZERO));
    let client = client(url)
        .add_root_certificate(authority.pem())
        .http2_keep_alive(Duration::from_millis(10), Duration::from_millis(500))
        .timeout(Duration::MAX)
        .total_timeout(Duration::MAX)
        .retry(at_once)
        .build()
        .unwrap();
    let reply = get(&client, "7").send_raw().await.unwrap();
    assert_eq!((reply.attempts(), server.connections()), (2, 2));
}

/// Times to come are sums, which end with the largest one.
#[tokio::test]
async fn no_time_is_too_long_for_pings() {
    let (_server, url, authority) = serve(|_| answer("{}"));
    let builder = client(url).http2_keep_alive(Duration::MAX, Duration::MAX);
    let client = builder.add_root_certificate(authority.pem()).build().unwrap();
    assert_eq!(get(&client, "7").send_raw().await.unwrap().attempts(), 1);
}

fn header(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}

#[tokio::test]
async fn a_body_that_is_reset_before_its_length_is_not_whole() {
    let server = Server::new(|_| {
        let head = Act::Headers(vec![header("content-length", "7")]);
        vec![head, Act::Part("{}"), Act::Reset(NO_ERROR)]
    });
    let client = client(server.url()).transport(transport()).retry(RetryPolicy::never());
    let client = client.build().unwrap();
    for error in [get(&client, "7").await.unwrap_err(), create(&client).await.unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Interrupted);
        assert!(error.to_string().contains("5 bytes shorter than its `Content-Length`"), "{error}");
    }
}

/// Returns headers of this size in kB.
fn large(kilobytes: usize) -> Vec<(String, String)> {
    (0..kilobytes).map(|number| (format!("x-{number}"), "a".repeat(960))).collect()
}

#[tokio::test]
async fn headers_of_responses_have_a_limit() {
    let (server, url, authority) = serve(|number| {
        let size = [60, 90, 90, 400, 400, 90, 400][number];
        vec![Act::Headers(large(size)), Act::End("{}")]
    });
    let builder = || client(&url).add_root_certificate(authority.pem());
    let default = builder().build().unwrap();
    get(&default, "7").await.unwrap();
    for number in 0..4 {
        let outcome =
            if number % 2 == 0 { get(&default, "7").await } else { create(&default).await };
        let error = outcome.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Interrupted, 1), "{error}");
        assert!(error.to_string().contains("`http2_max_header_bytes`"), "{error}");
    }
    let roomy = builder().http2_max_header_bytes(128 << 10).build().unwrap();
    get(&roomy, "7").await.unwrap();
    let error = get(&roomy, "7").await.unwrap_err();
    assert!(error.to_string().contains("`http2_max_header_bytes`"), "{error}");
    assert_eq!(server.seen(), 7);
}

#[tokio::test]
async fn an_invalid_response_is_not_the_fault_of_other_calls() {
    let (sender, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let bell: Bell = Arc::new(move |event| sender.send(event).unwrap_or_default());
    let (server, url, authority) = serve(move |number| match number {
        0 => vec![Act::Silence(Arc::clone(&bell))],
        1 => vec![Act::Headers(large(400)), Act::End("{}")],
        _ => answer("{}"),
    });
    let builder = timed(client(url), &TestClock::new()).add_root_certificate(authority.pem());
    let client = builder.build().unwrap();
    let other = client.clone();
    let other = tokio::spawn(async move { get(&other, "7").send_raw().await });
    assert_eq!(begins.recv().await, Some(Silence::Begins));
    assert_eq!(create(&client).await.unwrap_err().kind(), ErrorKind::Interrupted);
    assert_eq!(other.await.unwrap().unwrap().attempts(), 2);
    assert_eq!((server.seen(), server.connections()), (3, 2));
}

/// Serves connections by a function of their numbers.
async fn listen<F>(serve: impl Fn(usize, TcpStream) -> F + Send + 'static) -> String
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for number in 0.. {
            let (socket, _) = listener.accept().await.unwrap();
            tokio::spawn(serve(number, socket));
        }
    });
    url
}

/// Serves a connection, and begins to close it at the fifth request, if it is the first one.
async fn closing(number: usize, socket: TcpStream, processed: Arc<Mutex<Vec<usize>>>) {
    let mut builder = h2::server::Builder::new();
    builder.max_concurrent_streams(20);
    let mut connection = builder.handshake::<_, Bytes>(socket).await.unwrap();
    let mut accepted = 0;
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        accepted += 1;
        if number == 0 && accepted == 5 {
            connection.graceful_shutdown();
        }
        let processed = Arc::clone(&processed);
        tokio::spawn(async move {
            let call = request.headers()["x-call"].to_str().unwrap().parse().unwrap();
            let mut body = request.into_body();
            while let Some(chunk) = body.data().await {
                let Ok(chunk) = chunk else { return };
                body.flow_control().release_capacity(chunk.len()).unwrap();
            }
            processed.lock().unwrap().push(call);
            let mut stream = respond.send_response(http::Response::new(()), false).unwrap();
            stream.send_data(Bytes::from_static(b"{}"), true).unwrap();
        });
    }
}

#[tokio::test]
async fn calls_that_a_closing_connection_does_not_process_are_sent_again() {
    const CALLS: usize = 250;
    for _ in 0..5 {
        let processed = Arc::<Mutex<Vec<usize>>>::default();
        let all = Arc::clone(&processed);
        let url = listen(move |number, socket| closing(number, socket, Arc::clone(&all))).await;
        let clock = TestClock::new();
        let client = timed(client(url), &clock).transport(transport()).build().unwrap();
        let mut calls = JoinSet::new();
        for call in 0..CALLS {
            let client = client.clone();
            calls.spawn(async move {
                create(&client).with_header("x-call", call.to_string()).await.map(drop)
            });
        }
        for outcome in calls.join_all().await {
            outcome.unwrap();
        }
        let mut processed = processed.lock().unwrap().clone();
        processed.sort_unstable();
        assert_eq!(processed, (0..CALLS).collect::<Vec<_>>());
    }
}
