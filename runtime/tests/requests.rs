//! Requests as servers see them, and responses as users do.

use std::future::ready;
use std::sync::{Arc, Mutex};

use futures_util::FutureExt as _;
use http::{HeaderMap, StatusCode};
use openapi_bindings_runtime::internal;
use openapi_bindings_runtime::{
    Attempt, BoxError, BoxFuture, Client, ClientBuilder, Error, ErrorKind, Interceptor, Map,
    Model as _, RefreshToken, RequestBody, RetryPolicy, Value, http,
};
use serde_json::json;

use crate::models::Task;
use crate::support::FirstScheme as _;
use crate::support::api::{SERVICE, create, delete, get, list, list_of, operation, request};
use crate::support::clock::TestClock;
use crate::support::server::{Act, Bell, Server, Silence, json, response, unused_port};
use crate::support::{Before, client, timed};

#[tokio::test]
async fn a_call_is_sent_as_described() {
    let server = Server::json(r#"{"id":"7"}"#);
    let client = client(server.url()).build().unwrap();
    let pet = create(&client).await.unwrap();
    assert_eq!(pet["id"], "7");
    let seen = server.only();
    assert_eq!((seen.method.as_str(), seen.target.as_str()), ("POST", "/api/v1/pets"));
    assert_eq!(seen.headers["authorization"], "Bearer s3cr3t-token");
    assert_eq!(seen.headers["content-type"], "application/json");
    assert_eq!(seen.headers["accept"], "application/json");
    assert_eq!(seen.headers["user-agent"], "pets/1.2.3");
    assert_eq!(seen.body, r#"{"name":"Rex"}"#);
}

#[tokio::test]
async fn a_request_is_seen_without_sending_it_and_without_credentials() {
    let server = Server::json("{}");
    let builder = client(server.url()).bearer_token("s3cr3t-token");
    let builder = builder.default_header("x-api-key", "s3cr3t").default_header("x-tenant", "acme");
    let client = builder.build().unwrap();
    let call = || create(&client).with_query("q", "x y").with_header("x-note", "n");
    let seen = call().into_http().unwrap();
    assert_eq!(seen.method(), "POST");
    assert_eq!(seen.uri(), &*format!("{}/api/v1/pets?q=x%20y", server.url()));
    assert_eq!(&seen.body().as_bytes().unwrap()[..], br#"{"name":"Rex"}"#);
    assert!(server.seen().is_empty());
    call().await.unwrap();
    let sent = server.only().headers;
    for name in ["accept", "content-type", "user-agent", "x-note", "x-tenant"] {
        assert_eq!(seen.headers()[name], sent[name], "{name}");
    }
    assert!(!seen.headers().contains_key("authorization") && sent.contains_key("authorization"));
    assert!(!seen.headers().contains_key("x-api-key") && sent.contains_key("x-api-key"));
    // Those of the call are its own.
    let own = call().with_header("authorization", "mine").into_http().unwrap();
    assert_eq!(own.headers()["authorization"], "mine");
    let error = get(&client, "").into_http().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    assert_eq!(error.operation().map(|it| it.id), Some("pets.get"));
}

#[tokio::test]
async fn read_only_properties_are_not_sent() {
    operation!(UpdateTask, "tasks.update", PUT, "/api/v1/tasks", Task => Map);
    let call = async |client: &Client, task: &Task| {
        request::<UpdateTask>(client, Some(task.clone())).await.unwrap();
    };
    let update = async |task: &Task| {
        let server = Server::json("{}");
        call(&client(server.url()).build().unwrap(), task).await;
        server.only().body.parse::<Value>().unwrap()
    };
    let came = json!({
        "id": "1", "numericId": "7", "owner": {"name": "a", "seenAt": "2024-01-01T00:00:00Z"},
        "createdAt": "2024-01-01T00:00:00Z", "data": {"id": "2", "seenAt": ""}, "new": {"id": "3"},
        "wait": {"users": [{"seenAt": "2024-01-01T00:00:00Z"}, {"name": "b", "new": 1}]}, "policy": {"new": {"id": "4"}},
        "window": {"openAt": "2024-01-01T00:00:00Z", "closeAt": "2024-01-01T00:00:00Z"},
    });
    let mut task: Task = serde_json::from_value(came.clone()).unwrap();
    let mut sent = json!({
        "owner": {"name": "a"},
        "createdAt": "2024-01-01T00:00:00Z", "data": {"id": "2", "seenAt": ""}, "new": {"id": "3"},
        "wait": {"users": [{}, {"name": "b", "new": 1}]}, "policy": {"new": {"id": "4"}},
        "window": {"closeAt": "2024-01-01T00:00:00Z"},
    });
    assert_eq!(update(&task).await, sent);
    assert_eq!(serde_json::to_value(&task).unwrap(), came, "only requests leave them out");
    assert_eq!(update(&Task::default()).await, json!({"owner": {}}), "not even required ones");
    let unfit = Task::from_json(br#"{"owner": {"seenAt": "x"}, "numericId": "x"}"#).unwrap();
    assert_eq!(update(&unfit).await, json!({"owner": {}}), "nor values that they cannot hold");
    task.set_unknown("id", "5");
    sent["id"] = json!("5");
    assert_eq!(update(&task).await, sent, "what is set by its name is sent");
    #[cfg(feature = "test-util")]
    {
        use crate::support::api::Request;

        let fake = openapi_bindings_runtime::testing::FakeTransport::new();
        fake.reply::<Request<UpdateTask>>(Map::new());
        call(&client("https://pets.test").transport(fake.clone()).build().unwrap(), &task).await;
        assert_eq!(fake.requests()[0].body, sent);
    }
}

#[tokio::test]
async fn hostile_values_do_not_change_the_url() {
    let server = Server::json("{}");
    let client = client(server.url() + "/tenant/").build().unwrap();
    for (id, segment) in [
        ("a/b", "a%2Fb"),
        ("a\\b", "a%5Cb"),
        ("%2e%2e", "%252e%252e"),
        ("..;", "..%3B"),
        ("...", "..."),
        ("a?b#c", "a%3Fb%23c"),
        ("{id}", "%7Bid%7D"),
        ("/", "%2F"),
        (" ", "%20"),
        ("ü 100%", "%C3%BC%20100%25"),
        ("\u{202e}👩\u{200d}💻", "%E2%80%AE%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB"),
        ("a\tb\r\nc\u{0}", "a%09b%0D%0Ac%00"),
        ("~-._!$&'()*+,;=:@", "~-._%21%24%26%27%28%29%2A%2B%2C%3B%3D%3A%40"),
        ("x@evil.example:80", "x%40evil.example%3A80"),
    ] {
        get(&client, id).with_query("q", id).await.unwrap();
        let seen = server.seen().pop().unwrap();
        assert_eq!(seen.target, format!("/tenant/api/v1/pets/{segment}?q={segment}"), "{id:?}");
    }
}

#[tokio::test]
async fn invalid_values_are_refused() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    for (id, why) in
        [("", "`id` is empty"), (".", "`{id}` is `.` or `..`"), ("..", "`{id}` is `.` or `..`")]
    {
        let error = get(&client, id).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Request);
        assert!(error.to_string().contains(why), "{error}");
        assert!(
            error.to_string().starts_with("pets.get: GET /api/v1/pets/{id} failed: "),
            "{error}"
        );
        assert_eq!(error.attempts(), 0);
    }
    let error = get(&client, &"x".repeat(70_000)).await.unwrap_err();
    assert!(error.to_string().contains("the URL is too long by 4"), "{error}");
    let error = get(&client, "7")
        .with_query("page_size", "5")
        .with_query("filter", "x".repeat(65_600))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("the URL is too long by "), "{error}");
    let error = list(&client).with_header("x-note", "a\nb").await.unwrap_err();
    assert!(error.to_string().contains("the value of the header `x-note`"), "{error}");
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn headers_and_queries_of_a_call_are_sent() {
    let server = Server::json("{}");
    let client = client(server.url())
        .user_agent("inventory/2.1")
        .default_header("x-team", "blue")
        .build()
        .unwrap();
    let call = list(&client)
        .with_query("page_size", "5")
        .set_query("page_size", "10")
        .with_query("tag", "a")
        .with_query("tag", "b c")
        .with_header("x-team", "red");
    call.with_header("authorization", "Basic abc").await.unwrap();
    let seen = server.only();
    assert_eq!(seen.target, "/api/v1/pets?page_size=10&tag=a&tag=b%20c");
    assert_eq!(seen.headers["x-team"], "red");
    assert_eq!(seen.headers["authorization"], "Basic abc");
    assert_eq!(seen.headers["user-agent"], "inventory/2.1 pets/1.2.3");
}

#[tokio::test]
async fn lists_in_the_query_are_repeated_or_separated() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    list_of(&client, &["cat", "guinea pig"], &[1, 2]).await.unwrap();
    list_of(&client, &[], &[]).await.unwrap();
    let seen = server.seen();
    let targets: Vec<_> = seen.iter().map(|request| request.target.as_str()).collect();
    assert_eq!(targets, ["/api/v1/pets?kind=cat&kind=guinea%20pig&age=1,2", "/api/v1/pets"]);
}

#[tokio::test]
async fn raw_responses_have_status_headers_and_body() {
    let server = Server::new(|_, _| response(201, &[("x-request-id", "r-1")], r#"{"a": 1}"#));
    let client = client(server.url()).build().unwrap();
    let reply = create(&client).send_raw().await.unwrap();
    assert_eq!(reply.status(), StatusCode::CREATED);
    assert_eq!(reply.headers()["x-request-id"], "r-1");
    assert_eq!(&reply.body()[..], br#"{"a": 1}"#);
    assert_eq!(reply.attempts(), 1);
    assert!(reply.decode().unwrap_err().to_string().contains("no response with the status 201"));
}

#[tokio::test]
async fn a_response_without_content_is_no_value() {
    for act in [
        || response(204, &[], ""),
        || Act::Send(b"HTTP/1.1 205 Reset\r\ncontent-length: 0\r\n\r\n".to_vec()),
    ] {
        let server = Server::new(move |_, _| act());
        let client = client(server.url()).build().unwrap();
        let error = get(&client, "7").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode, "nobody sent a pet");
        delete(&client, "7").await.unwrap();
    }
    for body in ["{}", "", "null", "[1]", "not JSON"] {
        let server = Server::new(move |_, _| json(200, body));
        delete(&client(server.url()).build().unwrap(), "7").await.unwrap();
    }
}

#[tokio::test]
async fn errors_have_the_response() {
    let server = Server::new(|_, _| {
        response(
            404,
            &[("x-request-id", "r-9"), ("content-type", "application/json")],
            r#"{"code":5,"message":"no such pet"}"#,
        )
    });
    let client = client(server.url()).build().unwrap();
    let error = get(&client, "7").with_query("secret", "hunter2").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "pets.get: GET /api/v1/pets/7 failed: HTTP 404 Not Found (request id r-9): no such pet"
    );
    assert_eq!(error.kind(), ErrorKind::Status);
    assert_eq!(error.status(), Some(404));
    assert!(error.is_not_found() && !error.is_conflict() && !error.is_rate_limited());
    assert_eq!(error.path(), Some("/api/v1/pets/7"));
    let body: serde_json::Value = error.decode_body().unwrap();
    assert_eq!(body["code"], 5);
    assert!(error.decode_body::<Vec<String>>().unwrap_err().is_decode());
    assert_eq!(error.headers()["x-request-id"], "r-9");
    assert_eq!(error.body(), br#"{"code":5,"message":"no such pet"}"#);
    assert_eq!(
        (error.request_id(), error.operation().map(|it| it.id), error.attempts()),
        (Some("r-9"), Some("pets.get"), 1)
    );
    assert!(
        !error.is_retryable() && !error.is_auth() && !error.is_timeout() && !error.is_connect()
    );
}

#[tokio::test]
async fn bodies_over_the_limit_are_not_read() {
    let server = Server::json(r#"{"a":1}"#);
    let client = client(server.url()).max_response_bytes(6).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(error.to_string().contains("larger than 6 bytes"), "{error}");
    get(&client, "7").with_max_response_bytes(7).await.unwrap();
}

#[tokio::test]
async fn interceptors_see_every_attempt() {
    struct Signature;
    impl Interceptor for Signature {
        fn before<'a>(
            &'a self,
            attempt: &'a Attempt,
            request: &'a mut http::Request<RequestBody>,
        ) -> BoxFuture<'a, Result<(), BoxError>> {
            Box::pin(async move {
                let signature = format!(
                    "{}-{}-{}",
                    attempt.operation.id,
                    attempt.number,
                    request.body().length().unwrap()
                );
                request.headers_mut().insert("x-signature", signature.parse()?);
                Ok(())
            })
        }

        fn after(&self, attempt: &Attempt, status: StatusCode, _: &HeaderMap) {
            assert_eq!(status.as_u16(), if attempt.number == 1 { 429 } else { 200 });
        }
    }
    let server = Server::new(|number, _| {
        if number == 0 { response(429, &[("retry-after", "0")], "") } else { json(200, "{}") }
    });
    create(&client(server.url()).interceptor(Signature).build().unwrap()).await.unwrap();
    let signatures: Vec<_> =
        server.seen().iter().map(|seen| seen.headers["x-signature"].clone()).collect();
    assert_eq!(signatures, ["pets.create-1-14", "pets.create-2-14"]);
}

/// Logs the hooks of each attempt.
#[derive(Clone, Default)]
struct Audit(Arc<Mutex<Vec<String>>>);

impl Audit {
    fn log(&self, hook: &str, attempt: &Attempt, outcome: &str) {
        let Attempt { call, number, .. } = attempt;
        self.0.lock().unwrap().push(format!("{hook} {call}.{number}{outcome}"));
    }
}

impl Interceptor for Audit {
    fn before<'a>(
        &'a self,
        attempt: &'a Attempt,
        _: &'a mut http::Request<RequestBody>,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        self.log("before", attempt, "");
        Box::pin(ready(Ok(())))
    }

    fn after(&self, attempt: &Attempt, status: StatusCode, _: &HeaderMap) {
        self.log("after", attempt, &format!(": {}", status.as_u16()));
    }

    fn failed(&self, attempt: &Attempt, error: &Error) {
        let operation = error.operation().map_or("no operation", |it| it.id);
        self.log("failed", attempt, &format!(": {} of {operation}", error.kind().name()));
    }
}

#[tokio::test]
async fn interceptors_can_pair_the_hooks_of_an_attempt() {
    let server = Server::new(|number, _| match number {
        0 => Act::Close(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{".to_vec()),
        1 => json(200, "{}"),
        _ => json(404, "{}"),
    });
    let audit = Audit::default();
    let client = timed(client(server.url()).interceptor(audit.clone()), &TestClock::new());
    let client = client.build().unwrap();
    get(&client, "7").await.unwrap();
    get(&client.clone(), "7").await.unwrap_err();
    let refused = crate::support::client(unused_port()).retry(RetryPolicy::never());
    get(&refused.interceptor(audit.clone()).build().unwrap(), "7").await.unwrap_err();
    let expected = [
        "before 1.1",
        "after 1.1: 200",
        "failed 1.1: interrupted of pets.get",
        "before 1.2",
        "after 1.2: 200",
        "before 2.1",
        "after 2.1: 404",
        "before 1.1",
        "failed 1.1: connect of pets.get",
    ];
    assert_eq!(*audit.0.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_failed_attempt_is_shown_to_the_interceptors_that_saw_its_request() {
    let server = Server::json("{}");
    let [first, last] = [Audit::default(), Audit::default()];
    let refuses = Before(|_: &mut http::Request<RequestBody>| Err("not now".into()));
    let builder = client(server.url()).interceptor(first.clone()).interceptor(refuses);
    let client = builder.interceptor(last.clone()).build().unwrap();
    get(&client, "7").await.unwrap_err();
    assert_eq!(*first.0.lock().unwrap(), ["before 1.1", "failed 1.1: request of pets.get"]);
    assert!(last.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn interceptors_cannot_change_the_origin() {
    let server = Server::json("{}");
    let elsewhere = Server::json("{}");
    let target: http::Uri = elsewhere.url().parse().unwrap();
    let detour = Before(move |request| {
        *request.uri_mut() = target.clone();
        Ok(())
    });
    let error =
        get(&client(server.url()).interceptor(detour).build().unwrap(), "7").await.unwrap_err();
    assert!(error.to_string().contains("another origin"), "{error}");
    assert!(elsewhere.seen().is_empty() && server.seen().is_empty());
}

#[test]
fn builders_refuse_invalid_settings() {
    let local = || ClientBuilder::<Client>::new(&SERVICE, "http://localhost");
    let session = |id: &str, token: &str| local().token_source(RefreshToken::new("/t", id, token));
    for (builder, why) in [
        (client("tenant.example.com"), "has no scheme"),
        (client("http://tenant.example.com"), "unencrypted"),
        (local().default_header("a b", "c"), "`a b` is not a valid header name"),
        (local().client_credentials("http://a.example/t", "id", "x"), "client's credentials"),
        (local().client_credentials(" ", "id", "x"), "the token URL is empty"),
        (local().client_credentials("/t", " ", "x"), "the client id is empty"),
        (local().client_credentials("/t", "id", ""), "the client secret is empty"),
        (local().client_credentials("/t", "id", "hunter2\n"), "the client secret begins or ends"),
        (session("", "hunter2"), "the client id is empty"),
        (session("id", " "), "the refresh token is empty"),
        (session("id", "hunter2\n"), "the refresh token begins or ends"),
        (local().bearer_token(" "), "the access token is empty"),
        (local().bearer_token("hunter2\n"), "the access token begins or ends with white space"),
        (local().bearer_token("hun ter2"), "invalid in a bearer token"),
        (local().bearer_token("Bearer hunter2"), "begins with `Bearer`, which the client adds"),
    ] {
        let error = builder.build().unwrap_err().to_string();
        assert!(error.contains(why) && !error.contains("hunter2"), "{error}");
    }
    assert!(client("http://tenant.example.com").allow_http().build().is_ok());
    assert!(
        ClientBuilder::<Client>::new(&SERVICE, "http://tenant.example.com").build().is_ok(),
        "there is no token to protect"
    );
}

#[tokio::test]
async fn paths_in_errors_can_be_hidden() {
    let server = Server::new(|_, _| json(404, "{}"));
    let shown = |client: Client| async move {
        let error = get(&client, "someone@example.com").await.unwrap_err();
        (error.to_string(), error.path().map(str::to_owned))
    };
    let (text, path) = shown(client(server.url()).build().unwrap()).await;
    assert!(text.contains("GET /api/v1/pets/someone%40example.com failed"), "{text}");
    assert_eq!(path.as_deref(), Some("/api/v1/pets/someone%40example.com"));
    let (text, path) = shown(client(server.url()).hide_path_values().build().unwrap()).await;
    assert!(text.contains("GET /api/v1/pets/{id} failed"), "{text}");
    assert_eq!(path, None);
}

#[tokio::test]
async fn dropping_a_call_ends_it() {
    let (sender, mut events) = tokio::sync::mpsc::unbounded_channel();
    let bell: Bell = Arc::new(move |event| sender.send(event).unwrap());
    let server = Server::new(move |_, _| Act::Stall(Vec::new(), Arc::clone(&bell)));
    let client = client(server.url()).build().unwrap();
    let call = tokio::spawn(async move { get(&client, "7").await });
    assert_eq!(events.recv().await, Some(Silence::Begins));
    call.abort();
    assert_eq!(events.recv().await, Some(Silence::ClientLeft));
    assert!(call.await.unwrap_err().is_cancelled());
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn errors_have_the_message_of_the_server() {
    let rejected = |status, body: &'static str| async move {
        let server = Server::new(move |_, _| json(status, body));
        let client = client(server.url()).retry(RetryPolicy::never()).build().unwrap();
        get(&client, "7").await.unwrap_err()
    };
    let error = rejected(
        404,
        r#"{"code":5,"message":"no such pet (id: a-1)","details":[{"@type":"x/acme.Info","n":1},7]}"#,
    )
    .await;
    assert_eq!(error.code().unwrap(), 5);
    assert_eq!(error.message().as_deref(), Some("no such pet (id: a-1)"));
    assert_eq!(error.details()[0].type_name(), Some("acme.Info"));
    assert_eq!((error.details().len(), error.request_id()), (1, Some("a-1")));
    let error = rejected(403, r#"{"error":{"code":"DENIED","message":"no","details":[{}]}}"#).await;
    assert_eq!(error.code().unwrap(), "DENIED");
    assert_eq!((error.message().as_deref(), error.details().len()), (Some("no"), 1));
    for body in ["", "{}", "[]", "no", "null", r#"{"details":{}}"#] {
        let error = rejected(500, body).await;
        assert_eq!((error.code(), error.message(), error.request_id()), (None, None, None));
        assert!(error.details().is_empty());
    }
    let error = rejected(200, r#"{"code":5,"message":"cut"#).await;
    assert!(error.is_decode() && error.code().is_none() && error.message().is_none());
}

#[tokio::test]
async fn headers_of_the_connection_are_refused() {
    for name in [
        "Content-Length", "transfer-encoding", "connection", "Host", "keep-alive",
        "proxy-connection", "te", "trailer", "upgrade",
    ] {
        let server = Server::json("{}");
        let builder = client(server.url());
        let call = get(&builder.build().unwrap(), "7").with_header(name, "5").into_future();
        let outcome = call.now_or_never().expect("refused before anything is sent");
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Request);
        let expected = format!("the header `{name}` is set by the HTTP client");
        assert!(error.to_string().contains(&expected), "{error}");
        assert!(server.seen().is_empty());
        let error = client(server.url()).default_header(name, "5").build().unwrap_err();
        assert!(error.to_string().contains(&expected), "{error}");
    }
}
