//! Secrets that are also a part of names, of enum values and of headers.

use openapi_bindings_runtime::internal::{Parameter, Style};
use openapi_bindings_runtime::{
    Client, ClientBuilder, Map, Recorder, Secret, Timestamp, UnknownProperties, Value, internal,
    json,
};
use tracing_core::{Dispatch, dispatcher};

use super::{Account, Kind, Memory, put_account, replayed};
use crate::support::FirstScheme as _;
use crate::support::api::{SERVICE, operation, request, request_of};
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

operation!(GetPerson, "people.get", GET, "/people/{id}", Map => Map);

#[tokio::test]
async fn secret_parameters_are_not_kept() {
    let server = Server::json("{}");
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone()).keep_values();
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    let call = internal::call::<GetPerson>(&builder.allow_anonymous().build().unwrap())
        .text(Parameter::path("id").secret(), "hunter2")
        .text(Parameter::query("code").secret(), "hunter/3")
        .text(Parameter::query("page"), "first");
    request_of::<GetPerson>(call, None).await.unwrap();
    recorder.flush();
    let text = memory.text();
    assert!(text.contains("page=first") && !text.contains("hunter"), "{text}");
}

#[tokio::test]
async fn a_value_that_its_name_makes_a_secret_is_kept_in_no_text_of_the_response() {
    let server = Server::json(r#"{"givenName":"hunter2hunter2"}"#);
    for is_header in [false, true] {
        let memory = Memory::default();
        let recorder = Recorder::to_writer(memory.clone()).keep_values();
        let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
        let client = builder.allow_anonymous().build().unwrap();
        let call = request::<PutPerson>(&client, Person::default());
        let call = if is_header {
            call.with_header("x-api-key", "hunter2hunter2")
        } else {
            call.with_query("api_token", "hunter2hunter2")
        };
        call.await.unwrap();
        recorder.flush();
        let text = memory.text();
        assert!(text.contains("givenName") && !text.contains("hunter2"), "{text}");
    }
}

#[tokio::test]
async fn a_credential_in_a_url_of_a_response_is_not_kept() {
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone()).keep_values();
    let body = json!({"givenName": "http://h/people?key=k%2By%2Fwith%3Dch&page=2"});
    record("k+y/with=ch", Person::default(), Answer("application/json", "", body), &recorder).await;
    let text = memory.text();
    assert!(text.contains(r#"\"givenName\":\"redacted-"#) && !text.contains("with"), "{text}");
}

/// Records calls with the identifiers and the bodies that the server echoes, with some secrets more.
async fn echoed(calls: Vec<(&str, Account, Value)>) -> String {
    let replies: Vec<_> = calls.iter().map(|(.., reply)| reply.to_string()).collect();
    let server = Server::new(move |number, _| response(200, &[], &replies[number]));
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone()).keep_values();
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    let client = builder.allow_anonymous().build().unwrap();
    for (id, body, _) in calls {
        put_account(&client, id, body).with_query("q", id).await.unwrap();
    }
    recorder.flush();
    memory.text()
}

#[tokio::test]
async fn a_secret_is_kept_in_no_text_of_its_body_and_of_later_exchanges() {
    let named = |id: &str| Account { id: Some(id.to_owned()), ..Account::default() };
    let keyed = Account { key: Some("sent-key".into()), ..named("old-key") };
    let text = echoed(vec![
        ("first", keyed, json!({"id": "has gw/plainkey in it", "key": "gw/plainkey"})),
        ("the gw/plainkey", named("my%20gw%2Fplainkey"), json!({"id": "gw/plainkey"})),
        ("third", named("new"), json!({"id": "pa55 and", "members": [{"key": "pa55"}]})),
        ("fourth", named("pa55 later"), json!({"id": "a short one is in many texts"})),
        ("fifth", named("a sent-key"), json!({})),
    ])
    .await;
    assert!(["plainkey", "sent-key", "pa55 and"].iter().all(|it| !text.contains(it)), "{text}");
    for kept in ["first", "old-key", "third", "fourth", "pa55 later", "a short one"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
}

#[tokio::test]
async fn beyond_two_mebibytes_of_secrets_no_text_is_kept() {
    let key = |first: char, size: usize| json!({"key": format!("{first}{}", "x".repeat(size - 1))});
    for (more, is_kept) in [(0, true), (13, false)] {
        // The last call has the other 12 bytes.
        let members = [key('a', 1 << 20), key('b', (1 << 20) - 9_012), key('c', 9_000 + more)];
        let issued = json!({"id": "beside them", "members": members});
        let body = Account::default;
        let text = echoed(vec![
            ("first", body(), issued),
            ("later", body(), json!({"id": key('c', 9_000 + more)["key"]})),
            ("last", body(), json!({"key": "gw-plainkey1", "kind": "a gw-plainkey1"})),
        ])
        .await;
        assert!(!text.contains("cxx") && !text.contains("gw-plainkey1"), "{more}");
        for kept in ["first", "beside them", "later", "last"] {
            assert_eq!(text.contains(kept), is_kept, "{kept} {more}");
        }
    }
}

#[tokio::test]
async fn after_an_exchange_that_was_left_out_no_text_is_kept() {
    let filler = "x".repeat(33 << 20);
    let text = echoed(vec![
        ("first", Account::default(), json!({"key": "gw-plainkey1", "id": filler})),
        ("second", Account::default(), json!({"id": "gw-plainkey1", "kind": "KIND_ROBOT"})),
        ("third", Account::default(), json!({"id": "gw-plainkey1"})),
    ])
    .await;
    assert!(text.contains(r#""_dropped":1"#) && text.contains("KIND_ROBOT"), "{text}");
    assert!(["gw-plainkey1", "second", "third"].iter().all(|it| !text.contains(it)), "{text}");
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
async fn a_url_with_a_user_or_a_secret_parameter_is_not_kept() {
    for (text, is_kept) in [
        ("https://user:pass-word@h/x", false),
        ("see https://gh_t0ken@h?x", false),
        ("https://h/x?page=2&access_to%6ben=abc", false),
        ("https://h/x#access_token=abc", false),
        ("https://h/x?to=https%3A%2F%2Fme%3Apw%40h%2F", false),
        ("Server=h;Password=abc", false),
        ("https://h/@user/x?page=2#top", true),
        ("ada@h.test has a=b", true),
    ] {
        let body = Account { id: Some(text.to_owned()), ..Account::default() };
        let written = echoed(vec![("1", body, json!({"id": text}))]).await;
        assert_eq!(written.matches(text).count(), if is_kept { 2 } else { 0 }, "{written}");
        let written = echoed(vec![(text, Account::default(), json!({}))]).await;
        // In the path, and twice in the query; the user agent is always one.
        let found = written.matches("redacted-").count();
        assert_eq!(found, if is_kept { 1 } else { 4 }, "{written}");
    }
}

#[tokio::test]
async fn delimiters_of_lists_stay_as_they_were_sent() {
    let server = Server::json("{}");
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone()).keep_values();
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    let ids = ["a,b", "c"];
    let call = internal::call::<GetPerson>(&builder.allow_anonymous().build().unwrap())
        .list(Parameter::path("id").style(Style::Simple, false), ids)
        .list(Parameter::query("ids").style(Style::Form, false), ids);
    request_of::<GetPerson>(call, None).await.unwrap();
    recorder.flush();
    assert!(memory.text().contains("/people/a%2Cb,c?ids=a%2Cb,c"), "{}", memory.text());
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
        assert!(values.contains(&"application/json") && values.contains(&"no-store"), "{entry}");
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
    let recorder = Recorder::to_writer(memory.clone()).keep_values();
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
    for settings in [(|it| it) as fn(Recorder) -> Recorder, Recorder::keep_values] {
        let memory = Memory::default();
        let recorder = settings(Recorder::to_writer(memory.clone()));
        let answer = Answer("application/json; x=l0ngs3cret", "no-store", body.clone());
        record("l0ngs3cret", Person::default(), answer, &recorder).await;
        assert!(!memory.text().contains("l0ngs3cret"), "{}", memory.text());
    }
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
