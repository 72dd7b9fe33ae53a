//! Streams of events whose call is made again.

use std::time::Duration;

use openapi_bindings_runtime::internal::{self, Json};
use openapi_bindings_runtime::{ErrorKind, RetryBudget, Value};

use super::{all, events, open_ended, pet};
use crate::support::api::{create, get};
use crate::support::clock::TestClock;
use crate::support::server::{Act, Server, response};
use crate::support::{client, timed};

/// The call is made again with the last identifier, until the server has nothing more.
#[tokio::test]
async fn events_continue_after_a_new_connection() {
    let server = Server::new(|number, _| match number {
        0 => open_ended("text/event-stream", b"retry: 1\nid: a\ndata: 1\n\ndata: lost"),
        1 => open_ended("text/event-stream", b"data: 2\n\n"),
        _ => response(204, &[], ""),
    });
    let found = all(events(&server).reconnect()).await;
    assert_eq!(found, [Ok("1".to_owned()), Ok("2".to_owned())]);
    let ids = server.seen().into_iter().map(|seen| seen.headers.get("last-event-id").cloned());
    assert_eq!(ids.collect::<Vec<_>>(), [None, Some("a".to_owned()), Some("a".to_owned())]);
}

/// A server that is away for longer than a call is retried (WHATWG HTML, section 9.2.3).
#[tokio::test]
async fn events_continue_after_calls_that_failed() {
    let clock = TestClock::new();
    let server = Server::new(|number, _| match number {
        0 => open_ended("text/event-stream", b"retry: 200\nid: a\ndata: 1\n\n"),
        1..=8 => Act::Reset(Vec::new()),
        9 => response(503, &[("retry-after", "90")], "{}"),
        10 => open_ended("text/event-stream", b"data: 2\n\n"),
        _ => response(404, &[], "{}"),
    });
    let budget = RetryBudget::standard();
    let builder = timed(client(server.url()), &clock).retry_budget(budget.clone());
    let pet = get(&builder.build().unwrap(), "7");
    let events = internal::events::<_, Json>(pet, (&[200], "text/event-stream")).reconnect();
    let found = all(events).await;
    assert_eq!(found, [Ok("1".to_owned()), Ok("2".to_owned()), Err(ErrorKind::Status)]);
    assert_eq!(budget.retries_left(), 100, "the budget is left to other calls");
    let seen = server.seen();
    assert_eq!(seen.len(), 12);
    assert!(seen[1..].iter().all(|seen| seen.headers["last-event-id"] == "a"));
    let pauses = clock.pauses();
    let millis = |index: usize| pauses[index].as_millis();
    assert_eq!((millis(0), millis(9)), (200, 90_000));
    assert!((200..450).contains(&millis(1)) && (200..700).contains(&millis(2)), "{pauses:?}");
}

/// A server cannot ask for a pause that is longer than a minute.
#[tokio::test]
async fn the_pause_of_a_server_has_a_bound() {
    let retries = ["59999", "60001", "18446744073709551615", "99999999999999999999", "-1", "1e9"];
    for (retry, millis) in retries.into_iter().zip([59_999, 60_000, 60_000, 60_000, 3_000, 3_000]) {
        let clock = TestClock::new();
        let server = Server::new(move |number, _| match number {
            0 => open_ended("text/event-stream", format!("retry: {retry}\ndata: 1\n\n").as_bytes()),
            _ => response(204, &[], ""),
        });
        let client = timed(client(server.url()), &clock).build().unwrap();
        let events = internal::events::<_, Json>(get(&client, "7"), (&[200], "text/event-stream"));
        assert_eq!(all(events.reconnect()).await, [Ok("1".to_owned())]);
        assert_eq!(clock.pauses(), [Duration::from_millis(millis)], "{retry}");
    }
}

