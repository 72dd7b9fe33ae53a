//! The fake transport.

use std::time::Duration;

use openapi_bindings_runtime::testing::{FakeTransport, Reply};
use openapi_bindings_runtime::{
    Client, ClientBuilder, ErrorKind, Map, RetryPolicy, TransportError, Value, internal,
};
use serde_json::json;

use crate::models::{Action, Task};
use crate::support::FirstScheme as _;
use crate::support::api::{
    self, CreatePet, DeletePet, GetPet, ListOwners, ListPets, Request, operation,
};
use crate::support::clock::TestClock;

fn client(fake: &FakeTransport) -> Client {
    let builder: ClientBuilder<Client> =
        ClientBuilder::new(&api::SERVICE, "http://pets.test/prefix");
    let builder = builder.allow_http().client_credentials("/token", "id", "secret");
    builder.transport(fake.clone()).clock(TestClock::new()).build().unwrap()
}

#[tokio::test]
async fn replies_come_in_order_and_requests_are_recorded() {
    let fake = FakeTransport::new();
    fake.respond::<Request<GetPet>>(Reply::status(503).header("retry-after", "1"));
    fake.respond::<Request<GetPet>>(Reply::fault(TransportError::connect("refused")));
    fake.reply_json::<Request<GetPet>>(json!({"name": "Rex"}));
    let pet = api::get(&client(&fake), "a/b").with_query("q", "x y").await.unwrap();
    assert_eq!(pet["name"], "Rex");
    let requests = fake.requests();
    assert_eq!(requests.len(), 3, "each attempt is one, and the token is none: {requests:?}");
    let request = &requests[2];
    assert_eq!((request.operation.id, request.path["id"].as_str()), ("pets.get", "a/b"));
    assert_eq!((request.query("q"), request.body.is_null()), (Some("x y"), true));
    assert_eq!(request.headers["authorization"], "Bearer fake-1");
    assert!(!format!("{fake:?}").contains("Bearer"), "{fake:?}");
    fake.verify();
}

#[tokio::test]
async fn cookies_are_recorded_by_name() {
    let fake = FakeTransport::new();
    fake.reply::<Request<GetPet>>(Map::new());
    let request = api::get(&client(&fake), "1");
    request.with_header("cookie", "theme=dark%20blue; key=a=b; empty=; theme=2").await.unwrap();
    let request = &fake.requests()[0];
    let found = ["theme", "key", "empty", "them"].map(|name| request.cookie(name));
    assert_eq!(found, [Some("dark%20blue"), Some("a=b"), Some(""), None]);
}

