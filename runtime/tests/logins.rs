//! Logins of users, at a provider that checks what it receives.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use openapi_bindings_runtime::{
    Authorization, ErrorKind, ExposeSecret as _, Login, LoginSession, MemoryStore, Provider,
    RetryPolicy, SecretSource,
};
use tokio::task::JoinSet;
use tracing_core::{Dispatch, dispatcher};

use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::server::{Act, Seen, Server, json};
use crate::support::{client, timed};
use crate::traces::Recorder;

mod browsers;
mod devices;
mod faults;
mod files;
mod processes;

pub use browsers::browse;

const REDIRECT: &str = "https://app.example/callback";

fn provider() -> Provider {
    Provider::new()
        .authorization_url("https://login.example/authorize?prompt=consent")
        .token_url("/token")
        .device_url("/device")
}

/// Begins a login whose requests go to a server.
fn login(server: &Server, clock: &TestClock) -> Login {
    timed(client(server.url()), clock).build().unwrap().login(provider(), "app")
}

/// Returns the fields of a query or a form.
fn fields(text: &str) -> BTreeMap<String, String> {
    let query = text.split_once('?').map_or(text, |(_, query)| query);
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap());
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Answers requests for tokens with `t1`, `t2` and so on, valid for an hour, and calls with `{}`.
fn issuer() -> Server {
    let issued = Mutex::new(0);
    Server::new(move |_, seen| {
        if seen.target != "/token" {
            return json(200, "{}");
        }
        let mut issued = issued.lock().unwrap();
        *issued += 1;
        token(*issued)
    })
}

