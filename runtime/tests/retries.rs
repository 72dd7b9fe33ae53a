//! Retries, and the pauses before them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use openapi_bindings_runtime::{Backoff, Client, ErrorKind, Retry, RetryBudget, RetryPolicy};

use crate::support::FirstScheme as _;
use crate::support::api::{OrderPet, create, get, request};
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

/// The reset of a limit is a pause, also with 403, which is a refusal otherwise.
#[tokio::test]
async fn resets_of_limits_are_waited_for() {
    for (status, headers, least) in [
        (429, &[("x-rate-limit-reset", "1767225607")][..], 7),
        (403, &[("x-ratelimit-reset", "1767225607"), ("x-ratelimit-remaining", "0")], 7),
        (403, &[("retry-after", "8"), ("x-ratelimit-reset", "1767225607")], 8),
        (403, &[("ratelimit", "\"default\";r=0;t=9")], 9),
    ] {
        let clock = TestClock::new();
        let server =
            Server::new(
                move |number, _| {
                    if number == 0 { response(status, headers, "") } else { json(200, "{}") }
                },
            );
        create(&on(&clock, &server)).await.unwrap();
        let [pause] = clock.pauses()[..] else { panic!("{:?}", clock.pauses()) };
        let least = Duration::from_secs(least);
        assert!(pause >= least && pause < least + Duration::from_secs(1), "{headers:?}: {pause:?}");
    }
    for (status, headers, is_limit) in [
        (403, &[("x-ratelimit-reset", "1767229200"), ("x-ratelimit-remaining", "0")][..], true),
        (403, &[("x-ratelimit-reset", "1767229200"), ("x-ratelimit-remaining", "59")], false),
        (403, &[], false),
        (404, &[("x-ratelimit-reset", "1767229200")], false),
    ] {
        let clock = TestClock::new();
        let server = Server::new(move |_, _| response(status, headers, ""));
        let error = get(&on(&clock, &server), "7").await.unwrap_err();
        assert_eq!((error.attempts(), clock.pauses().len()), (1, 0), "{headers:?}");
        assert_eq!((error.is_rate_limited(), error.is_retryable()), (is_limit, is_limit));
        assert_eq!(error.is_auth(), status == 403 && !is_limit);
        let wait = is_limit.then_some(Duration::from_secs(3_600));
        assert_eq!(error.retry_after(), wait, "{headers:?}");
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
        .with_rule(|failed| failed.operation.id == "pets.create" && failed.error.is_retryable());
    create(&client).with_retry(own).await.unwrap_err();
    assert_eq!(count(2), 4);
}

#[tokio::test]
async fn a_rule_sees_the_error_of_the_server() {
    let clock = TestClock::new();
    let server = Server::new(|number, _| match number {
        0 => response(409, &[("x-lock", "other")], r#"{"code":"LOCKED"}"#),
        _ => response(409, &[], r#"{"code":"EXISTS"}"#),
    });
    let policy = RetryPolicy::standard().with_rule(|failed| {
        assert_eq!(failed.error.operation().map(|it| it.id), Some("pets.create"));
        let is_locked = failed.error.code().is_some_and(|code| code == "LOCKED");
        assert_eq!(failed.error.headers().contains_key("x-lock"), is_locked);
        assert_eq!(failed.error.attempts(), failed.attempts);
        failed.is_retryable() || is_locked
    });
    let error = create(&on(&clock, &server)).with_retry(policy).await.unwrap_err();
    assert_eq!((error.code(), error.attempts()), (Some("EXISTS".into()), 2));
}

#[tokio::test]
async fn a_rule_says_when_to_try_again() {
    for (pause, attempts) in [(5, 4), (60, 4), (61, 1)] {
        let clock = TestClock::new();
        let server = Server::new(|_, _| response(503, &[("retry-after", "9")], ""));
        let pause = Duration::from_secs(pause);
        let policy = RetryPolicy::standard().with_rule(move |_| Retry::After(pause));
        let error = create(&on(&clock, &server)).with_retry(policy).await.unwrap_err();
        assert_eq!((error.attempts(), clock.pauses().len()), (attempts, attempts as usize - 1));
        let last = pause + Duration::from_secs(2);
        assert!(clock.pauses().iter().all(|it| (pause..last).contains(it)), "{:?}", clock.pauses());
        let shown = error.to_string();
        assert_eq!(shown.contains("its rule asks for a longer pause"), attempts == 1, "{shown}");
    }
}

#[tokio::test]
async fn a_rule_sees_the_call_of_missing_credentials() {
    let clock = TestClock::new();
    let server = Server::new(|number, seen| match (number, &*seen.target) {
        (0, _) => json(200, r#"{"access_token":"1","expires_in":3600}"#),
        (_, "/token") => json(503, "{}"),
        _ => json(401, "{}"),
    });
    let seen = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&seen);
    let policy = RetryPolicy::standard().with_rule(move |failed| {
        count.fetch_add(1, Ordering::Relaxed);
        assert_eq!(failed.error.operation().map(|it| it.id), Some("pets.create"));
        assert_eq!(failed.error.attempts(), failed.attempts);
        failed.is_retryable()
    });
    let builder = client(server.url()).client_credentials("/token", "me", "hunter2");
    let client = timed(builder, &clock).build().unwrap();
    let error = create(&client).with_retry(policy).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Auth, 4));
    assert_eq!(seen.load(Ordering::Relaxed), 3);
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

#[tokio::test]
async fn the_budget_is_set_read_and_shared() {
    let clock = TestClock::new();
    let server = Server::new(|number, _| json(if number < 4 { 503 } else { 200 }, "{}"));
    let budget = RetryBudget::new(2, 2);
    let [one, other] = [(); 2].map(|()| {
        let builder = client(server.url()).retry_budget(budget.clone());
        timed(builder, &clock).build().unwrap()
    });
    assert_eq!(get(&one, "7").await.unwrap_err().attempts(), 3);
    assert_eq!(budget.retries_left(), 0);
    assert_eq!(get(&other, "7").await.unwrap_err().attempts(), 1);
    for left in [0, 1, 1, 2, 2] {
        get(&other, "7").await.unwrap();
        assert_eq!(budget.retries_left(), left);
    }
}

#[tokio::test]
async fn all_attempts_of_a_call_have_one_idempotency_key() {
    let clock = TestClock::new();
    let server = Server::new(|number, _| match number % 3 {
        0 => json(500, "{}"),
        1 => response(307, &[("location", "/elsewhere")], ""),
        _ => json(200, "{}"),
    });
    let client = on(&clock, &server);
    let key = |number: usize| server.seen()[number].headers["idempotency-key"].clone();

    let order = request::<OrderPet>(&client, None);
    let error = order.clone().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Redirect, 2));
    assert_eq!(key(0), key(1), "a POST that may have been executed is retried, with its key");
    order.await.unwrap();
    assert_ne!(key(2), key(0), "a clone of the request is another call");

    let own = request::<OrderPet>(&client, None).with_header("Idempotency-Key", "order-7");
    own.await.unwrap_err();
    assert_eq!((key(3).as_str(), key(4).as_str()), ("order-7", "order-7"));
    server.seen().iter().for_each(|seen| assert_eq!(seen.method, "POST"));
}

#[tokio::test]
async fn only_described_keys_that_are_not_empty_allow_retries() {
    let clock = TestClock::new();
    let server = Server::new(|_, _| json(500, "{}"));
    let client = on(&clock, &server);
    let undescribed = create(&client).with_header("Idempotency-Key", "1").await.unwrap_err();
    assert_eq!(undescribed.attempts(), 1);
    let empty = request::<OrderPet>(&client, None).with_header("Idempotency-Key", "");
    assert_eq!(empty.await.unwrap_err().attempts(), 1);
    assert!(server.seen()[0].headers.contains_key("idempotency-key"));
}
