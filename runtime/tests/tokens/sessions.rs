//! Refresh tokens, and authentication of the client in the header.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use openapi_bindings_runtime::{
    Body, BoxFuture, ClientCredentials, ErrorKind, RefreshToken, RequestBody, RetryPolicy,
    Transport, TransportError, http,
};
use tokio::sync::Semaphore;
use tokio::task::yield_now;
use tokio::time::advance;

use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::server::{Act, Seen, Server, json, response};
use crate::support::{client, timed};

/// Answers requests for tokens, and calls.
fn server(token: impl Fn(usize, &Seen) -> Act + Send + Sync + 'static) -> Server {
    let number = Mutex::new(0);
    Server::new(move |_, seen| {
        if seen.target != "/token" {
            return json(200, "{}");
        }
        let mut number = number.lock().unwrap();
        *number += 1;
        token(*number, seen)
    })
}

fn forms(server: &Server) -> Vec<String> {
    let requests = server.seen().into_iter().filter(|seen| seen.target == "/token");
    requests.map(|seen| seen.body).collect()
}

#[tokio::test]
async fn a_client_can_authenticate_in_the_header() {
    let server = server(|_, _| json(200, r#"{"access_token":"t"}"#));
    let source = ClientCredentials::new("/token", "m:e", "x y&z").scope("a").secret_in_header();
    assert!(!format!("{source:?}").contains("x y&z"));
    let client = client(server.url()).token_source(source).build().unwrap();
    get(&client, "7").await.unwrap();
    let asked = &server.seen()[0];
    // `m%3Ae:x%20y%26z`
    assert_eq!(asked.headers["authorization"], "Basic bSUzQWU6eCUyMHklMjZ6");
    assert_eq!(asked.body, "grant_type=client_credentials&scope=a");
}

#[tokio::test]
async fn refresh_tokens_rotate() {
    let server = server(|number, _| {
        json(
            200,
            &format!(
                r#"{{"access_token":"t{number}","refresh_token":"r{number}","expires_in":600}}"#
            ),
        )
    });
    let clock = TestClock::new();
    let stored = Arc::new(Mutex::new(Vec::new()));
    let store = Arc::clone(&stored);
    let session = RefreshToken::new("/token", "me", "r0").on_rotation(move |token| {
        use openapi_bindings_runtime::ExposeSecret as _;
        store.lock().unwrap().push(token.expose_secret().to_owned());
    });
    let client = timed(client(server.url()).token_source(session), &clock).build().unwrap();
    for _ in 0..3 {
        get(&client, "7").await.unwrap();
        clock.pass(Duration::from_secs(601));
    }
    assert_eq!(
        forms(&server),
        [
            "grant_type=refresh_token&refresh_token=r0&client_id=me",
            "grant_type=refresh_token&refresh_token=r1&client_id=me",
            "grant_type=refresh_token&refresh_token=r2&client_id=me",
        ]
    );
    assert_eq!(*stored.lock().unwrap(), ["r1", "r2", "r3"]);
}

#[tokio::test]
async fn a_lost_response_does_not_lose_the_session() {
    let server = server(|number, _| match number {
        1 => Act::Close(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"access_to".to_vec()),
        _ => json(200, r#"{"access_token":"t"}"#),
    });
    let session = RefreshToken::new("/token", "me", "r0").client_secret("s3cr3t");
    let client =
        client(server.url()).token_source(session).retry(RetryPolicy::never()).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert!(error.is_retryable(), "{error}");
    get(&client, "7").await.unwrap();
    let form = "grant_type=refresh_token&refresh_token=r0&client_id=me&client_secret=s3cr3t";
    assert_eq!(forms(&server), [form, form]);
}

/// A transport whose provider rotates refresh tokens, and answers with a permit. As over a connection, a response that
/// has arrived is read in more than one step.
#[derive(Clone)]
struct Rotating(Arc<Provider>);

struct Provider {
    permits: Semaphore,
    /// The refresh tokens that it received.
    received: Mutex<Vec<String>>,
}

impl Transport for Rotating {
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        Box::pin(async move {
            yield_now().await;
            if request.uri().path() != "/token" {
                return Ok(http::Response::new(Body::from("{}")));
            }
            let form = std::str::from_utf8(request.body().as_bytes().unwrap()).unwrap().to_owned();
            let (_, token) = form.split_once("refresh_token=r").unwrap();
            let number: usize = token.split('&').next().unwrap().parse().unwrap();
            self.0.received.lock().unwrap().push(format!("r{number}"));
            self.0.permits.acquire().await.unwrap().forget();
            yield_now().await;
            let next = number + 1;
            Ok(http::Response::new(Body::from(format!(
                r#"{{"access_token":"t{next}","refresh_token":"r{next}","expires_in":600}}"#
            ))))
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_rotated_refresh_token_that_no_call_has_read_is_not_lost() {
    for (passed, expected) in [(200, &["r0", "r1"][..]), (700, &["r0", "r1", "r2"])] {
        let provider = Provider { permits: Semaphore::new(1), received: Mutex::default() };
        let provider = Rotating(Arc::new(provider));
        let session = RefreshToken::new("/token", "me", "r0");
        let client = client("https://pets.example")
            .transport(provider.clone())
            .token_source(session)
            .timeout(Duration::from_secs(100));
        let client = client.build().unwrap();
        get(&client, "7").await.unwrap();
        // This call begins the next refresh, and ends before the response.
        advance(Duration::from_secs(550)).await;
        get(&client, "7").await.unwrap();
        provider.0.permits.add_permits(2);
        advance(Duration::from_secs(passed)).await;
        get(&client, "7").await.unwrap();
        assert_eq!(*provider.0.received.lock().unwrap(), expected);
    }
}

#[tokio::test]
async fn an_ended_session_is_an_error_without_its_secrets() {
    let server = server(|_, seen| {
        let body = serde_json::json!({
            "error": "invalid_grant",
            "error_description": format!("{} {:?}", seen.body, seen.headers.get("authorization")),
        });
        response(400, &[], &body.to_string())
    });
    let session = RefreshToken::new("/token", "me", "r3fresh-t0ken")
        .client_secret("cl1ent-s3cr3t")
        .secret_in_header();
    let builder = client(server.url()).token_source(session);
    let shown = format!("{builder:?}");
    let error = get(&builder.build().unwrap(), "7").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Auth);
    assert!(!error.is_retryable());
    let text = format!("{shown} {error} {error:?}");
    assert!(text.contains("an OAuth 2.0 refresh token of `me`"), "{text}");
    for secret in ["r3fresh-t0ken", "cl1ent-s3cr3t", "bWU6"] {
        assert!(!text.contains(secret), "{secret} shows in: {text}");
    }
}
