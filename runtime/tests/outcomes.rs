//! Outcomes of calls for those who watch them: spans, interceptors and the retry budget.

use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::internal::{self, Json};
use openapi_bindings_runtime::{
    Attempt, Client, Error, ErrorKind, Interceptor, RetryBudget, Value, http,
};
use tracing_core::{Dispatch, dispatcher};

use crate::models::Task;
use crate::support::api::{OrderPet, get, list, list_linked, operation, request};
use crate::support::clock::TestClock;
use crate::support::server::{Act, Server, json, response};
use crate::support::{client, timed};
use crate::traces::Recorder;

operation!(GetTask, "tasks.get", GET, "/api/v1/tasks", Task => Task);

/// What an interceptor saw after its requests: statuses, and kinds of errors with the operation of their text.
#[derive(Clone, Default)]
struct Watch(Arc<Mutex<Vec<String>>>);

impl Interceptor for Watch {
    fn after(&self, attempt: &Attempt, status: http::StatusCode, _: &http::HeaderMap) {
        let Attempt { call, number, .. } = attempt;
        self.0.lock().unwrap().push(format!("{call}.{number}: {}", status.as_u16()));
    }

    fn failed(&self, attempt: &Attempt, error: &Error) {
        let Attempt { call, number, operation, .. } = attempt;
        assert_eq!(
            (error.operation().map(|it| it.id), error.attempts()),
            (Some(operation.id), *number)
        );
        dispatcher::get_default(|subscriber| {
            let recorder = subscriber.downcast_ref::<Recorder>();
            assert_eq!(recorder.map_or("api.call", Recorder::current), "api.call");
        });
        self.0.lock().unwrap().push(format!("{call}.{number}: {}", error.kind().name()));
    }
}

/// A call that receives the response of a server, and its error.
type Way = fn(&Client) -> Error;

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Everything that decodes what a call has received.
const WAYS: &[(&str, Way)] = &[
    ("pets.get", |client| run(get(client, "7").into_future()).unwrap_err()),
    ("pets.get", |client| run(get(client, "7").send()).unwrap_err()),
    ("pets.order", |client| run(request::<OrderPet>(client, None).send()).unwrap_err()),
    ("pets.list", |client| run(list(client).items().try_next()).unwrap_err()),
    ("pets.list", |client| run(list(client).pages().try_next()).unwrap_err()),
    ("owners.list", |client| run(list_linked(client).items().try_next()).unwrap_err()),
    ("pets.get", |client| run(get(client, "7").poll().next_reply()).unwrap_err()),
    ("pets.get", |client| run(get(client, "7").wait().into_future()).unwrap_err()),
    ("pets.get", |client| run(internal::open(get(client, "7"), (&[200], "*/*"))).unwrap_err()),
    ("pets.get", |client| {
        run(internal::events::<Value, Json>(get(client, "7"), (&[200], "text/event-stream"))
            .try_next())
        .unwrap_err()
    }),
    ("pets.get", |client| {
        run(internal::lines::<Value, Json>(get(client, "7"), (&[200], "application/x-ndjson"))
            .try_next())
        .unwrap_err()
    }),
    #[cfg(feature = "blocking")]
    ("pets.get", |client| get(client, "7").send_blocking().unwrap_err()),
    #[cfg(feature = "blocking")]
    ("pets.list", |client| list(client).items_blocking().next().unwrap().unwrap_err()),
    #[cfg(feature = "blocking")]
    ("pets.list", |client| list(client).pages_blocking().next().unwrap().unwrap_err()),
    #[cfg(feature = "blocking")]
    ("pets.get", |client| get(client, "7").wait_blocking().unwrap_err()),
];

/// A client whose budget of two retries has one left, and what watches its next calls.
struct Watched {
    client: Client,
    watch: Watch,
    budget: RetryBudget,
}

