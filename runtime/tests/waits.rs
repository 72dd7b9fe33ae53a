//! Waits: replies to a request that is sent again and again, through faults and up to a deadline.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use openapi_bindings_runtime::internal::{self, SafeEndpoint, WaitEnd, WaitEndpoint};
use openapi_bindings_runtime::{
    Client, ErrorKind, Map, Polling, RetryBudget, RetryPolicy, UnknownProperties, Value, Waited,
    json as value,
};

use crate::models::Action;
use crate::support::api::{GetPet, Request, get, operation, request};
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{Act, Server, json};
use crate::support::{client, timed};

impl SafeEndpoint for GetPet {}

impl WaitEndpoint for GetPet {
    const END: &'static WaitEnd = &WaitEnd { property: &[], values: &[] };
}

/// Returns a client without retries and its clock, and a server with a reply for each request; the last one repeats.
fn scripted(replies: &'static [(u16, &str)]) -> (Server, Client, TestClock) {
    ringing(replies, usize::MAX)
}

/// Does the same, and rings the timer of the deadline with the reply of this number.
fn ringing(replies: &'static [(u16, &str)], last: usize) -> (Server, Client, TestClock) {
    let clock = TestClock::new();
    let timer = clock.clone();
    let server = Server::new(move |number, _| {
        if number == last {
            timer.ring();
        }
        let (status, body) = replies[number.min(replies.len() - 1)];
        json(status, body)
    });
    let builder = timed(client(server.url()), &clock).retry(RetryPolicy::never());
    (server, builder.build().unwrap(), clock)
}

const SECOND: Duration = Duration::from_secs(1);

/// Polls every second, without jitter.
fn poll(client: &Client) -> Polling<Request<GetPet>> {
    get(client, "1").poll().every(SECOND).jitter(0.0)
}