/// The pauses grow although each connection has an event, until one of them lasts for a second.
#[tokio::test]
async fn connections_that_end_at_once_are_followed_by_growing_pauses() {
    const CONNECTIONS: usize = 50;
    let clock = TestClock::new();
    let server = Server::new(|_, _| open_ended("text/event-stream", b"retry: 0\ndata: 1\n\n"));
    let client = timed(client(server.url()), &clock).build().unwrap();
    let events = internal::events::<Value, Json>(get(&client, "7"), (&[200], "text/event-stream"));
    let mut events = events.reconnect();
    for _ in 0..CONNECTIONS {
        events.try_next().await.unwrap().unwrap();
    }
    let pauses = clock.pauses();
    assert_eq!((pauses.len(), pauses[0]), (CONNECTIONS - 1, Duration::ZERO));
    let limits = (0..).map(|doublings| Duration::from_millis(250 << doublings.min(7)));
    for (pause, limit) in pauses[1..].iter().zip(limits) {
        assert!(*pause <= limit.min(Duration::from_secs(20)), "{pauses:?}");
    }
    // Each pause is a random part of its limit.
    assert!(pauses.iter().sum::<Duration>() > Duration::from_secs(60), "{pauses:?}");
    clock.pass(Duration::from_secs(1));
    events.try_next().await.unwrap().unwrap();
    assert_eq!(clock.pauses()[CONNECTIONS - 1], Duration::ZERO);
}

/// Many servers refuse larger headers.
#[tokio::test]
async fn an_identifier_that_is_too_long_is_not_sent() {
    for (length, is_sent) in [(4096, true), (4097, false), (1 << 20, false)] {
        let id = "a".repeat(length);
        let body = format!("retry: 0\nid: {id}\ndata: 1\n\n");
        let server = Server::new(move |number, _| match number {
            0 => open_ended("text/event-stream", body.as_bytes()),
            _ => response(204, &[], ""),
        });
        let mut events = events(&server).reconnect();
        assert_eq!(events.try_next().await.unwrap().unwrap().id, Some(id.clone()));
        assert!(events.try_next().await.unwrap().is_none());
        let sent = server.seen()[1].headers.get("last-event-id").cloned();
        assert_eq!(sent, Some(id).filter(|_| is_sent));
    }
}

/// A server that ends its connections at once is not called without a pause, although it asks for none.
#[tokio::test]
async fn a_connection_without_an_event_is_followed_by_a_pause() {
    let clock = TestClock::new();
    let server = Server::new(|number, _| match number {
        0 => open_ended("text/event-stream", b"retry: 0\ndata: 1\n\n"),
        1 => open_ended("text/event-stream", b": no event\n\n"),
        2 => open_ended("text/event-stream", b"data: 2\n\n"),
        _ => response(204, &[], ""),
    });
    let client = timed(client(server.url()), &clock).build().unwrap();
    let events =
        internal::events::<_, Json>(get(&client, "7"), (&[200], "text/event-stream")).reconnect();
    assert_eq!(all(events).await, [Ok("1".to_owned()), Ok("2".to_owned())]);
    let pauses = clock.pauses();
    assert_eq!(pauses.len(), 3);
    assert!(pauses[0].is_zero() && pauses[1] >= Duration::from_secs(3), "{pauses:?}");
}

/// The identifier of the caller is sent until the server sets or resets it.
#[tokio::test]
async fn an_identifier_that_was_reset_is_not_sent() {
    for (body, sent) in [("data: 1\n\n", Some("old")), ("id\ndata: 1\n\n", None)] {
        let server = Server::new(move |number, _| match number {
            0 => open_ended("text/event-stream", format!("retry: 0\n{body}").as_bytes()),
            _ => response(204, &[], ""),
        });
        let pet = pet(&server).with_header("last-event-id", "old");
        let events = internal::events::<_, Json>(pet, (&[200], "text/event-stream")).reconnect();
        assert_eq!(all(events).await, [Ok("1".to_owned())]);
        let ids = server.seen().into_iter().map(|seen| seen.headers.get("last-event-id").cloned());
        let expected = [Some("old"), sent].map(|id| id.map(str::to_owned));
        assert_eq!(ids.collect::<Vec<_>>(), expected);
    }
}

