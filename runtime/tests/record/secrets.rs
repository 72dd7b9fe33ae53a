//! Secrets that are also a part of names, of enum values and of headers.

use openapi_bindings_runtime::{
    Client, ClientBuilder, Recorder, Secret, Timestamp, UnknownProperties, Value, internal, json,
};
use tracing_core::{Dispatch, dispatcher};

use super::{Account, Kind, Memory, put_account, replayed};
use crate::support::FirstScheme as _;
use crate::support::api::{SERVICE, operation, request};
use crate::support::server::{Server, response};
use crate::traces::Recorder as Events;

#[derive(Clone, Default)]
pub struct Person {
    kind: Option<Kind>,
    born: Option<Timestamp>,
    given_name: Option<String>,
    pin: Option<Secret<i64>>,
    unknown: UnknownProperties,
}

internal::object! { Person { kind: "kind", born: "born", given_name: "givenName", pin: "pin" } unknown }

operation!(PutPerson, "people.put", PUT, "/people", Person => Person, |call, body| call.json(body));

#[derive(Clone, Default)]
pub struct Settings {
    urgent: Option<bool>,
    consent: Option<Secret<bool>>,
    unknown: UnknownProperties,
}

internal::object! { Settings { urgent: "urgent", consent: "consent" } unknown }

operation!(SendSettings, "settings.send", POST, "/settings", Settings => (), |call, body| call.form_body(body, &[]));

/// Records calls with the identifiers and the bodies that the server echoes, with some secrets more.
async fn echoed(calls: Vec<(&str, Account, Value)>) -> String {
    let replies: Vec<_> = calls.iter().map(|(.., reply)| reply.to_string()).collect();
    let server = Server::new(move |number, _| response(200, &[], &replies[number]));
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    let client = builder.allow_anonymous().build().unwrap();
    for (id, body, _) in calls {
        put_account(&client, id, body).with_query("q", id).await.unwrap();
    }
    recorder.flush();
    memory.text()
}

#[tokio::test]
async fn what_is_no_data_contains_no_secret_of_its_body_or_of_an_earlier_exchange() {
    for secrets in [json!({"key": "gw-plainkey1"}), json!({"code": 12_345_678_901_i64})] {
        let secret = ["key", "code"].iter().find_map(|name| secrets.get(name)).unwrap();
        let text = secret.as_str().map_or_else(|| secret.to_string(), str::to_owned);
        let mut issued = secrets.clone();
        issued["kind"] = format!("a {text}").into();
        let count = text.parse::<i64>().unwrap_or(7);
        let body = Account::default;
        let written = echoed(vec![
            ("first", body(), issued),
            ("second", body(), json!({"kind": text})),
            ("third", body(), json!({(format!("x.{text}")): 1, "other": 12.5})),
            ("fourth", body(), json!({"count": count, "id": text})),
        ])
        .await;
        assert!(!written.contains(&text) && written.contains("12.5"), "{written}");
    }
}

#[tokio::test]
async fn booleans_of_forms_are_written_as_they_are() {
    for (is_secret, expected) in [(false, "urgent=true"), (true, "urgent=redacted-")] {
        let server = Server::json("{}");
        let memory = Memory::default();
        let recorder = Recorder::to_writer(memory.clone());
        let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
        let consent = is_secret.then(|| Secret::new(true));
        let form = Settings { urgent: Some(true), consent, ..Settings::default() };
        request::<SendSettings>(&builder.allow_anonymous().build().unwrap(), form).await.unwrap();
        recorder.flush();
        assert!(memory.text().contains(expected), "{}", memory.text());
    }
}

/// A body with its media type and its `Cache-Control`.
struct Answer(&'static str, &'static str, Value);

/// Records a call with a token.
async fn record(
    token: &str,
    body: Person,
    Answer(media_type, cache, reply): Answer,
    recorder: &Recorder,
) {
    let server = Server::new(move |_, _| {
        let headers = [("content-type", media_type), ("cache-control", cache)];
        response(200, &headers, &reply.to_string())
    });
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    request::<PutPerson>(&builder.bearer_token(token).build().unwrap(), body).await.unwrap();
    recorder.flush();
}

