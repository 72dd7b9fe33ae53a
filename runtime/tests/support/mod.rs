//! Requests as emitted code has them, scripted servers, a clock that a test drives, and hooks.

pub mod api;
pub mod clock;
#[cfg(feature = "http2")]
pub mod http2;
#[allow(dead_code, reason = "the tests of the workspace share it")]
pub mod server;
pub mod tls;

use std::future::ready;

use openapi_bindings_runtime::{
    AssertionClaims, AssertionSigner, Attempt, BoxError, BoxFuture, Client, ClientBuilder,
    ClientCredentials, Interceptor, RequestBody, SecretString, TokenSource, http,
};

use self::clock::{TIMER, TestClock};

/// Begins a client for a server on this machine, with a token.
pub fn client(base_url: impl Into<String>) -> ClientBuilder<Client> {
    ClientBuilder::new(&api::SERVICE, base_url).bearer_token("s3cr3t-token")
}

/// The methods that emitted builders have for the first scheme of their API.
pub trait FirstScheme: Sized {
    /// Sends a fixed access token.
    fn bearer_token(self, token: impl Into<SecretString>) -> Self;

    /// Obtains access tokens from a source.
    fn token_source(self, source: impl TokenSource) -> Self;

    /// Obtains access tokens with the client credentials grant of OAuth 2.0.
    fn client_credentials(
        self,
        token_url: impl Into<String>,
        client_id: impl Into<String>,
        secret: impl Into<SecretString>,
    ) -> Self {
        self.token_source(ClientCredentials::new(token_url, client_id, secret.into()))
    }
}

impl FirstScheme for ClientBuilder<Client> {
    fn bearer_token(self, token: impl Into<SecretString>) -> Self {
        self.credential(0, token)
    }

    fn token_source(self, source: impl TokenSource) -> Self {
        self.credential_source(0, source)
    }
}

/// Sets the clock, and timeouts that its timers end.
pub fn timed(builder: ClientBuilder<Client>, clock: &TestClock) -> ClientBuilder<Client> {
    builder.clock(clock.clone()).timeout(TIMER).total_timeout(TIMER * 10)
}

/// An interceptor that modifies requests.
pub struct Before<F>(pub F)
where
    F: Fn(&mut http::Request<RequestBody>) -> Result<(), BoxError>;

impl<F> Interceptor for Before<F>
where
    F: Fn(&mut http::Request<RequestBody>) -> Result<(), BoxError> + Send + Sync + 'static,
{
    fn before<'a>(
        &'a self,
        _: &'a Attempt,
        request: &'a mut http::Request<RequestBody>,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(ready((self.0)(request)))
    }
}

/// A signer of assertions.
pub struct Signer<F>(pub F)
where
    F: Fn(AssertionClaims<'_>) -> Result<SecretString, BoxError>;

impl<F> AssertionSigner for Signer<F>
where
    F: Fn(AssertionClaims<'_>) -> Result<SecretString, BoxError> + Send + Sync + 'static,
{
    fn sign<'a>(
        &'a self,
        claims: AssertionClaims<'a>,
    ) -> BoxFuture<'a, Result<SecretString, BoxError>> {
        Box::pin(ready((self.0)(claims)))
    }
}