#[tokio::test]
async fn a_poll_ends_when_a_condition_is_fulfilled() {
    let (server, client, clock) =
        scripted(&[(200, r#"{"n":1}"#), (200, r#"{"n":2}"#), (200, r#"{"n":3}"#)]);
    let reply = poll(&client).until(|reply| reply["n"] == 3).await.unwrap();
    assert_eq!((reply["n"].clone(), server.seen().len()), (value!(3), 3));
    assert_eq!(clock.pauses(), [SECOND; 2], "the first call is made at once");
}

#[tokio::test]
async fn the_hook_of_a_poll_sees_each_reply() {
    let (_server, client, _) =
        scripted(&[(200, r#"{"n":1}"#), (503, "{}"), (200, r#"{"n":2}"#), (200, r#"{"n":3}"#)]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let mut polling =
        poll(&client).on_reply(move |reply| sink.lock().unwrap().push(reply["n"].clone()));
    polling.until(|reply| reply["n"] == 2).await.unwrap();
    assert_eq!(*seen.lock().unwrap(), [value!(1), value!(2)]);
    polling.next_reply().await.unwrap();
    assert_eq!(seen.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn transient_errors_are_retried_and_others_end_the_wait() {
    let (server, client, _) = scripted(&[(503, "{}"), (429, "{}"), (200, r#"{"n":1}"#)]);
    assert_eq!(poll(&client).until(|_| true).await.unwrap()["n"], 1);
    assert_eq!(server.seen().len(), 3);
    let (server, client, _) = scripted(&[(503, "{}"), (403, "{}")]);
    let error = poll(&client).until(|_| true).await.unwrap_err();
    assert_eq!((error.status(), error.is_unfinished(), server.seen().len()), (Some(403), false, 2));
}

#[tokio::test]
async fn a_resource_can_be_missing_at_first() {
    const REPLIES: &[(u16, &str)] = &[(404, "{}"), (404, "{}"), (200, r#"{"n":1}"#)];
    let (server, client, _) = scripted(REPLIES);
    assert!(poll(&client).until(|_| true).await.unwrap_err().is_not_found());
    assert_eq!(server.seen().len(), 1);
    let (server, client, _) = scripted(REPLIES);
    assert_eq!(poll(&client).allow_missing().until(|_| true).await.unwrap()["n"], 1);
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn an_unfinished_wait_is_distinct_from_a_failure() {
    let (_server, client, _) = ringing(&[(200, r#"{"n":1}"#), (503, "{}")], 4);
    let mut polling = poll(&client).deadline(TIMER);
    let error = polling.until(|_| false).await.unwrap_err();
    assert!(error.is_unfinished() && error.is_retryable(), "{error:?}");
    assert_eq!((error.kind(), error.status()), (ErrorKind::Unfinished, Some(200)));
    assert_eq!(error.decode_body::<Value>().unwrap(), value!({ "n": 1 }));
    let text = error.to_string();
    assert!(text.contains("not finished: within 100s; replies: 1"), "{text}");
    assert!(text.contains("HTTP 503"), "the last cause is named: {text}");
}

#[tokio::test]
async fn retry_after_is_honored() {
    let server = Server::new(|number, _| {
        let text = match number {
            0 => "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nretry-after: 7\r\n\r\n{}",
            1 => "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nretry-after: 9\r\n\r\n",
            _ => "HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{\"n\":1}",
        };
        Act::Send(text.as_bytes().to_vec())
    });
    let clock = TestClock::new();
    let client = timed(client(server.url()), &clock).retry(RetryPolicy::never()).build().unwrap();
    poll(&client).until(|reply| !reply.is_empty()).await.unwrap();
    assert_eq!(clock.pauses(), [7 * SECOND, 9 * SECOND]);
}

#[tokio::test]
async fn a_wait_can_be_dropped_and_resumed() {
    let (server, client, _) = scripted(&[(200, r#"{"n":1}"#), (200, r#"{"n":2}"#)]);
    let mut polling = poll(&client);
    drop(polling.until(|_| true));
    assert_eq!(server.seen().len(), 0);
    assert!(polling.until(|reply| reply["n"] == 2).now_or_never().is_none());
    assert_eq!(polling.next_reply().await.unwrap()["n"], 1, "the call in flight is not lost");
    assert_eq!(polling.next_reply().await.unwrap()["n"], 2);
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn replies_are_a_stream_that_ends_after_an_error() {
    let (_server, client, _) =
        scripted(&[(200, r#"{"n":1}"#), (503, "{}"), (200, r#"{"n":2}"#), (400, "{}")]);
    let replies: Vec<Result<Map, _>> = poll(&client).collect().await;
    let numbers: Vec<_> = replies.iter().flatten().map(|reply| reply["n"].clone()).collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!((replies.len(), replies[2].as_ref().unwrap_err().status()), (3, Some(400)));
}

#[tokio::test]
async fn a_wait_is_finished_or_unfinished() {
    let (server, client, _) = scripted(&[(404, "{}")]);
    assert!(get(&client, "1").wait().await.unwrap_err().is_not_found());
    assert_eq!(server.seen().len(), 1);
    let (_server, client, _) = scripted(&[(200, "{}"), (200, r#"{"n":1}"#)]);
    match poll(&client).until_finished().await.unwrap() {
        Waited::Finished(reply) => assert_eq!(reply["n"], 1),
        Waited::Unfinished(last) => panic!("{last:?}"),
    }
    let (server, client, clock) = ringing(&[(200, "{}")], 3);
    let waiting = get(&client, "1").wait().every(SECOND).jitter(0.0).deadline(TIMER);
    let unfinished = waiting.await.unwrap();
    assert_eq!((server.seen().len(), clock.pauses()[0]), (4, SECOND));
    assert_eq!(unfinished, Waited::Unfinished(Map::new()));
    assert_eq!(unfinished.finished(), None);
}

/// An outage is not a process that takes long.
#[tokio::test]
async fn a_wait_without_a_reply_is_an_error_with_its_cause() {
    let (server, client, _) = ringing(&[(503, "{}")], 3);
    let waiting = get(&client, "1").wait().every(SECOND).jitter(0.0).deadline(TIMER);
    let error = waiting.await.unwrap_err();
    assert!(error.is_unfinished() && server.seen().len() == 4, "{error:?}");
    let text = error.to_string();
    assert!(text.contains("replies: 0") && text.contains("HTTP 503"), "{text}");
}

#[tokio::test]
async fn the_calls_of_a_wait_leave_the_retry_budget_to_others() {
    let clock = TestClock::new();
    let server = Server::new(|number, _| json(if number < 5 { 503 } else { 200 }, "{}"));
    let budget = RetryBudget::standard();
    let builder = timed(client(server.url()), &clock).retry_budget(budget.clone());
    poll(&builder.build().unwrap()).next_reply().await.unwrap();
    assert_eq!((server.seen().len(), budget.retries_left()), (6, 100));
    assert_eq!(clock.pauses(), [SECOND; 5], "the next call is the retry");
}

/// What was seen is not lost with the future of a method.
#[tokio::test]
async fn a_wait_continues_with_the_replies_so_far() {
    let (_server, client, _) = ringing(&[(200, "{}"), (403, "{}"), (503, "{}")], 3);
    let mut polling = poll(&client).deadline(TIMER);
    assert_eq!(polling.until_finished().await.unwrap_err().status(), Some(403));
    assert_eq!(polling.until_finished().await.unwrap(), Waited::Unfinished(Map::new()));
}

/// A reply with properties of the types that a value can end a wait by.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Job {
    task: Option<Box<Job>>,
    state: Option<Action>,
    note: Option<String>,
    urgent: Option<bool>,
    step: Option<i32>,
    size: Option<u64>,
    pub(crate) unknown: UnknownProperties,
}

internal::object! {
    Job {
        task: "task",
        state: "state",
        note: "note",
        urgent: "urgent",
        step: "step",
        size: "size" as text,
    }
    unknown
}

/// Declares operations, with the property and the values that end a wait for them.
macro_rules! ends {
    ($($name:ident: $property:expr, $values:expr;)+) => {$(
        operation!($name, "jobs.get", GET, "/jobs/1", Map => Job);

        impl SafeEndpoint for $name {}

        impl WaitEndpoint for $name {
            const END: &'static WaitEnd = &WaitEnd { property: &$property, values: &$values };
        }
    )+};
}

ends! {
    ByEnum: ["task", "state"], ["ACTION_CLOSE", "ACTION_DENY"];
    ByText: ["note"], ["done"];
    ByFlag: ["urgent"], ["false"];
    ByInteger: ["step"], ["-1", "7"];
    ByIntegerInText: ["size"], ["18446744073709551615"];
}

/// Waits until an operation ends by the last of these replies, and returns the number of calls.
async fn calls_until_end<E>(replies: &'static [(u16, &str)]) -> usize
where
    E: SafeEndpoint + WaitEndpoint<Body = Option<Map>, Output = Job>,
{
    let (server, client, _) = ringing(replies, replies.len() + 3);
    let mut polling = request::<E>(&client, None).poll().every(SECOND).jitter(0.0).deadline(TIMER);
    assert!(polling.until_finished().await.unwrap().finished().is_some(), "{replies:?}");
    server.seen().len()
}

#[tokio::test]
async fn a_value_of_the_property_ends_a_wait() {
    const ENUM: &[(u16, &str)] = &[
        (200, "{}"),
        (200, r#"{"state": "ACTION_CLOSE"}"#),
        (200, r#"{"task": {}}"#),
        (200, r#"{"task": {"state": null}}"#),
        (200, r#"{"task": {"state": "ACTION_APPROVE"}}"#),
        (200, r#"{"task": {"state": "ACTION_NEW"}}"#),
        (200, r#"{"task": {"state": "ACTION_DENY"}}"#),
    ];
    const TEXT: &[(u16, &str)] = &[(200, r#"{"note": "Done"}"#), (200, r#"{"note": "done"}"#)];
    const FLAG: &[(u16, &str)] =
        &[(200, "{}"), (200, r#"{"urgent": true}"#), (200, r#"{"urgent": false}"#)];
    const INTEGER: &[(u16, &str)] =
        &[(200, r#"{"step": 1}"#), (200, r#"{"step": -7}"#), (200, r#"{"step": 7.0}"#)];
    const IN_TEXT: &[(u16, &str)] =
        &[(200, r#"{"size": "1"}"#), (200, r#"{"size": "18446744073709551615"}"#)];

    assert_eq!(calls_until_end::<ByEnum>(ENUM).await, 7);
    assert_eq!(calls_until_end::<ByText>(TEXT).await, 2);
    assert_eq!(calls_until_end::<ByFlag>(FLAG).await, 3);
    assert_eq!(calls_until_end::<ByInteger>(INTEGER).await, 3);
    assert_eq!(calls_until_end::<ByIntegerInText>(IN_TEXT).await, 2);
}

#[cfg(feature = "blocking")]
#[test]
fn blocking_waits_return_the_final_reply() {
    const REPLIES: &[(u16, &str)] = &[(200, "{}"), (200, r#"{"n":1}"#)];
    let waiting = || poll(&scripted(REPLIES).1);
    assert_eq!(waiting().until_blocking(|reply| !reply.is_empty()).unwrap()["n"], 1);
    assert!(waiting().until_finished_blocking().unwrap().finished().is_some());
    assert!(get(&scripted(REPLIES).1, "1").wait_blocking().unwrap().finished().is_some());
}
