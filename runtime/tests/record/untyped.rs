//! Secrets where no type describes them: in names, in headers, by their form, and repeated by other properties.

use openapi_bindings_runtime::internal::{
    DecodeFailure, Endpoint, FailingEndpoint, Operation, Rejection, decode_failure,
};
use openapi_bindings_runtime::{
    Client, ClientBuilder, Recorder, RetryPolicy, UnknownProperties, Value, internal, json,
};

use super::{Account, Memory, get_account, put_account};
use crate::support::api::{SERVICE, request};
use crate::support::server::{Act, Server, response};

/// The secret of these tests: it looks like a name.
const PLANTED: &str = "hunter2hunter2";

/// Records a call that is answered by this, and returns the text of the recording.
async fn record(body: Account, answer: impl Fn() -> Act + Send + Sync + 'static) -> String {
    let server = Server::new(move |_, _| answer());
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    let client = builder.allow_anonymous().retry(RetryPolicy::never()).build().unwrap();
    let _ = put_account(&client, "ada", body).await;
    recorder.flush();
    memory.text()
}

#[tokio::test]
async fn names_that_no_type_describes_are_placeholders() {
    let details = json!({"message": "failed", "code": 7, PLANTED: 1, "details": [{PLANTED: 2}]});
    for (status, body, kept) in [
        (200, json!({"kind": "KIND_USER", "api_key": {PLANTED: {PLANTED: 2}}}), "api_key"),
        (200, json!([{PLANTED: 1}]), "\"text\":\"[{"),
        (400, details.clone(), "message"),
        (500, json!([details]), "message"),
    ] {
        let body = body.to_string();
        let text = record(Account::default(), move || response(status, &[], &body)).await;
        assert!(!text.contains(PLANTED) && text.contains(kept), "{text}");
    }
}

#[tokio::test]
async fn what_extends_headers_is_a_placeholder() {
    for (media_type, kept) in [
        ("application/json; x=hunter2hunter2", "application/json; redacted-"),
        ("text/plain; charset=hunter2hunter2", "text/plain; charset=redacted-"),
        ("a/b; x=\"c,d/hunter2hunter2,e\"", "a/b; redacted-"),
        ("application/json; charset=utf-8", "json; charset=utf-8"),
    ] {
        let answer = move || {
            let cache = ("cache-control", "max-age=60, x=hunter2hunter2");
            let headers = [("content-type", media_type), cache, ("retry-after", "60")];
            response(200, &headers, "{}")
        };
        let text = record(Account::default(), answer).await;
        assert!(!text.contains(PLANTED) && text.contains(kept), "{text}");
        assert!(!text.contains("max-age") && text.contains(r#""value":"60""#), "{text}");
    }
}

#[tokio::test]
async fn a_secret_by_its_name_stays_in_no_other_property() {
    for (name, value) in [
        ("api_key", json!(918_273_645)),
        ("password", json!(4711)),
        ("session", json!("a session of ada")),
        ("apiKey", json!(PLANTED)),
    ] {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        for body in [
            json!({name: value, "count": value, "id": value, "more": [value]}),
            json!({"more": {name: [{"deep": value}]}, "count": value, "id": shown}),
        ] {
            for status in [200, 400] {
                let body = body.to_string();
                let answer = move || response(status, &[], &body);
                let text = record(Account::default(), answer).await;
                let read: Value = serde_json::from_str(&text).unwrap();
                let content = read["response"]["content"]["text"].as_str().unwrap();
                assert!(!content.contains(&shown), "{content}");
            }
        }
    }
}

/// The body of an error that the operation declares.
#[derive(Clone, Default)]
pub struct Refusal {
    number: Option<i64>,
    unknown: UnknownProperties,
}

internal::object! { Refusal { number: "reasonNumber" } unknown }

#[derive(Debug)]
pub struct Check;

impl Endpoint for Check {
    type Body = ();
    type Output = Account;
    type Format = internal::Json;
    const OPERATION: &'static Operation =
        &Operation { id: "accounts.check", method: "GET", path: "/check" };
    const FAILURE: Option<DecodeFailure> = Some(decode_failure::<Self>);
}

impl FailingEndpoint for Check {
    type Failure = Refusal;

    fn failure(reply: &Rejection<'_>) -> Option<Refusal> {
        if reply.status() == 409 { reply.json() } else { None }
    }
}

#[tokio::test]
async fn declared_errors_keep_their_names() {
    for (status, failure) in [(409, Some(5)), (410, None)] {
        let server = Server::new(move |_, _| response(status, &[], r#"{"reasonNumber":5}"#));
        let memory = Memory::default();
        let recorder = Recorder::to_writer(memory.clone());
        let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
        let client = builder.allow_anonymous().build().unwrap();
        request::<Check>(&client, ()).await.unwrap_err();
        recorder.flush();
        let builder = ClientBuilder::<Client>::new(&SERVICE, "https://a.test");
        let replay = builder.allow_anonymous().transport(memory.replay()).build().unwrap();
        let error = request::<Check>(&replay, ()).await.unwrap_err();
        let replayed = error.failure::<crate::support::api::Request<Check>>();
        assert_eq!(replayed.and_then(|refusal| refusal.number), failure);
    }
}

#[tokio::test]
async fn the_message_of_an_error_stays_one() {
    let server = Server::new(|_, _| response(400, &[], r#"{"message":"no such account"}"#));
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    get_account(&builder.allow_anonymous().build().unwrap(), "ada").await.unwrap_err();
    recorder.flush();
    let builder = ClientBuilder::<Client>::new(&SERVICE, "https://a.test");
    let replay = builder.allow_anonymous().transport(memory.replay()).build().unwrap();
    let error = get_account(&replay, "ada").await.unwrap_err().to_string();
    assert!(error.contains(": redacted-") && !error.contains("message"), "{error}");
}
