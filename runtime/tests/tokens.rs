//! Requests for access tokens, and the cache.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use openapi_bindings_runtime::{
    AssertionClaims, AssertionSigner, BoxError, BoxFuture, Client, ClientCredentials, JwtBearer,
    RequestBody, RetryPolicy, Token, TokenContext, TokenError, TokenSetup, TokenSource, http,
};
use tokio::task::JoinSet;

use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::server::{Seen, Server, json, response};
use crate::support::{Signer, client, timed};

mod flights;
#[cfg(feature = "jwk")]
mod keys;
mod model;
mod rotation;
mod sessions;

/// Returns the token that a request carries.
fn bearer(request: &http::Request<RequestBody>) -> String {
    let header = request.headers()["authorization"].to_str().unwrap();
    header.strip_prefix("Bearer ").unwrap().to_owned()
}

/// Returns a server that issues tokens with this `expires_in`, and a count of them.
fn issuer(expires_in: &'static str) -> (Server, impl Fn() -> usize) {
    let server = Server::new(move |number, seen| match seen.target.as_str() {
        "/token" => json(
            200,
            &format!(r#"{{"access_token":"t{number}","token_type":"Bearer"{expires_in}}}"#),
        ),
        _ => json(200, "{}"),
    });
    let counted = server.clone();
    (server, move || counted.seen().iter().filter(|seen| seen.target == "/token").count())
}

fn with_credentials(server: &Server, clock: &TestClock) -> Client {
    let builder = client(server.url()).client_credentials("/token", "me", "x y&z");
    timed(builder, clock).build().unwrap()
}

#[tokio::test]
async fn client_credentials_are_sent_in_the_body() {
    let (server, _) = issuer("");
    get(&with_credentials(&server, &TestClock::new()), "7").await.unwrap();
    let seen = server.seen();
    let [asked, called] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!((asked.method.as_str(), asked.target.as_str()), ("POST", "/token"));
    assert_eq!(asked.headers["content-type"], "application/x-www-form-urlencoded");
    assert_eq!(asked.body, "grant_type=client_credentials&client_id=me&client_secret=x%20y%26z");
    assert!(!asked.headers.contains_key("authorization"));
    assert_eq!(called.headers["authorization"], "Bearer t0");
}

/// Returns a signer that shows the claims instead of signing them.
fn signer() -> impl AssertionSigner {
    Signer(|claims| {
        let lifetime = claims.expires_at.duration_since(claims.issued_at).as_secs();
        let AssertionClaims { issuer, subject, audience, .. } = claims;
        Ok(format!("{issuer}.{subject}.{audience}.{lifetime}").into())
    })
}

/// Returns the target and the form of the request for a token that a call of this source sends.
async fn request_of(source: impl TokenSource) -> (String, String) {
    let (server, _) = issuer("");
    let client = client(server.url() + "/tenant").token_source(source).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert!(error.to_string().contains("no `access_token`"), "{error}");
    let request = server.only();
    let host = server.url().replace(':', "%3A").replace('/', "%2F");
    (request.target, request.body.replace(&host, "HOST"))
}

#[tokio::test]
async fn a_token_request_has_scope_form_fields_and_assertion() {
    let credentials = ClientCredentials::with_assertion("auth/token", "me", signer())
        .scope("a b")
        .form_field("audience", "x");
    let (target, form) = request_of(credentials).await;
    assert_eq!(target, "/tenant/auth/token");
    assert_eq!(
        form,
        "grant_type=client_credentials&client_id=me\
         &client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3A\
         client-assertion-type%3Ajwt-bearer\
         &client_assertion=me.me.HOST%2Ftenant%2Fauth%2Ftoken.300&scope=a%20b&audience=x"
    );
}

#[tokio::test]
async fn token_errors_of_any_status_are_reported() {
    for (status, body, expected) in [
        (
            400,
            r#"{"error":"invalid_scope","error_description":"no such scope"}"#,
            "HTTP 400 Bad Request: invalid_scope (no such scope)",
        ),
        (200, r#"{"error":"invalid_client"}"#, "HTTP 200 OK: invalid_client"),
        (200, r#"{"error":null}"#, "the response of the token endpoint has no `access_token`"),
        (500, "oops", "HTTP 500 Internal Server Error"),
    ] {
        let server = Server::new(move |_, _| json(status, body));
        let builder = client(server.url()).client_credentials("/token", "me", "secret");
        let client = builder.retry(RetryPolicy::never()).build().unwrap();
        let error = get(&client, "7").await.unwrap_err();
        assert!(error.is_auth());
        assert_eq!(error.is_retryable(), status == 500);
        let expected = format!("{expected} ({}/token)", server.url());
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
}

#[tokio::test]
async fn a_token_endpoint_can_ask_for_a_longer_pause() {
    for (wait, attempts) in [(60, 2), (61, 1)] {
        let server = Server::new(move |number, _| match number {
            0 => response(429, &[("retry-after", &wait.to_string())], ""),
            _ => json(400, "{}"),
        });
        let clock = TestClock::new();
        let error = get(&with_credentials(&server, &clock), "7").await.unwrap_err();
        assert_eq!(error.attempts(), attempts);
        let wait = Duration::from_secs(wait);
        if attempts == 1 {
            assert_eq!(error.retry_after(), Some(wait));
        } else {
            assert!(clock.pauses()[0] >= wait, "{:?}", clock.pauses());
        }
    }
}

#[tokio::test]
async fn a_token_is_accepted_next_to_empty_error_properties() {
    for (status, answer) in [
        (201, r#"{"access_token":"t"}"#),
        (200, r#"{"access_token":"t","error":null}"#),
        (200, r#"{"access_token":"t","error":"","error_description":""}"#),
    ] {
        let server = Server::new(move |_, seen| match seen.target.as_str() {
            "/token" => json(status, answer),
            _ => json(200, "{}"),
        });
        let builder = client(server.url()).client_credentials("/token", "me", "secret");
        get(&builder.build().unwrap(), "7").await.unwrap();
        assert_eq!(server.seen()[1].headers["authorization"], "Bearer t");
    }
}

#[tokio::test]
async fn jwt_bearer_sends_the_assertion_as_a_grant() {
    let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer";
    let (target, form) = request_of(JwtBearer::new("/token/of", "me", signer())).await;
    assert_eq!(target, "/token/of");
    assert_eq!(form, format!("{grant}&assertion=me.me.HOST%2Ftoken%2Fof.300"));
    let source = JwtBearer::new("/token/of", "me", signer())
        .on_behalf_of("somebody")
        .scope("a b")
        .form_field("client_id", "c");
    assert_eq!(
        request_of(source).await.1,
        format!("{grant}&assertion=me.somebody.HOST%2Ftoken%2Fof.300&scope=a%20b&client_id=c")
    );
}

#[tokio::test]
async fn tokens_from_assertions_are_cached() {
    let (server, tokens) = issuer(r#","expires_in":3600"#);
    let client = client(server.url())
        .token_source(JwtBearer::new("/token", "me", signer()))
        .build()
        .unwrap();
    assert_eq!(client.credentials().unwrap(), "OAuth 2.0 assertions of `me`");
    get(&client, "7").await.unwrap();
    get(&client, "7").await.unwrap();
    assert_eq!(tokens(), 1);
    assert_eq!(server.seen()[2].headers["authorization"], "Bearer t0");
}

#[tokio::test]
async fn an_assertion_that_cannot_be_signed_or_sent_is_an_error() {
    let broken = Signer(|_| Err("the key store is locked".into()));
    let (server, _) = issuer("");
    let begun = || client(server.url());
    let broken = begun().token_source(JwtBearer::new("/token", "me", broken)).build().unwrap();
    let error = get(&broken, "7").await.unwrap_err();
    assert!(error.is_auth() && !error.is_retryable());
    let text = error.to_string();
    assert!(text.contains("failed to sign the assertion: the key store is locked"), "{text}");
    assert!(server.seen().is_empty());

    let error = begun().token_source(JwtBearer::new("/token", "", signer())).build().unwrap_err();
    assert!(error.to_string().contains("the issuer"), "{error}");
    let away = begun().token_source(JwtBearer::new("http://a.example/token", "me", signer()));
    let error = away.build().unwrap_err();
    assert!(error.to_string().contains("unencrypted"), "{error}");
}

#[tokio::test]
async fn transient_failures_of_a_signer_are_retried() {
    let times = AtomicUsize::new(0);
    let unavailable = Signer(move |_| match times.fetch_add(1, Ordering::Relaxed) {
        0 => Err(TokenError::transient("the key service is unavailable").into()),
        1 => Ok("signed".into()),
        _ => Err(TokenError::new("the key was withdrawn").into()),
    });
    let (server, tokens) = issuer(r#","expires_in":0"#);
    let builder = client(server.url()).token_source(JwtBearer::new("/token", "me", unavailable));
    let client = timed(builder, &TestClock::new()).build().unwrap();
    get(&client, "7").await.unwrap();
    assert_eq!(tokens(), 1);
    let error = get(&client, "7").await.unwrap_err();
    assert_eq!((error.attempts(), error.is_retryable()), (1, false));
    assert!(error.to_string().contains("withdrawn"), "{error}");
}

#[tokio::test]
async fn tokens_are_cached_for_their_lifetime() {
    for (expires_in, requests) in [
        ("", [1, 1, 1]),
        (r#","expires_in":null"#, [1, 1, 1]),
        (r#","expires_in":"soon""#, [1, 1, 1]),
        (r#","expires_in":[100]"#, [1, 1, 1]),
        (r#","expires_in":18446744073709551615"#, [1, 1, 1]),
        (r#","expires_in":0"#, [1, 2, 3]),
        (r#","expires_in":-60"#, [1, 2, 3]),
        (r#","expires_in":"NaN""#, [1, 2, 3]),
        (r#","expires_in":100"#, [1, 1, 2]),
        (r#","expires_in":"100""#, [1, 1, 2]),
        (r#","expires_in":99.5"#, [1, 1, 2]),
    ] {
        let (server, tokens) = issuer(expires_in);
        let clock = TestClock::new();
        let client = with_credentials(&server, &clock);
        let mut asked = Vec::new();
        for passing in [0, 50, 50] {
            clock.pass(Duration::from_secs(passing));
            get(&client, "7").await.unwrap();
            asked.push(tokens());
        }
        assert_eq!(asked, requests, "{expires_in}");
    }
}

#[tokio::test]
async fn a_jump_of_the_wall_clock_costs_at_most_one_refresh() {
    let (server, tokens) = issuer(r#","expires_in":3600"#);
    let clock = TestClock::new();
    let client = with_credentials(&server, &clock);
    get(&client, "7").await.unwrap();
    for (wall, asked) in
        [("2020-01-01T00:00:00Z", 1), ("2030-01-01T00:00:00Z", 2), ("2025-01-01T00:00:00Z", 2)]
    {
        clock.set_wall(wall.parse().unwrap());
        get(&client, "7").await.unwrap();
        get(&client, "7").await.unwrap();
        assert_eq!(tokens(), asked, "{wall}");
    }
    clock.pass(Duration::from_secs(3600));
    clock.set_wall("2025-01-01T00:00:00Z".parse().unwrap());
    get(&client, "7").await.unwrap();
    assert_eq!(tokens(), 3, "the monotonic clock counts even if the time of day stands still");
}

#[tokio::test]
async fn requests_for_tokens_carry_the_headers_of_the_client() {
    let (api, _) = issuer("");
    let (elsewhere, _) = issuer("");
    for (url, token_url) in
        [(api.url(), "/token".to_owned()), (api.url(), elsewhere.url() + "/token")]
    {
        let client = client(url)
            .client_credentials(token_url, "me", "x")
            .user_agent("inventory/2.1")
            .default_header("x-api-key", "k")
            .default_header("accept", "application/vnd.pets+json");
        get(&client.build().unwrap(), "7").await.unwrap();
    }
    let within = api.seen().into_iter().find(|seen| seen.target == "/token").unwrap();
    assert_eq!(within.headers["user-agent"], "inventory/2.1 pets/1.2.3");
    assert_eq!(within.headers["x-api-key"], "k");
    assert_eq!(within.headers["accept"], "application/json");
    let outside = elsewhere.only();
    assert_eq!(outside.headers["user-agent"], "inventory/2.1 pets/1.2.3");
    assert!(!outside.headers.contains_key("x-api-key"), "it may be a secret of the API");
}

#[tokio::test]
async fn redirects_of_token_endpoints_are_not_followed() {
    let elsewhere = Server::json(r#"{"access_token":"t"}"#);
    let target = elsewhere.url();
    let server = Server::new(move |_, _| response(307, &[("location", &target)], ""));
    let error = get(&with_credentials(&server, &TestClock::new()), "7").await.unwrap_err();
    assert!(error.is_auth());
    assert!(error.to_string().contains("HTTP 307"), "{error}");
    assert!(elsewhere.seen().is_empty());
}

/// Gives one token, and from then on those of another source.
struct OldThenNew(Mutex<Option<Token>>, ClientCredentials);

impl TokenSource for OldThenNew {
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        match self.0.lock().unwrap().take() {
            Some(token) => Box::pin(async { Ok(token) }),
            None => self.1.token(context),
        }
    }

    fn check(&self, setup: TokenSetup<'_>) -> Result<(), BoxError> {
        self.1.check(setup)
    }
}

#[tokio::test]
async fn a_rejected_token_is_replaced_once_for_all_calls() {
    let server = Server::new(|_, seen: &Seen| {
        match (seen.target.as_str(), seen.headers.get("authorization").map(String::as_str)) {
            ("/token", _) => json(200, r#"{"access_token":"new","expires_in":3600}"#),
            (_, Some("Bearer new")) => json(200, "{}"),
            _ => json(401, "{}"),
        }
    });
    let first = Mutex::new(Some(Token::new("old")));
    let source = OldThenNew(first, ClientCredentials::new("/token", "me", "x"));
    let client = client(server.url()).token_source(source).build().unwrap();
    let mut calls = JoinSet::new();
    for _ in 0..50 {
        let client = client.clone();
        calls.spawn(async move { get(&client, "7").await.map(drop) });
    }
    while let Some(call) = calls.join_next().await {
        call.unwrap().unwrap();
    }
    assert_eq!(server.seen().iter().filter(|seen| seen.target == "/token").count(), 1);
}

/// Makes a call that is always answered with 401, by a client whose provider answers with these tokens. Returns the
/// numbers of attempts, and of all requests to the API and for tokens.
async fn rejected(token: impl Fn(usize) -> String + Send + Sync + 'static) -> (u32, [usize; 2]) {
    let server = Server::new(move |number, seen| match seen.target.as_str() {
        "/token" => {
            json(200, &format!(r#"{{"access_token":"{}","expires_in":3600}}"#, token(number)))
        }
        _ => json(401, "{}"),
    });
    let error = get(&with_credentials(&server, &TestClock::new()), "7").await.unwrap_err();
    assert_eq!(error.status(), Some(401));
    let seen = server.seen();
    let tokens = seen.iter().filter(|seen| seen.target == "/token").count();
    (error.attempts(), [seen.len() - tokens, tokens])
}

#[tokio::test]
async fn a_rejected_token_is_replaced_at_most_once() {
    assert_eq!(rejected(|number| format!("t{number}")).await, (2, [2, 2]));
    // The same token would be rejected again.
    assert_eq!(rejected(|_| "same".to_owned()).await, (1, [1, 2]));
}