impl Watched {
    /// Responds with 503 and 404 first, for a call whose retry is paid.
    fn new(act: fn() -> Act, strict: bool) -> Self {
        let server = Server::new(move |number, _| match number {
            0 => json(503, "{}"),
            1 => json(404, "{}"),
            _ => act(),
        });
        let (watch, budget) = (Watch::default(), RetryBudget::new(2, 1));
        let builder = timed(client(server.url()), &TestClock::new());
        let builder = builder.retry_budget(budget.clone()).interceptor(watch.clone());
        let client = if strict { builder.strict() } else { builder }.build().unwrap();
        assert!(run(get(&client, "7").send()).unwrap_err().is_not_found());
        assert_eq!(budget.retries_left(), 1);
        watch.0.lock().unwrap().clear();
        Self { client, watch, budget }
    }

    /// Makes a call, and returns its result and the end of its span.
    fn call<T>(&self, call: impl FnOnce(&Client) -> T) -> (T, String) {
        let recorder = Recorder::default();
        let guard = dispatcher::set_default(&Dispatch::new(recorder.clone()));
        let result = call(&self.client);
        drop(guard);
        let text = recorder.text();
        let end = text.lines().rfind(|line| line.starts_with("api.call:")).unwrap_or_default();
        (result, end.to_owned())
    }

    /// Checks that a call fails to decode its response, for all who watch it.
    fn fails(&self, name: &str, way: Way) {
        let (error, end) = self.call(way);
        assert_eq!(
            (error.kind(), error.operation().map(|it| it.id)),
            (ErrorKind::Decode, Some(name)),
            "{error}"
        );
        assert_eq!(end, "api.call: attempts=1 outcome=decode error.type=decode", "{name}");
        let seen = self.watch.0.lock().unwrap();
        let [response, failure] = &seen[..] else { panic!("{name}: {seen:?}") };
        assert!(response.starts_with("2.1: 20") && failure == "2.1: decode", "{name}: {seen:?}");
        assert_eq!(self.budget.retries_left(), 1, "{name}: no success");
    }
}

#[test]
fn a_response_that_is_not_decoded_is_a_failed_call_however_it_is_received() {
    // No stream is decoded either, because of the coding.
    const ENCODED: &[(&str, &str)] = &[("content-type", "text/html"), ("content-encoding", "zstd")];
    for (name, way) in WAYS {
        Watched::new(|| response(200, ENCODED, "<html>login</html>"), false).fails(name, *way);
    }
}

#[test]
fn other_content_than_described_is_a_failed_call() {
    let typed: Way = |client| run(get(client, "7").send()).unwrap_err();
    Watched::new(|| response(204, &[], ""), false).fails("pets.get", typed);
    Watched::new(|| json(200, ""), false).fails("pets.get", typed);
    Watched::new(|| json(200, "[]"), false).fails("pets.get", typed);
    let task: Way = |client| run(request::<GetTask>(client, None).send()).unwrap_err();
    Watched::new(|| json(200, r#"{"id":"1","owner":{},"new":1}"#), true).fails("tasks.get", task);
}

#[test]
fn a_call_whose_response_is_not_decoded_by_it_is_a_success() {
    let watched = Watched::new(|| json(200, "<html>login</html>"), false);
    let (reply, end) = watched.call(|client| run(get(client, "7").send_raw()).unwrap());
    assert_eq!(end, "api.call: attempts=1 outcome=ok");
    assert_eq!(watched.budget.retries_left(), 2);
    let ((), end) = watched.call(|_| assert!(reply.decode().unwrap_err().is_decode()));
    assert_eq!(end, "", "the call has ended");
    assert_eq!(*watched.watch.0.lock().unwrap(), ["2.1: 200"]);
}

#[test]
fn drift_is_reported_within_the_span_of_its_call() {
    let server = Server::json(r#"{"id":"1","owner":{},"new":1}"#);
    let recorder = Recorder::default();
    let spans = recorder.clone();
    let seen = Arc::new(Mutex::new(""));
    let current = Arc::clone(&seen);
    let builder = client(server.url()).on_drift(move |_| {
        *current.lock().unwrap() = spans.current();
    });
    let client = builder.build().unwrap();
    let guard = dispatcher::set_default(&Dispatch::new(recorder));
    run(request::<GetTask>(&client, None).send()).unwrap();
    drop(guard);
    assert_eq!(*seen.lock().unwrap(), "api.call");
}