fn token(number: usize) -> Act {
    let token =
        format!(r#"{{"access_token":"t{number}","refresh_token":"r{number}","expires_in":3600}}"#);
    json(200, &token)
}

fn redirect_of(authorization: &Authorization) -> String {
    format!("{REDIRECT}?code=c0de&state={}", authorization.state().expose_secret())
}

async fn logged_in(login: &Login) -> LoginSession {
    let authorization = login.authorize_url(REDIRECT).unwrap();
    let redirect = redirect_of(&authorization);
    login.exchange(authorization, redirect).await.unwrap()
}

/// Makes a call with a session, and returns the token that it carried.
async fn call(server: &Server, session: &LoginSession, clock: &TestClock) -> String {
    let client = client(server.url()).token_source(session.clone());
    let client = timed(client, clock).build().unwrap();
    get(&client, "7").await.unwrap();
    server.seen().last().unwrap().headers["authorization"].clone()
}

fn forms(server: &Server) -> Vec<String> {
    let tokens = server.seen().into_iter().filter(|seen| seen.target == "/token");
    tokens.map(|seen| seen.body).collect()
}

#[tokio::test]
async fn a_code_is_exchanged_with_its_verifier() {
    let server = issuer();
    let clock = TestClock::new();
    let login = login(&server, &clock).scope("read write").client_secret("s3cr3t");
    let authorization = login.authorize_url(REDIRECT).unwrap();
    assert!(authorization.url().starts_with("https://login.example/authorize?prompt=consent&"));
    let sent = fields(authorization.url());
    let expected = [
        ("client_id", "app"),
        ("code_challenge_method", "S256"),
        ("redirect_uri", "https%3A%2F%2Fapp.example%2Fcallback"),
        ("response_type", "code"),
        ("scope", "read%20write"),
        ("state", authorization.state().expose_secret()),
    ];
    for (name, value) in expected {
        assert_eq!(sent[name], value, "{name}");
    }
    assert_eq!(sent["code_challenge"].len(), 43);
    let verifier = authorization.verifier().expose_secret().to_owned();
    assert!(!authorization.url().contains(&verifier));
    let redirect = redirect_of(&authorization);
    let session = login.exchange(authorization, &redirect).await.unwrap();
    assert_eq!(
        forms(&server),
        [format!(
            "grant_type=authorization_code&code=c0de&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback\
             &code_verifier={verifier}&client_id=app&client_secret=s3cr3t"
        )]
    );
    assert_eq!(call(&server, &session, &clock).await, "Bearer t1");
    assert_eq!(forms(&server).len(), 1, "the token of the code is used");
}

#[tokio::test]
async fn redirects_of_other_logins_send_nothing() {
    let server = issuer();
    let login = login(&server, &TestClock::new());
    for (query, why) in [
        ("code=c0de", "its `state` differs"),
        ("code=c0de&state=wrong", "its `state` differs"),
        ("code=c0de&state=STATE&state=STATE", "its `state` differs"),
        ("state=STATE", "has no `code`"),
        ("code=&state=STATE", "has no `code`"),
        ("error=access_denied&error_description=Not+you&state=STATE", "access_denied (Not you)"),
        (
            "error=a%0Db&error_description=client_secret%3Dhunter2,+STATE&state=STATE",
            "a b (client_secret=[redacted], [redacted])",
        ),
    ] {
        let authorization = login.authorize_url(REDIRECT).unwrap();
        let query = query.replace("STATE", authorization.state().expose_secret());
        let error = login.exchange(authorization, query).await.unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert!(error.code().is_none_or(|code| why.starts_with(code)), "{error:?}");
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn another_instance_completes_a_login() {
    let server = issuer();
    let login = login(&server, &TestClock::new());
    let begun = login.authorize_url(REDIRECT).unwrap();
    let resumed = Authorization::new(begun.state().clone(), begun.verifier().clone(), REDIRECT);
    login.exchange(resumed, redirect_of(&begun)).await.unwrap();
}

#[tokio::test]
async fn a_refused_code_shows_no_secret() {
    let server = Server::new(|_, seen| {
        let error = serde_json::json!({ "error": "invalid_grant", "error_description": seen.body });
        json(400, &error.to_string())
    });
    let secret = SecretSource::new(|| async { Ok("s3cr3t".into()) });
    let login = login(&server, &TestClock::new()).client_secret(secret);
    let authorization = login.authorize_url(REDIRECT).unwrap();
    let verifier = authorization.verifier().expose_secret().to_owned();
    let state = authorization.state().expose_secret().to_owned();
    let shown = format!("{login:?} {authorization:?}");
    let redirect = redirect_of(&authorization);
    let error = login.exchange(authorization, redirect).await.unwrap_err();
    assert_eq!(error.code(), Some("invalid_grant"));
    let text = format!("{shown} {error} {error:?}");
    for secret in [verifier.as_str(), &state, "c0de", "s3cr3t"] {
        assert!(!text.contains(secret), "{secret} shows in: {text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_ends_although_its_secret_is_never_read() {
    let client = client("https://pets.example").timeout(Duration::from_secs(10)).build().unwrap();
    let secret = SecretSource::new(std::future::pending::<Result<_, _>>);
    let error = client.login(provider(), "app").client_secret(secret).device().await.unwrap_err();
    let why = "the source of the credentials did not answer within 10s";
    assert_eq!((error.to_string().as_str(), error.is_transient()), (why, true));
}

#[tokio::test]
async fn sessions_refresh_once_for_all_clients() {
    let server = issuer();
    let clock = TestClock::new();
    let session = logged_in(&login(&server, &clock)).await;
    clock.pass(Duration::from_secs(3600));
    let mut calls = JoinSet::new();
    for _ in 0..20 {
        let server = server.clone();
        let session = session.clone();
        let clock = clock.clone();
        calls.spawn(async move { call(&server, &session, &clock).await });
    }
    calls.join_all().await;
    let forms = forms(&server);
    assert_eq!(forms.len(), 2, "{forms:?}");
    assert_eq!(forms[1], "grant_type=refresh_token&refresh_token=r1&client_id=app");
    clock.pass(Duration::from_secs(3600));
    assert_eq!(call(&server, &session, &clock).await, "Bearer t3");
}

#[tokio::test]
async fn a_refresh_token_remains_without_a_new_one() {
    let server = Server::new(|_, seen| match seen.target.as_str() {
        "/token" if seen.body.contains("refresh_token=r1") => {
            json(200, r#"{"access_token":"t2","expires_in":3600}"#)
        }
        "/token" => token(1),
        _ => json(200, "{}"),
    });
    let clock = TestClock::new();
    let session = logged_in(&login(&server, &clock)).await;
    for _ in 0..2 {
        clock.pass(Duration::from_secs(3600));
        assert_eq!(call(&server, &session, &clock).await, "Bearer t2");
    }
    assert_eq!(forms(&server).len(), 3);
}

#[tokio::test]
async fn a_rejected_token_is_refreshed() {
    let server = Server::new(|_, seen| match seen.headers.get("authorization") {
        None => token(if seen.body.contains("refresh_token=r1") { 2 } else { 1 }),
        Some(header) if header == "Bearer t1" => json(401, "{}"),
        Some(_) => json(200, "{}"),
    });
    let clock = TestClock::new();
    let session = logged_in(&login(&server, &clock)).await;
    assert_eq!(call(&server, &session, &clock).await, "Bearer t2");
}

#[tokio::test]
async fn a_session_without_refresh_token_ends() {
    let server = Server::new(|_, seen| match seen.target.as_str() {
        "/token" => json(200, r#"{"access_token":"t","expires_in":61}"#),
        _ => json(200, "{}"),
    });
    let clock = TestClock::new();
    let session = logged_in(&login(&server, &clock)).await;
    call(&server, &session, &clock).await;
    clock.pass(Duration::from_secs(61));
    let client = client(server.url()).token_source(session);
    let client = timed(client, &clock).retry(RetryPolicy::never()).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Auth);
    assert!(error.to_string().contains("log in again"), "{error}");
}

/// Issues tokens of this lifetime, with a refresh token or without.
fn short(seconds: u64, is_refreshable: bool) -> Server {
    let issued = AtomicUsize::new(0);
    Server::new(move |_, seen| {
        if seen.target != "/token" {
            return json(200, "{}");
        }
        let number = issued.fetch_add(1, Ordering::Relaxed) + 1;
        let refresh = if is_refreshable { r#","refresh_token":"r""# } else { "" };
        json(200, &format!(r#"{{"access_token":"t{number}","expires_in":{seconds}{refresh}}}"#))
    })
}

#[tokio::test]
async fn short_lived_tokens_are_used_until_they_are_due() {
    for (is_refreshable, passed, token) in [
        (true, 0, "Bearer t1"),
        (true, 53, "Bearer t1"),
        (true, 54, "Bearer t2"),
        (false, 59, "Bearer t1"),
    ] {
        let server = short(60, is_refreshable);
        let clock = TestClock::new();
        let store = MemoryStore::default();
        logged_in(&login(&server, &clock).store(store.clone())).await;
        clock.pass(Duration::from_secs(passed));
        let resumed = login(&server, &clock).store(store).resume().await.unwrap().unwrap();
        assert_eq!(call(&server, &resumed, &clock).await, token, "after {passed} s");
    }
}

#[tokio::test]
async fn the_request_of_a_session_is_within_the_call() {
    let server = issuer();
    let clock = TestClock::new();
    let session = logged_in(&login(&server, &clock)).await;
    clock.pass(Duration::from_secs(3600));
    let recorder = Recorder::default();
    let guard = dispatcher::set_default(&Dispatch::new(recorder.clone()));
    call(&server, &session, &clock).await;
    drop(guard);
    let text = recorder.text();
    let expected = "span http.client.request in http.client.request: otel.name=POST /token ";
    assert!(text.contains(expected), "{text}");
}

/// Issues a token that expires at once, and then others.
fn short_lived() -> Server {
    Server::new(|number, seen| match (number, seen.target.as_str()) {
        (0, "/token") => json(200, r#"{"access_token":"t1","refresh_token":"r1","expires_in":0}"#),
        (_, "/token") => token(2),
        _ => json(200, "{}"),
    })
}

#[tokio::test]
async fn a_dropped_call_does_not_lose_the_new_refresh_token() {
    let server = short_lived();
    let login = client(server.url())
        .build()
        .unwrap()
        .login(provider(), "app")
        .store(MemoryStore::default());
    let session = logged_in(&login).await;
    let client = client(server.url()).token_source(session).build().unwrap();
    // Polled once: the refresh has begun, and no call waits for it any more.
    assert!(get(&client, "7").send().now_or_never().is_none());
    drop(client);
    let resumed = login.resume().await.unwrap().unwrap();
    assert_eq!(call(&server, &resumed, &TestClock::new()).await, "Bearer t2");
    assert_eq!(forms(&server).len(), 2);
}

fn error(code: &str) -> Act {
    json(400, &format!(r#"{{"error":"{code}"}}"#))
}

/// Serves the metadata of a provider, with `ISSUER` in place of its URL.
fn discovered(metadata: &'static str) -> Server {
    let url = Arc::new(Mutex::new(String::new()));
    let issuer = Arc::clone(&url);
    let server = Server::new(move |_, seen: &Seen| match seen.target.as_str() {
        "/.well-known/openid-configuration" | "/.well-known/oauth-authorization-server" => {
            json(200, &metadata.replace("ISSUER", &issuer.lock().unwrap()))
        }
        "/token" => token(1),
        _ => json(404, "{}"),
    });
    *url.lock().unwrap() = server.url();
    server
}

#[tokio::test]
async fn metadata_names_the_urls() {
    let server = discovered(
        r#"{"issuer":"ISSUER","authorization_endpoint":"ISSUER/auth","token_endpoint":"ISSUER/token",
            "authorization_response_iss_parameter_supported":true}"#,
    );
    for url in
        ["", "/", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]
    {
        let provider = Provider::new().discovery_url(server.url() + url);
        let login = client("https://pets.example").build().unwrap().login(provider, "app");
        let error = login.authorize_url(REDIRECT).unwrap_err().to_string();
        assert!(error.contains("call `discover` first"), "{error}");
        let login = login.discover().await.unwrap();
        let authorization = login.authorize_url(REDIRECT).unwrap();
        assert!(authorization.url().starts_with(&(server.url() + "/auth?")));
        let redirect = redirect_of(&authorization);
        let error = login.exchange(authorization, &redirect).await.unwrap_err().to_string();
        assert!(error.contains("`iss` differs"), "{error}");
        let authorization = login.authorize_url(REDIRECT).unwrap();
        let redirect = redirect_of(&authorization) + "&iss=" + &server.url();
        login.exchange(authorization, &redirect).await.unwrap();
    }
}

#[tokio::test]
async fn metadata_of_another_issuer_is_refused() {
    for (metadata, why) in [
        (r#"{"issuer":"https://evil.example","token_endpoint":"ISSUER/token"}"#, "another issuer"),
        (r#"{"token_endpoint":"ISSUER/token"}"#, "another issuer"),
        (r#"{"issuer":"ISSUER","token_endpoint":"http://evil.example/token"}"#, "unencrypted"),
        ("[]", "not a JSON object"),
    ] {
        let server = discovered(metadata);
        let provider = Provider::new().discovery_url(server.url());
        let login = client("https://pets.example").build().unwrap().login(provider, "app");
        let error = login.discover().await.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[tokio::test]
async fn errors_name_the_url_that_is_invalid() {
    let server = issuer();
    let login = |provider| client(server.url()).build().unwrap().login(provider, "app");
    let hostile = [("realm", "a/../b".to_owned())];
    let with_variable = Provider::new().authorization_url("https://login.example/{realm}/auth");
    for (provider, why) in [
        (
            Provider::new().authorization_url("http://login.example/auth"),
            "the authorization URL is http",
        ),
        (
            Provider::new().authorization_url("javascript:alert(1)"),
            "the authorization URL is not a",
        ),
        (
            Provider::new().authorization_url("https://a@login.example"),
            "the authorization URL contains credentials",
        ),
        (Provider::new(), "the provider has no authorization URL"),
        (
            with_variable.filled(&hostile),
            "the authorization URL has no valid value for its variable `realm`",
        ),
    ] {
        let error = login(provider).authorize_url(REDIRECT).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    for (provider, why) in [
        (Provider::new().device_url("http://login.example/device"), "the device URL is http"),
        (Provider::new().device_url("/none"), "the device endpoint returned HTTP 404"),
    ] {
        let server = Server::new(|_, _| json(404, "{}"));
        let login = client(server.url()).build().unwrap().login(provider, "app");
        let error = login.device().await.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    let error = login(Provider::new().discovery_url("http://login.example")).discover().await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the discovery URL is http"), "{error}");
}