#[tokio::test]
async fn debug_of_a_request_shows_no_value() {
    let fake = FakeTransport::new();
    fake.answer::<Request<CreatePet>>(|_| Reply::json(json!({})));
    let body = Map::from_iter([("password".to_owned(), json!("hunter2"))]);
    let call = api::request::<CreatePet>(&client(&fake), Some(body));
    call.with_query("key", "hunter2").with_header("x-key", "hunter2").await.unwrap();
    let text = format!("{fake:?} {:?}", fake.requests());
    assert!(text.contains("x-key") && text.contains("22 bytes"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

#[tokio::test]
async fn every_requested_token_is_different() {
    let fake = FakeTransport::new();
    fake.respond::<Request<GetPet>>(Reply::status(401));
    fake.reply::<Request<GetPet>>(Map::new());
    fake.reply::<Request<DeletePet>>(());
    let client = client(&fake);
    api::get(&client, "1").await.unwrap();
    api::delete(&client, "1").await.unwrap();
    let tokens =
        fake.requests().into_iter().map(|request| request.headers["authorization"].clone());
    assert_eq!(tokens.collect::<Vec<_>>(), ["Bearer fake-1", "Bearer fake-2", "Bearer fake-2"]);
    fake.verify();
}

#[tokio::test]
async fn requests_for_tokens_are_recorded_and_can_fail() {
    let fake = FakeTransport::new();
    fake.respond_token(Reply::status(400).json_body(json!({"error": "invalid_client"})));
    let short = json!({"access_token": "short", "token_type": "bearer", "expires_in": 5});
    fake.respond_token(Reply::json(short));
    fake.answer::<Request<GetPet>>(|_| Reply::json(json!({})));
    let error = api::get(&client(&fake), "1").await.unwrap_err();
    assert!(error.to_string().contains("invalid_client"), "{error}");
    assert_eq!(fake.requests().len(), 0);
    api::get(&client(&fake), "1").await.unwrap();
    api::get(&client(&fake), "1").await.unwrap();
    let sent = fake.requests().into_iter().map(|request| request.headers["authorization"].clone());
    assert_eq!(sent.collect::<Vec<_>>(), ["Bearer short", "Bearer fake-3"]);
    let requests = fake.token_requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[0].form("grant_type"), Some("client_credentials"));
    assert_eq!(requests[0].sent_path(), "/token");
    assert!(!format!("{requests:?}").contains("client_credentials"), "{requests:?}");
    fake.verify();
}

#[test]
#[should_panic(expected = "1 unused for `access tokens`")]
fn an_unused_reply_with_a_token_is_reported() {
    FakeTransport::new().respond_token(Reply::status(500)).verify();
}

#[tokio::test]
async fn a_reply_without_a_body_has_the_status_204() {
    let fake = FakeTransport::new();
    fake.reply::<Request<DeletePet>>(());
    let reply = api::delete(&client(&fake), "1").send_raw().await.unwrap();
    assert_eq!(reply.status(), 204);
}

#[tokio::test]
async fn the_fake_replies_with_pages() {
    let fake = FakeTransport::new();
    fake.reply_json::<Request<ListPets>>(json!({"list": [1, 2], "nextPageToken": "p2"}));
    fake.reply_json::<Request<ListPets>>(json!({"list": [3]}));
    let mut items = api::list(&client(&fake)).items();
    let mut found = Vec::new();
    while let Some(item) = items.try_next().await.unwrap() {
        found.push(item);
    }
    assert_eq!(found, [1, 2, 3]);
    assert_eq!(fake.requests()[1].query("page_token"), Some("p2"));
}

#[tokio::test]
async fn the_fake_replies_with_links() {
    let fake = FakeTransport::new();
    let linked = Reply::json(json!([1, 2])).header("link", "<?page=2>; rel=\"next\"");
    fake.respond::<Request<ListOwners>>(linked);
    fake.reply_json::<Request<ListOwners>>(json!([3]));
    let items = api::list_linked(&client(&fake)).items().collect().await.unwrap();
    assert_eq!(items, [1, 2, 3]);
    assert_eq!(fake.requests()[1].query("page"), Some("2"));
}

#[tokio::test]
async fn a_closure_of_the_fake_receives_the_request() {
    let fake = FakeTransport::new();
    fake.answer::<Request<CreatePet>>(|request| Reply::json(json!({"echo": request.body["name"]})));
    let client = client(&fake);
    for _ in 0..2 {
        assert_eq!(api::create(&client).await.unwrap()["echo"], "Rex");
    }
    fake.verify();
}

#[tokio::test]
async fn a_reply_is_cloned_for_several_calls() {
    let fake = FakeTransport::new();
    let refused = TransportError::connect("refused").lasting();
    for (reply, expected) in [
        (Reply::json(json!({"name": "Rex"})), Ok("Rex".into())),
        (Reply::fault(refused), Err((ErrorKind::Connect, false))),
    ] {
        fake.answer::<Request<GetPet>>(move |_| reply.clone());
        for _ in 0..2 {
            let outcome = api::get(&client(&fake), "1").await;
            let outcome = outcome.map(|pet| pet["name"].clone());
            assert_eq!(outcome.map_err(|error| (error.kind(), error.is_retryable())), expected);
        }
    }
}

#[tokio::test]
async fn a_reply_after_the_timeout_is_a_timeout_error() {
    let fake = FakeTransport::new();
    let builder: ClientBuilder<Client> = ClientBuilder::new(&api::SERVICE, "https://pets.test");
    let builder = builder.bearer_token("t").retry(RetryPolicy::never());
    let client: Client = builder.transport(fake.clone()).build().unwrap();
    fake.respond::<Request<GetPet>>(Reply::json(json!({})).delay(Duration::from_secs(600)));
    let error = api::get(&client, "1").with_timeout(Duration::from_millis(5)).await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
}

#[tokio::test]
async fn replies_of_any_status_have_models_and_values() {
    let fake = FakeTransport::new();
    let conflict = json!({"message": "taken"});
    fake.respond::<Request<GetPet>>(Reply::status(409).json_body(&conflict));
    let error = api::get(&client(&fake), "1").await.unwrap_err();
    assert!(error.is_conflict());
    assert_eq!(error.decode_body::<Value>().unwrap(), conflict);
    assert_eq!(error.headers()["content-type"], "application/json");
}

#[tokio::test]
async fn an_unexpected_call_fails_with_the_name_of_the_operation() {
    let fake = FakeTransport::new();
    let error = api::get(&client(&fake), "hunter2").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    let missing = "no reply for `pets.get`: GET /api/v1/pets/{id}";
    assert_eq!(error.cause().unwrap().to_string(), missing, "path values can be secrets");
    assert_eq!(fake.requests().len(), 1, "it is not retried");
    let panic = std::panic::catch_unwind(|| fake.verify()).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert_eq!(*text, format!("replies and calls differ: {missing}"));
}

#[test]
#[should_panic(expected = "replies and calls differ: 1 unused for `pets.get`")]
fn unused_replies_are_found() {
    let fake = FakeTransport::new();
    fake.reply::<Request<GetPet>>(Map::new());
    fake.verify();
}

#[test]
#[should_panic(expected = "invalid reply for `pets.get`: expected an object")]
fn a_reply_of_the_wrong_type_is_refused() {
    FakeTransport::new().reply_json::<Request<GetPet>>(json!([]));
}

#[test]
#[should_panic(
    expected = "invalid reply for `tasks.get`: union property `surprise` is not described"
)]
fn a_reply_with_drift_is_refused() {
    let json = json!({"id": "1", "owner": {}, "surprise": 1});
    FakeTransport::new().reply_json::<Request<GetTask>>(json);
}

