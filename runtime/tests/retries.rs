//! Retries, and the pauses before them.

use std::time::Duration;

use openapi_bindings_runtime::{Backoff, Client, ErrorKind, RetryPolicy};

use crate::support::api::{create, get};
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{Server, json, response};
use crate::support::{client, timed};

/// Returns a client with a test clock.
fn on(clock: &TestClock, server: &Server) -> Client {
    timed(client(server.url()), clock).build().unwrap()
}

#[tokio::test]
async fn pauses_grow_within_their_bounds() {
    let clock = TestClock::new();
    let server = Server::new(|_, _| json(503, "{}"));
    let policy = RetryPolicy::standard()
        .with_max_attempts(6)
        .with_backoff(Backoff::new(Duration::from_millis(100), Duration::from_millis(800)));
    let error = get(&on(&clock, &server), "7").with_retry(policy).await.unwrap_err();
    assert_eq!(error.attempts(), 6);
    assert!(error.to_string().contains("HTTP 503 Service Unavailable after 6 attempts"), "{error}");
    let pauses = clock.pauses();
    assert_eq!(pauses.len(), 5);
    for (pause, longest) in pauses.iter().zip([100, 200, 400, 800, 800]) {
        assert!(*pause <= Duration::from_millis(longest), "{pauses:?}");
    }
}

#[tokio::test]
async fn retry_after_is_waited_for_in_both_forms() {
    for (header, least) in
        [("7", 7), ("Thu, 01 Jan 2026 00:00:42 GMT", 42), ("Wed, 31 Dec 2025 00:00:00 GMT", 0)]
    {
        let clock = TestClock::new();
        let server = Server::new(move |number, _| {
            if number == 0 {
                response(429, &[("retry-after", header)], "")
            } else {
                json(200, "{}")
            }
        });
        create(&on(&clock, &server)).await.unwrap();
        assert_eq!(server.seen().len(), 2);
        let [pause] = clock.pauses()[..] else { panic!("{:?}", clock.pauses()) };
        let least = Duration::from_secs(least);
        assert!(pause >= least && pause < least + Duration::from_secs(1), "{header}: {pause:?}");
    }
}

#[tokio::test]
async fn a_server_that_asks_for_too_long_a_wait_ends_the_call() {
    let clock = TestClock::new();
    let server = Server::new(|_, _| response(503, &[("retry-after", "3600")], ""));
    let error = get(&on(&clock, &server), "7").await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
    assert!(error.is_retryable());
    assert_eq!((error.attempts(), clock.pauses().len()), (1, 0));
    assert!(
        error.to_string().contains("not retried: the server asks for a longer pause"),
        "{error}"
    );
}

#[tokio::test]
async fn a_pause_that_the_total_time_does_not_allow_ends_the_call() {
    let clock = TestClock::new();
    let passing = clock.clone();
    let server = Server::new(move |_, _| {
        passing.pass(TIMER * 3);
        response(503, &[("retry-after", "50")], "")
    });
    let policy = RetryPolicy::standard().with_backoff(Backoff::new(Duration::ZERO, Duration::ZERO));
    let call = get(&on(&clock, &server), "7").with_retry(policy).with_total_timeout(TIMER * 10);
    let error = call.await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Status);
    assert_eq!(error.attempts(), 3, "three attempts and two pauses use up the time");
    assert!(error.to_string().contains("the pause would exceed the total timeout"), "{error}");
    assert_eq!(clock.pauses().len(), 2);
}

#[tokio::test]
async fn a_call_can_have_its_own_retry_policy() {
    let clock = TestClock::new();
    let server = Server::new(|_, _| json(500, "{}"));
    let client = on(&clock, &server);
    let count = |before: usize| server.seen().len() - before;

    get(&client, "7").with_retry(RetryPolicy::never()).await.unwrap_err();
    assert_eq!(count(0), 1);
    create(&client).await.unwrap_err();
    assert_eq!(count(1), 1);
    let own = RetryPolicy::standard()
        .with_rule(|failed| failed.operation == "pets.create" && failed.transient);
    create(&client).with_retry(own).await.unwrap_err();
    assert_eq!(count(2), 4);
}

#[tokio::test]
async fn an_outage_does_not_multiply_requests() {
    let clock = TestClock::new();
    let server = Server::new(|_, _| json(503, "{}"));
    let client = on(&clock, &server);
    for _ in 0..199 {
        get(&client, "7").await.unwrap_err();
    }
    let error = get(&client, "7").await.unwrap_err();
    assert!(error.to_string().contains("not retried: the retry budget"), "{error}");
    assert_eq!(server.seen().len(), 300, "200 calls, and the 100 retries of a full budget");
}
