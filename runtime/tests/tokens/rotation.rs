//! Secrets that are read for each request, and sources that others make.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use openapi_bindings_runtime::{
    BoxError, BoxFuture, ClientCredentials, JwtBearer, RefreshToken, SecretSource, SecretString,
    Token, TokenContext, TokenError, TokenSource,
};

use super::{issuer, signer};
use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::Seen;
use crate::support::{client, timed};

/// Returns the requests for tokens of two calls with this source.
async fn requests(source: impl TokenSource) -> Vec<Seen> {
    let (server, _) = issuer(r#","expires_in":0"#);
    let client = client(server.url()).token_source(source).build().unwrap();
    get(&client, "7").await.unwrap();
    get(&client, "7").await.unwrap();
    server.seen().into_iter().filter(|seen| seen.target == "/token").collect()
}

/// Returns a secret with these values, one after the other.
fn read(
    value: impl Fn(usize) -> Result<SecretString, BoxError> + Send + Sync + 'static,
) -> SecretSource {
    let reads = AtomicUsize::new(0);
    SecretSource::new(move || std::future::ready(value(reads.fetch_add(1, Ordering::Relaxed))))
}

#[tokio::test]
async fn secrets_are_read_for_each_request() {
    let secret = || read(|number| Ok(format!("s{number}").into()));
    for requests in [
        requests(ClientCredentials::new("/token", "me", secret())).await,
        requests(RefreshToken::new("/token", "me", "r").client_secret(secret())).await,
        requests(JwtBearer::new("/token", "me", signer()).form_field("client_secret", secret()))
            .await,
    ] {
        let ends = |number: usize, secret: &str| {
            requests[number].body.ends_with(&format!("&client_secret={secret}"))
        };
        assert!(ends(0, "s0") && ends(1, "s1"), "{requests:?}");
    }
    for requests in [
        requests(ClientCredentials::new("/token", "me", secret()).secret_in_header()).await,
        requests(RefreshToken::new("/token", "me", "r").client_secret(secret()).secret_in_header())
            .await,
    ] {
        // `me:s0` and `me:s1`
        assert_eq!(requests[0].headers["authorization"], "Basic bWU6czA=");
        assert_eq!(requests[1].headers["authorization"], "Basic bWU6czE=");
    }
}

#[tokio::test]
async fn failures_of_reading_a_secret_are_those_of_the_token() {
    let secret = read(|number| match number {
        0 => Err(TokenError::transient("the vault is sealed").into()),
        1 => Ok("hunter2".into()),
        2 => Ok("hunter2\n".into()),
        _ => Err(TokenError::new("the vault has no such secret").with_retry_after(TIMER).into()),
    });
    assert!(!format!("{secret:?}").contains("hunter2"));
    let (server, tokens) = issuer(r#","expires_in":0"#);
    let source = ClientCredentials::new("/token", "me", secret);
    let builder = client(server.url()).token_source(source);
    let client = timed(builder, &TestClock::new()).build().unwrap();
    assert_eq!(get(&client, "7").send_raw().await.unwrap().attempts(), 2);
    for (why, wait) in [
        ("the client secret begins or ends with white space; trim it", None),
        ("failed to read the client secret: the vault has no such secret", Some(TIMER)),
    ] {
        let error = get(&client, "7").await.unwrap_err();
        assert!(error.is_auth() && !error.is_retryable(), "{error}");
        assert!(error.to_string().ends_with(why), "{error}");
        assert_eq!(error.retry_after(), wait);
    }
    assert_eq!(tokens(), 1);
}

/// Makes a source for each token.
struct Fresh<F>(F);

impl<S: TokenSource, F: Fn() -> S + Send + Sync + 'static> TokenSource for Fresh<F> {
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        Box::pin(async move { (self.0)().token(context).await })
    }
}

#[tokio::test]
async fn a_source_can_make_another_for_each_token() {
    let number = Arc::new(AtomicUsize::new(0));
    let next = move || format!("s{}", number.fetch_add(1, Ordering::Relaxed));
    let credentials = Fresh(move || ClientCredentials::new("token", "me", next()));
    let requests_of_each = [
        requests(credentials).await,
        requests(Fresh(|| RefreshToken::new("token", "me", "r"))).await,
        requests(Fresh(|| JwtBearer::new("token", "me", signer()))).await,
    ];
    assert!(requests_of_each.iter().all(|requests| requests.len() == 2));
    assert!(requests_of_each[0][1].body.ends_with("&client_secret=s1"), "{requests_of_each:?}");

    let (server, _) = issuer("");
    for (url, id, why) in [
        ("http://idp.example/token", "me", "the token URL is http"),
        ("", "me", "the token URL is empty"),
        ("token", "", "the client id is empty"),
    ] {
        let source = Fresh(move || ClientCredentials::new(url, id, "x"));
        let client = client(server.url()).token_source(source).build().unwrap();
        let error = get(&client, "7").await.unwrap_err();
        assert!(error.is_auth() && error.to_string().contains(why), "{error}");
    }
    assert!(server.seen().is_empty());
}