operation!(GetTask, "tasks.get", GET, "/api/v1/tasks/{id}", Map => Task);

#[test]
#[should_panic(expected = "invalid reply for `tasks.get`")]
fn a_value_with_drift_is_refused() {
    let task = Task { actions: Some(vec![Action::from("ACTION_LATER")]), ..Task::default() };
    FakeTransport::new().reply::<Request<GetTask>>(task);
}

impl internal::FailingEndpoint for GetTask {
    type Failure = Map;

    fn failure(reply: &internal::Rejection<'_>) -> Option<Map> {
        match reply.status() {
            404 => reply.json(),
            _ => None,
        }
    }
}

/// Fakes have every form that a reply can have.
#[tokio::test]
async fn replies_have_every_form() {
    let fake = FakeTransport::new();
    let call = || api::get(&client(&fake), "1");
    fake.respond::<Request<GetPet>>(Reply::events([json!({"a": 1}), json!("x\ny")]));
    let mut events =
        internal::events::<String, internal::Text>(call(), (&[200], "text/event-stream"));
    let mut data = Vec::new();
    while let Some(event) = events.try_next().await.unwrap() {
        data.push(event.data);
    }
    assert_eq!(data, [r#"{"a":1}"#, "x\ny"]);
    fake.respond::<Request<GetPet>>(Reply::lines([json!([1]), json!("x")]));
    let mut lines =
        internal::lines::<Value, internal::Json>(call(), (&[200], "application/x-ndjson"));
    assert_eq!(lines.try_next().await.unwrap(), Some(json!([1])));
    assert_eq!(lines.try_next().await.unwrap(), Some(json!("x")));
    assert_eq!(lines.try_next().await.unwrap(), None);
    fake.respond::<Request<GetPet>>(Reply::text("é"));
    assert_eq!(
        internal::send_as::<_, internal::Text>(call(), (&[200], "text/plain")).await.unwrap(),
        "é"
    );
    fake.respond::<Request<GetPet>>(Reply::bytes("image/png", "PNG").broken_after(2));
    let mut stream = internal::open(call(), (&[200], "image/png")).await.unwrap();
    assert_eq!(stream.try_next().await.unwrap().unwrap(), "PN");
    assert_eq!(stream.try_next().await.unwrap_err().kind(), ErrorKind::Interrupted);
    fake.verify();
}

#[tokio::test]
async fn failures_are_what_the_operation_declares() {
    let fake = FakeTransport::new();
    fake.respond::<Request<GetTask>>(Reply::failure::<Request<GetTask>>(404, &json!({"a": 1})));
    let call = internal::call::<GetTask>(&client(&fake)).path("id", "1");
    let error = api::request_of::<GetTask>(call, None).await.unwrap_err();
    assert_eq!(error.failure::<Request<GetTask>>().unwrap()["a"], 1);
}

#[test]
#[should_panic(expected = "`tasks.get` declares no such body for the status 409")]
fn a_failure_that_is_not_declared_is_refused() {
    let _ = Reply::failure::<Request<GetTask>>(409, &json!({"a": 1}));
}
