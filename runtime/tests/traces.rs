//! Spans and events: one span around the call, one for each attempt inside it.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use openapi_bindings_runtime::{
    Body, BoxFuture, RequestBody, RetryPolicy, Transport, TransportError, http,
};
use tokio::task::yield_now;
use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Current, Id, Record};
use tracing_core::{Dispatch, Event, Metadata, Subscriber, dispatcher};

use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::server::{Server, json};
use crate::support::{client, timed};

/// Makes a call to a server that responds with these statuses, and returns what was recorded.
async fn recorded(statuses: &'static [u16]) -> String {
    let server = Server::new(|number, _| json(statuses[number], "{}"));
    let builder = client(server.url()).retry(RetryPolicy::standard().with_max_attempts(3));
    let client = timed(builder, &TestClock::new()).build().unwrap();
    let recorder = Recorder::default();
    let guard = dispatcher::set_default(&Dispatch::new(recorder.clone()));
    let _ = get(&client, "7").await;
    drop(guard);
    recorder.text()
}

#[tokio::test]
async fn a_call_is_a_span_with_a_span_for_each_attempt() {
    let text = recorded(&[200]).await;
    let expected = "\
span api.call in nothing: otel.name=pets.get otel.kind=internal rpc.service=pets rpc.method=pets.get
span http.client.request in api.call: otel.name=GET /api/v1/pets/{id} otel.kind=client";
    assert!(text.starts_with(expected.split('\n').next().unwrap()), "{text}");
    assert!(text.contains(expected.split('\n').next_back().unwrap()), "{text}");
    assert!(text.ends_with("api.call: attempts=1 outcome=ok\n"), "{text}");
    assert!(!text.contains("event"), "{text}");
}

#[tokio::test]
async fn retries_are_events_of_the_call_and_the_last_one_has_level_info() {
    let text = recorded(&[503, 503, 200]).await;
    let events: Vec<_> = text.lines().filter(|line| line.starts_with("event")).collect();
    let [first, last] = events[..] else { panic!("{text}") };
    assert!(first.starts_with("event DEBUG in api.call: message=retrying the call"), "{first}");
    assert!(last.starts_with("event INFO in api.call: message=retrying the call"), "{last}");
    assert!(last.contains("http.request.resend_count=2"), "{last}");
    assert_eq!(text.matches("span http.client.request in api.call").count(), 3);
    assert!(text.ends_with("api.call: attempts=3 outcome=ok\n"), "{text}");
}

#[tokio::test]
async fn the_outcome_of_a_call_that_fails_is_its_error() {
    let text = recorded(&[503, 503, 503]).await;
    assert!(text.ends_with("api.call: attempts=3 outcome=status error.type=503\n"), "{text}");
    let text = recorded(&[404]).await;
    assert!(text.ends_with("api.call: attempts=1 outcome=status error.type=404\n"), "{text}");
}

/// A transport whose provider issues one token. Its calls take a step more than its requests for tokens.
struct IssuesOnce(AtomicUsize);

impl Transport for IssuesOnce {
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        Box::pin(async move {
            if request.uri().path() != "/token" {
                yield_now().await;
                return Ok(http::Response::new(Body::from("{}")));
            }
            let (status, body) = match self.0.fetch_add(1, Ordering::Relaxed) {
                0 => (200, r#"{"access_token":"t","expires_in":600}"#),
                1 => (401, r#"{"error":"invalid_client","error_description":"what is s3cr3t?"}"#),
                _ => (200, r#"{"token_type":"mac"}"#),
            };
            let mut response = http::Response::new(Body::from(body));
            *response.status_mut() = status.try_into().unwrap();
            Ok(response)
        })
    }
}

#[tokio::test]
async fn a_failed_refresh_of_a_valid_token_is_an_event() {
    let clock = TestClock::new();
    let builder = client("https://pets.example").transport(IssuesOnce(AtomicUsize::new(0)));
    let builder = builder.client_credentials("/token", "me", "s3cr3t");
    let client = timed(builder, &clock).build().unwrap();
    get(&client, "7").await.unwrap();
    clock.pass(Duration::from_secs(550));
    let recorder = Recorder::default();
    let guard = dispatcher::set_default(&Dispatch::new(recorder.clone()));
    get(&client, "7").await.unwrap();
    get(&client, "7").await.unwrap();
    clock.pass(Duration::from_secs(6));
    get(&client, "7").await.unwrap();
    drop(guard);
    let text = recorder.text();
    for expected in [
        "http.client.request: http.response.status_code=200\n\
         http.client.request: error.type=auth\n",
        "span http.client.request in http.client.request: otel.name=POST /token otel.kind=client \
         http.request.method=POST url.template=/token url.scheme=https \
         server.address=pets.example server.port=443\n",
        "http.client.request: http.response.status_code=401\n\
         http.client.request: error.type=invalid_client\n\
         event WARN in http.client.request: \
         message=failed to refresh the access token, which is about to expire \
         error.type=invalid_client url.full=https://pets.example/token expires_in_s=50\n",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert_eq!(text.matches("event WARN").count(), 2, "{text}");
    assert!(!text.contains("s3cr3t"), "{text}");
}

/// The documented target of all spans and events.
const OWN: &str = "openapi_bindings_runtime";

/// Writes a line for every span, event and record, with the span that it is in.
#[derive(Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<State>>);

impl Recorder {
    pub(crate) fn text(&self) -> String {
        self.0.lock().unwrap().text.clone()
    }

    /// Returns the name of the span that is entered.
    pub(crate) fn current(&self) -> &'static str {
        self.0.lock().unwrap().current()
    }
}

#[derive(Default)]
struct State {
    text: String,
    spans: HashMap<u64, &'static Metadata<'static>>,
    entered: Vec<u64>,
}

impl State {
    fn current(&self) -> &'static str {
        self.entered.last().map_or("nothing", |id| self.spans[id].name())
    }
}

/// The fields of a line.
#[derive(Default)]
struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        write!(self.0, " {}={value}", field.name()).unwrap();
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let target = metadata.target();
        let is_own = metadata.module_path().is_some_and(|it| it.starts_with(OWN));
        assert!(!is_own || target == OWN, "{} has the target {target}", metadata.name());
        is_own
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        span.record(&mut fields);
        let mut state = self.0.lock().unwrap();
        let name = span.metadata().name();
        let parent = state.current();
        writeln!(state.text, "span {name} in {parent}:{}", fields.0).unwrap();
        let id = state.spans.len() as u64 + 1;
        state.spans.insert(id, span.metadata());
        Id::from_u64(id)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut fields = Fields::default();
        values.record(&mut fields);
        let mut state = self.0.lock().unwrap();
        let name = state.spans[&id.into_u64()].name();
        writeln!(state.text, "{name}:{}", fields.0).unwrap();
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut state = self.0.lock().unwrap();
        let level = event.metadata().level();
        let parent = state.current();
        writeln!(state.text, "event {level} in {parent}:{}", fields.0).unwrap();
    }

    fn current_span(&self) -> Current {
        let state = self.0.lock().unwrap();
        match state.entered.last() {
            Some(id) => Current::new(Id::from_u64(*id), state.spans[id]),
            None => Current::none(),
        }
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, id: &Id) {
        self.0.lock().unwrap().entered.push(id.into_u64());
    }

    fn exit(&self, _: &Id) {
        self.0.lock().unwrap().entered.pop();
    }
}