#[tokio::test]
async fn a_secret_that_is_a_part_of_what_the_spec_names_leaves_it_readable() {
    let body = json!({"kind": "KIND_ROBOT", "born": "2024-01-01T00:00:00Z", "givenName": "Ada", "other": {"t": "t"}});
    for token in
        ["t", "1", "no", "KIND", "json", "application", "application/json", "givenNam", "KIND_ROB"]
    {
        let memory = Memory::default();
        let recorder = Recorder::to_writer(memory.clone());
        let sent = || Person { kind: Some(Kind::User), ..Person::default() };
        record(token, sent(), Answer("application/json", "no-store", body.clone()), &recorder)
            .await;
        let entry = &memory.entries()[0];
        let headers = entry["response"]["headers"].as_array().unwrap();
        let values: Vec<_> = headers.iter().map(|it| it["value"].as_str().unwrap()).collect();
        assert!(values.contains(&"application/json"), "{entry}");
        assert_eq!(entry["request"]["postData"]["text"], r#"{"kind":"KIND_USER"}"#, "{token}");
        let reply = request::<PutPerson>(&replayed(&memory.replay()), sent()).await.unwrap();
        assert_eq!(reply.kind, Some(Kind::Robot), "{token}");
        assert!(reply.given_name.unwrap().starts_with("redacted-"), "{token}");
        assert!(reply.born.is_some(), "{token}");
    }
}

#[tokio::test]
async fn no_value_contains_a_short_secret_unless_it_is_an_enum_a_time_or_a_header() {
    let body =
        json!({"kind": "pa55", "givenName": "my pa55.", "pin": 7, "pa55": "Ada", "other": "pa55"});
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let answer = Answer("pa55", "pa55", body);
    let sent =
        Person { given_name: Some("pa55".into()), pin: Some(Secret::new(31)), ..Person::default() };
    record("pa55", sent, answer, &recorder).await;
    assert!(!memory.text().contains("pa55"), "{}", memory.text());
    let data = memory.entries()[0]["request"]["postData"]["text"].as_str().unwrap().to_owned();
    assert!(data.contains(r#""pin":"redacted-"#), "{data}");
}

#[tokio::test]
async fn a_long_secret_is_in_nothing_that_the_spec_does_not_list() {
    let body = json!({"kind": "KIND_l0ngs3cret", "givenName": "l0ngs3cret.", "l0ngs3cret.x": 1});
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let answer = Answer("application/json; x=l0ngs3cret", "no-store", body);
    record("l0ngs3cret", Person::default(), answer, &recorder).await;
    assert!(!memory.text().contains("l0ngs3cret"), "{}", memory.text());
    // A value of the spec is a secret if it is equal to one.
    let memory = Memory::default();
    let answer = Answer("application/json", "no-store", json!({"kind": "KIND_ROBOT"}));
    let recorder = Recorder::to_writer(memory.clone());
    record("KIND_ROBOT", Person::default(), answer, &recorder).await;
    assert!(!memory.text().contains("KIND_ROBOT"), "{}", memory.text());
}

#[tokio::test]
async fn a_short_secret_is_reported_once() {
    let events = Events::default();
    let guard = dispatcher::set_default(&Dispatch::new(events.clone()));
    let recorder = Recorder::to_writer(Memory::default());
    let warnings = || events.text().matches("a secret has fewer than 8 bytes").count();
    for (token, expected) in [("8-bytes.", 0), ("7-bytes", 1), ("t", 1)] {
        record(
            token,
            Person::default(),
            Answer("application/json", "no-store", json!({})),
            &recorder,
        )
        .await;
        assert_eq!(warnings(), expected, "{token}");
    }
    drop(guard);
}

#[tokio::test]
async fn parameters_of_media_types_are_no_media_types() {
    for media_type in [
        "application/json; x=l0ngs3cret",
        "application/json; x=\"a;b/l0ngs3cret\"",
        "application/json; x=\"a, https://h/l0ngs3cret\"",
        "application/json, https://h/l0ngs3cret",
        "application/json;/l0ngs3cret",
    ] {
        let memory = Memory::default();
        let recorder = Recorder::to_writer(memory.clone());
        let answer = Answer(media_type, "no-store", json!({"givenName": "x"}));
        record("l0ngs3cret", Person::default(), answer, &recorder).await;
        assert!(!memory.text().contains("l0ngs3cret"), "{media_type}");
    }
}