/// Without a first connection, nothing shows that there will be one.
#[tokio::test]
async fn a_first_call_that_fails_is_not_made_again() {
    let server = Server::new(|_, _| response(503, &[], "{}"));
    let clock = TestClock::new();
    let client = timed(client(server.url()), &clock).build().unwrap();
    let events =
        internal::events::<_, Json>(get(&client, "7"), (&[200], "text/event-stream")).reconnect();
    assert_eq!(all(events).await, [Err(ErrorKind::Status)]);
    assert_eq!(server.seen().len(), 4);
}

/// The identifier of an event that did not arrive whole does not count, and an empty one ends the last.
#[tokio::test]
async fn an_incomplete_event_is_requested_again() {
    let server = Server::new(|number, _| match number {
        0 => open_ended("text/event-stream", b"retry: 0\nid: a\ndata: 1\n\nid: b\ndata: 2\n"),
        1 => open_ended("text/event-stream", b"data: 2\n\nid\n\n"),
        _ => response(204, &[], ""),
    });
    let found = all(events(&server).reconnect()).await;
    assert_eq!(found, [Ok("1".to_owned()), Ok("2".to_owned())]);
    let ids = server.seen().into_iter().map(|seen| seen.headers.get("last-event-id").cloned());
    assert_eq!(ids.collect::<Vec<_>>(), [None, Some("a".to_owned()), None]);
}

/// Identifiers are any text (WHATWG HTML, section 9.2.4).
#[tokio::test]
async fn an_identifier_is_sent_in_utf_8() {
    let server = Server::new(|number, _| match number {
        0 => open_ended("text/event-stream", "retry: 0\nid: é\ndata: 1\n\n".as_bytes()),
        _ => response(204, &[], ""),
    });
    assert_eq!(all(events(&server).reconnect()).await, [Ok("1".to_owned())]);
    assert_eq!(server.seen()[1].headers["last-event-id"], "é");
}

/// HTTP cannot carry control characters (RFC 9110, section 5.5), and a null makes no identifier (WHATWG HTML, section
/// 9.2.6).
#[tokio::test]
async fn an_identifier_that_cannot_be_sent_does_not_end_the_stream() {
    for (id, sent) in [("b\u{1}", None), ("b\u{7f}", None), ("b\0", Some("a"))] {
        let server = Server::new(move |number, _| match number {
            0 => open_ended("text/event-stream", b"retry: 0\nid: a\ndata: 1\n\n"),
            1 => open_ended("text/event-stream", format!("id: {id}\ndata: 2\n\n").as_bytes()),
            2 => open_ended("text/event-stream", b"id: c\ndata: 3\n\n"),
            _ => response(204, &[], ""),
        });
        let found = all(events(&server).reconnect()).await;
        assert_eq!(found, ["1", "2", "3"].map(|data| Ok(data.to_owned())));
        let ids = server.seen().into_iter().map(|seen| seen.headers.get("last-event-id").cloned());
        let expected = [None, Some("a"), sent, Some("c")].map(|id| id.map(str::to_owned));
        assert_eq!(ids.collect::<Vec<_>>(), expected, "{id:?}");
    }
}

/// A POST is never made again.
#[tokio::test]
async fn only_reads_are_made_again() {
    let server = Server::new(|_, _| open_ended("text/event-stream", b"data: 1\n\n"));
    let request = create(&client(server.url()).build().unwrap());
    let events =
        internal::events::<Value, Json>(request, (&[200], "text/event-stream")).reconnect();
    assert_eq!(all(events).await, [Ok("1".to_owned())]);
    assert_eq!(server.seen().len(), 1);
}
