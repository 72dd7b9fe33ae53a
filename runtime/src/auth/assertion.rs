//! Signed assertions (RFC 7523).

use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use jiff::Timestamp;
use secrecy::SecretString;

use super::context::TokenContext;
use super::token::TokenError;
use crate::time::future::{BoxError, BoxFuture};
use crate::time::pointers::forward;

const LIFETIME: Duration = Duration::from_secs(300);

/// A signed assertion, or the reason why there is none.
pub(crate) type SigningFuture<'a> = BoxFuture<'a, Result<SecretString, BoxError>>;

/// Signs assertions.
pub trait AssertionSigner: Send + Sync + 'static {
    /// Returns a signed JWT in compact form with these claims (RFC 7523, section 3) and a unique
    /// identifier (`jti`). It may add claims, and replace the audience if the server requires
    /// another one.
    ///
    /// # Errors
    ///
    /// An error fails the calls that wait for a token. It must not show the key. A [`TokenError::transient`] marks a
    /// transient cause, such as a key service that is unavailable: calls retry it within their retry policy. All other
    /// errors are permanent.
    fn sign<'a>(&'a self, claims: AssertionClaims<'a>) -> SigningFuture<'a>;
}

forward!(AssertionSigner for Arc, Box => {
    fn sign<'a>(&'a self, claims: AssertionClaims<'a>) -> SigningFuture<'a>;
});

/// The claims of an assertion.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AssertionClaims<'a> {
    /// `iss`: the issuer; the client's identifier where the assertion replaces a client secret.
    pub issuer: &'a str,
    /// `sub`: the user of the token; the client's identifier where the assertion replaces a client
    /// secret.
    pub subject: &'a str,
    /// `aud`: the URL of the token endpoint.
    pub audience: &'a str,
    /// `iat`: now.
    pub issued_at: Timestamp,
    /// `exp`: five minutes from now.
    pub expires_at: Timestamp,
}

/// Returns a signed assertion for a token endpoint.
pub(super) async fn sign(
    signer: &dyn AssertionSigner,
    issuer: &str,
    subject: &str,
    endpoint: &Uri,
    context: TokenContext<'_>,
) -> Result<SecretString, TokenError> {
    let now = context.now();
    let claims = AssertionClaims {
        issuer,
        subject,
        audience: &endpoint.to_string(),
        issued_at: now,
        expires_at: now.saturating_add(LIFETIME).unwrap_or(now),
    };
    let assertion = signer.sign(claims).await;
    assertion.map_err(|error| TokenError::caused("failed to sign the assertion", error))
}
