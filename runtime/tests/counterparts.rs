//! Logins at third-party providers: `oauth2-mock-server` and `oidc-provider`, which `npm test` in `counterparts/` starts.

use std::env;
use std::fmt::Write as _;
use std::thread::{self, JoinHandle};

use openapi_bindings_runtime::{
    ClientCredentials, ErrorKind, ExposeSecret as _, Login, LoginSession, MemoryStore, Provider,
    RetryPolicy,
};

use crate::logins::browse;
use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::client;
use crate::support::server::{Server, json};

fn variable(name: &str) -> String {
    env::var(name)
        .unwrap_or_else(|_| panic!("no {name}: run `npm test` in runtime/tests/counterparts"))
}

/// Begins a login at a provider whose metadata is at a URL.
async fn login(issuer: &str) -> Login {
    let provider = Provider::new().discovery_url(issuer);
    let login = client(issuer)
        .build()
        .unwrap()
        .login(provider, "app")
        .scope("openid offline_access")
        .form_field("prompt", "consent");
    login.discover().await.unwrap()
}

/// Opens a page in the browser of the script, with what the user enters.
fn open(url: &str, entered: &str) -> JoinHandle<String> {
    let mut encoded = String::new();
    for byte in url.bytes() {
        write!(encoded, "%{byte:02X}").unwrap();
    }
    let target = format!("/?url={encoded}{entered}");
    thread::spawn(move || browse(&variable("BROWSER_URL"), &target))
}

/// Makes a call whose token is rejected once, and returns the tokens that it carried.
async fn rejected_once(session: LoginSession) -> Vec<String> {
    let server = Server::new(|number, _| json(if number == 0 { 401 } else { 200 }, "{}"));
    let client = client(server.url()).token_source(session).build().unwrap();
    get(&client, "7").await.unwrap();
    server.seen().iter().map(|seen| seen.headers["authorization"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`npm test` in `counterparts/` starts the providers"]
async fn a_user_logs_in_with_a_browser() {
    for issuer in ["MOCK_PROVIDER", "OIDC_PROVIDER"] {
        let login = login(&variable(issuer)).await.store(MemoryStore::default());
        let session = login.loopback(|url| drop(open(url, "&login=me&password=x"))).await.unwrap();
        // Rotation: the second refresh has the refresh token of the first.
        for _ in 0..2 {
            let tokens = rejected_once(session.clone()).await;
            assert_eq!(tokens.len(), 2, "{issuer}");
            assert_ne!(tokens[0], tokens[1], "{issuer}: the session is refreshed");
        }
        let resumed = login.resume().await.unwrap().unwrap();
        assert_eq!(rejected_once(resumed).await.len(), 2, "{issuer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`npm test` in `counterparts/` starts the providers"]
async fn a_user_logs_in_on_another_device() {
    let device = login(&variable("OIDC_PROVIDER")).await.device().await.unwrap();
    let url = device.verification_uri_complete().unwrap();
    let browser = open(url, "&login=me&password=x");
    let session = device.wait().await.unwrap();
    browser.join().unwrap();
    assert_eq!(rejected_once(session).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`npm test` in `counterparts/` starts the providers"]
async fn services_authenticate_in_the_header_or_in_the_body() {
    let token_url = variable("OIDC_PROVIDER") + "/token";
    let secret = "s3cr3t with spaces & more";
    let source = |id: &str, secret: &str| ClientCredentials::new(&token_url, id, secret);
    let server = Server::json("{}");
    for source in [
        source("service in the header", secret).secret_in_header(),
        source("service in the body", secret),
        ClientCredentials::new(variable("MOCK_PROVIDER") + "/token", "any", secret),
    ] {
        let client = client(server.url()).token_source(source).build().unwrap();
        get(&client, "7").await.unwrap();
        assert!(server.take()[0].headers["authorization"].starts_with("Bearer "));
    }
    let wrong = source("service in the body", "another");
    let client = client(server.url()).token_source(wrong).retry(RetryPolicy::never());
    let error = get(&client.build().unwrap(), "7").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Auth);
    assert!(error.to_string().contains("invalid_client"), "{error}");
}

/// The provider verifies with the library `jose`.
#[cfg(feature = "jwk")]
#[tokio::test(flavor = "multi_thread")]
#[ignore = "`npm test` in `counterparts/` starts the providers"]
async fn services_authenticate_by_their_keys() {
    let token_url = variable("OIDC_PROVIDER") + "/token";
    let server = Server::json("{}");
    for id in ["EdDSA", "ES256", "RS256"] {
        let source = ClientCredentials::new(&token_url, id, variable(&format!("KEY_{id}")));
        let client = client(server.url()).token_source(source).build().unwrap();
        get(&client, "7").await.unwrap();
        assert!(server.take()[0].headers["authorization"].starts_with("Bearer "), "{id}");
    }
    let other = ClientCredentials::new(&token_url, "ES256", variable("KEY_EdDSA"));
    let client = client(server.url()).token_source(other).retry(RetryPolicy::never());
    let error = get(&client.build().unwrap(), "7").await.unwrap_err();
    assert!(error.to_string().contains("invalid_client"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "`npm test` in `counterparts/` starts the providers"]
async fn a_guessed_code_is_refused() {
    for issuer in ["MOCK_PROVIDER", "OIDC_PROVIDER"] {
        let login = login(&variable(issuer)).await;
        let begun = login.authorize_url("http://127.0.0.1/").unwrap();
        let state = begun.state().expose_secret();
        let redirect = format!("?code=guessed&state={state}&iss={}", variable(issuer));
        let error = login.exchange(begun, redirect).await.unwrap_err();
        assert!(!error.is_transient(), "{issuer}: {error}");
        assert!(!format!("{error} {error:?}").contains("guessed"), "{issuer}: {error}");
    }
}
