//! Secrets show nowhere.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};

use access_governance_runtime::{BearerToken, ClientCredentials, Token};
use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Dispatch, Event, Metadata, Subscriber, dispatcher};

use crate::support::api::{create, get};
use crate::support::client;
use crate::support::server::{Server, json, response};

const SECRETS: [&str; 5] = [
    "s3cr3t-token",
    "cl1ent-s3cr3t",
    "acc3ss-token",
    "hunter2",
    "f0rm-field",
];

#[track_caller]
fn assert_clean(text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} shows in: {text}");
    }
}

#[tokio::test]
async fn in_no_debug_and_no_error() {
    let server = Server::new(|_, seen| match seen.target.as_str() {
        "/token" => json(200, r#"{"access_token":"acc3ss-token","expires_in":3600}"#),
        _ => response(500, &[("set-cookie", "hunter2")], r#"{"message":"broken"}"#),
    });
    let credentials = ClientCredentials::new("/token", "me", "cl1ent-s3cr3t")
        .form_field("audience", "f0rm-field");
    assert_clean(&format!(
        "{credentials:?} {:?} {:?}",
        Token::new("acc3ss-token"),
        BearerToken::new("s3cr3t-token")
    ));
    let builder = client(server.url())
        .token_source(credentials)
        .default_header("x-api-key", "hunter2");
    assert_clean(&format!("{builder:?}"));
    let client = builder.build().unwrap();
    let call = create(&client)
        .with_query("key", "hunter2")
        .with_header("x-key", "hunter2");
    assert_clean(&format!("{client:?} {call:?}"));
    let sending = call.send();
    assert_clean(&format!("{sending:?}"));
    let error = sending.await.unwrap_err();
    assert_clean(&format!("{error} {error:?} {error:#?}"));
    let broken = crate::support::client("https://me:hunter2@pets.example");
    assert_clean(&format!("{broken:?}"));
    assert_clean(&broken.build().unwrap_err().to_string());
}

#[tokio::test]
async fn in_no_error_of_a_connection() {
    let client = client(crate::support::server::nobody()).build().unwrap();
    let error = get(&client, "7")
        .with_query("key", "hunter2")
        .await
        .unwrap_err();
    let mut text = format!("{error} {error:?}");
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        write!(text, " {cause} {cause:?}").unwrap();
        source = cause.source();
    }
    assert_clean(&text);
}

#[tokio::test]
async fn in_no_refusal_of_a_token() {
    let server = Server::new(|_, _| json(200, r#"{"token":"acc3ss-token"}"#));
    let client = client(server.url())
        .client_credentials("/token", "me", "cl1ent-s3cr3t")
        .build()
        .unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert!(error.to_string().contains("no `access_token`"), "{error}");
    assert_clean(&format!("{error} {error:?}"));
}

#[tokio::test]
async fn in_no_span_and_no_event() {
    let server = Server::new(|number, seen| match (number, seen.target.as_str()) {
        (_, "/token") => json(
            200,
            &format!(r#"{{"access_token":"acc3ss-token{number}"}}"#),
        ),
        (1, _) => json(401, r#"{"message":"hunter2"}"#),
        (3, _) => json(503, "{}"),
        _ => json(200, r#"{"secret":"hunter2"}"#),
    });
    let client = client(server.url())
        .client_credentials("/token", "me", "cl1ent-s3cr3t")
        .build()
        .unwrap();
    let recorded = Recorder::default();
    let text = Arc::clone(&recorded.0);
    let guard = dispatcher::set_default(&Dispatch::new(recorded));
    get(&client, "s3cr3t-token")
        .with_query("key", "hunter2")
        .with_header("x-key", "f0rm-field")
        .await
        .unwrap();
    drop(guard);
    let text = text.lock().unwrap().clone();
    assert_clean(&text);
    for expected in [
        "otel.name=GET /api/v1/pets/{id}",
        "http.request.method=GET",
        "url.template=/api/v1/pets/{id}",
        "server.address=127.0.0.1",
        "http.response.status_code=401",
        "error.type=401",
        "error.type=503",
        "http.request.resend_count=1",
        "http.request.resend_count=2",
        "http.response.status_code=200",
    ] {
        assert!(text.contains(expected), "{expected} is not in: {text}");
    }
}

/// Writes down all spans and events.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<String>>);

impl Visit for Recorder {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        writeln!(self.0.lock().unwrap(), "{}={value:?}", field.name()).unwrap();
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        writeln!(self.0.lock().unwrap(), "{}={value}", field.name()).unwrap();
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("access_governance_runtime")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}
