//! Signed assertions (RFC 7523): who signs them, and what they say.

use std::time::Duration;

use http::Uri;
use jiff::Timestamp;
use secrecy::SecretString;

use super::{TokenContext, TokenError};
use crate::{BoxError, BoxFuture};

/// How long a signed assertion lasts.
const LIFETIME: Duration = Duration::from_secs(300);

/// Signs assertions; the key and the algorithm are the implementer's.
pub trait AssertionSigner: Send + Sync + 'static {
    /// Returns a signed JWT, in its compact form, that makes these claims (RFC 7523, section 3) and
    /// has an identifier of its own (`jti`). It can make others, too, or have another audience if
    /// the server wants it.
    ///
    /// # Errors
    ///
    /// An error fails the calls that wait for a token; it must not show the key. A
    /// [`TokenError::transient`] says that the cause may pass by itself, such as a key service that
    /// is away for a moment: calls then ask again within their retry policy. All other errors stay
    /// until somebody corrects them.
    fn sign<'a>(
        &'a self,
        claims: AssertionClaims<'a>,
    ) -> BoxFuture<'a, Result<SecretString, BoxError>>;
}

/// What an assertion says.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AssertionClaims<'a> {
    /// `iss`: who makes the assertion. The client's identifier where it stands for a secret.
    pub issuer: &'a str,
    /// `sub`: whom the token is for. The client's identifier where it stands for a secret.
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
    signer.sign(claims).await.map_err(|error| {
        let may_pass = error.downcast_ref().is_some_and(TokenError::is_transient);
        let message = "the assertion could not be signed";
        let unsigned =
            if may_pass { TokenError::transient(message) } else { TokenError::new(message) };
        unsigned.with_source(error)
    })
}
