//! Clients that prove who they are by a signature instead of a secret (RFC 7523, section 2.2).

use jiff::Timestamp;
use secrecy::SecretString;

use crate::{BoxError, BoxFuture};

/// Signs the assertions of a client; the key and the algorithm are the implementer's.
pub trait AssertionSigner: Send + Sync + 'static {
    /// Returns a signed JWT, in its compact form, that makes these claims (RFC 7523, section 3) and
    /// has an identifier of its own (`jti`).
    ///
    /// # Errors
    ///
    /// An error fails the calls that wait for a token; it must not show the key.
    fn sign<'a>(
        &'a self,
        claims: AssertionClaims<'a>,
    ) -> BoxFuture<'a, Result<SecretString, BoxError>>;
}

/// What an assertion says.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AssertionClaims<'a> {
    /// `iss` and `sub`: the client's identifier.
    pub client_id: &'a str,
    /// `aud`: the URL of the token endpoint.
    pub audience: &'a str,
    /// `iat`: now.
    pub issued_at: Timestamp,
    /// `exp`: five minutes from now.
    pub expires_at: Timestamp,
}
