//! Secrets in requests for tokens.

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};

use super::token::TokenError;
use crate::secrets::debug::opaque;
use crate::time::future::{BoxError, BoxFuture};

/// A secret in requests for tokens: fixed, or read for each request, such as one that is rotated.
///
/// ```
/// # use openapi_bindings_runtime::{ClientCredentials, SecretSource};
/// let secret = SecretSource::new(|| async {
///     let text = std::fs::read_to_string("/run/secrets/client")?;
///     Ok(text.trim_end().into())
/// });
/// let credentials = ClientCredentials::new("/auth/v1/token", "client-id", secret);
/// ```
#[derive(Clone)]
pub struct SecretSource(SecretKind);

#[derive(Clone)]
enum SecretKind {
    Fixed(SecretString),
    Read(Arc<Read>),
}

type Read = dyn Fn() -> BoxFuture<'static, Result<SecretString, BoxError>> + Send + Sync;

impl SecretSource {
    /// Reads the secret for each request. The timeout of the request includes the time of reading.
    ///
    /// An error fails the calls that wait for a token. It must not show the secret. A [`TokenError::transient`] marks a
    /// transient cause: calls retry it within their retry policy. All other errors are permanent.
    pub fn new<F>(read: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<SecretString, BoxError>> + Send + 'static,
    {
        Self(SecretKind::Read(Arc::new(move || Box::pin(read()))))
    }

    /// Returns the secret for a request. `what` is its name in errors.
    pub(super) async fn read(&self, what: &str) -> Result<SecretString, TokenError> {
        let read = match &self.0 {
            SecretKind::Fixed(secret) => return Ok(secret.clone()),
            SecretKind::Read(read) => read().await,
        };
        let secret =
            read.map_err(|error| TokenError::caused(format!("failed to read the {what}"), error))?;
        match fault(what, secret.expose_secret()) {
            None => Ok(secret),
            Some(fault) => Err(TokenError::new(fault)),
        }
    }

    /// Returns the secret, if it is fixed.
    pub(super) fn fixed(&self) -> Option<&str> {
        match &self.0 {
            SecretKind::Fixed(secret) => Some(secret.expose_secret()),
            SecretKind::Read(_) => None,
        }
    }
}

/// A fixed secret.
impl<S: Into<SecretString>> From<S> for SecretSource {
    fn from(secret: S) -> Self {
        Self(SecretKind::Fixed(secret.into()))
    }
}

opaque!(SecretSource);

/// Returns why a text is not an identifier, a secret or a token: it is blank, or was read with a line break.
pub(super) fn fault(what: &str, text: &str) -> Option<String> {
    match text.trim() {
        "" => Some(format!("the {what} is empty")),
        trimmed if trimmed != text => {
            Some(format!("the {what} begins or ends with white space; trim it"))
        }
        _ => None,
    }
}
