//! Access tokens, and errors of obtaining them.

use std::error::Error as StdError;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::Uri;
use http::uri::Authority;
use secrecy::SecretString;

use crate::time::future::BoxError;
use crate::transport::error::TransportError;

/// An access token and its lifetime.
#[derive(Clone, Debug)]
pub struct Token {
    pub(crate) secret: SecretString,
    pub(crate) lifetime: Option<Duration>,
    /// The refresh token that came with it.
    pub(crate) refresh: Option<SecretString>,
}

impl Token {
    /// Returns a token without a lifetime: it is used until the server rejects it.
    pub fn new(secret: impl Into<SecretString>) -> Self {
        Self { secret: secret.into(), lifetime: None, refresh: None }
    }

    /// Sets the lifetime, counted from now. A token with a lifetime of zero is used only by the calls that
    /// are waiting for it.
    #[must_use]
    pub fn expires_in(mut self, lifetime: Duration) -> Self {
        self.lifetime = Some(lifetime);
        self
    }
}

/// The error of a failed attempt to obtain an access token. Every call that waits for the token gets a clone.
#[derive(Clone, Debug)]
pub struct TokenError {
    message: String,
    transient: bool,
    code: Option<Arc<str>>,
    retry_after: Option<Duration>,
    /// The URL of the endpoint that the request was sent to, without its query.
    endpoint: Option<Arc<str>>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
    /// Whether the calls that share the failure may be retried.
    retry: Arc<OnceLock<bool>>,
}

impl TokenError {
    /// Returns an error with a permanent cause, such as invalid credentials.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            transient: false,
            code: None,
            retry_after: None,
            endpoint: None,
            source: None,
            retry: Arc::default(),
        }
    }

    /// Returns an error with a transient cause: calls retry it within their retry policy.
    pub fn transient(message: impl Into<String>) -> Self {
        Self { transient: true, ..Self::new(message) }
    }

    /// Returns the failure of another refresh, which other calls share.
    pub(super) fn of_refresh(self) -> Self {
        Self { retry: Arc::default(), ..self }
    }

    /// Returns whether the calls that share the failure may be retried, as the first of them decides.
    pub(crate) fn is_retried(&self, decide: impl FnOnce() -> bool) -> bool {
        *self.retry.get_or_init(decide)
    }

    /// Returns an error with the cause of what the user provides, which can be a [`transient`](Self::transient) one.
    pub(super) fn caused(message: impl Into<String>, cause: BoxError) -> Self {
        let known = cause.downcast_ref::<Self>();
        let transient = known.is_some_and(Self::is_transient);
        let retry_after = known.and_then(Self::retry_after);
        Self { transient, retry_after, ..Self::new(message) }.with_source(cause)
    }

    /// Returns the error of a request, or of its response, which is transient unless its cause is permanent.
    pub(super) fn of_transport(message: String, cause: TransportError) -> Self {
        Self { transient: !cause.lasting, ..Self::new(message) }.with_source(cause)
    }

    /// Adds the cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.source = Some(Arc::from(source.into()));
        self
    }

    /// Sets the wait before a retry that the server asks for, such as with `Retry-After`.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    pub(crate) fn with_code(mut self, code: &str) -> Self {
        self.code = Some(code.into());
        self
    }

    pub(super) fn with_endpoint(mut self, url: &Uri) -> Self {
        let scheme = url.scheme_str().unwrap_or_default();
        let authority = url.authority().map_or("", Authority::as_str);
        self.endpoint = Some(format!("{scheme}://{authority}{}", url.path()).into());
        self
    }

    /// Returns the URL of the endpoint, without its query, if the error is from a request.
    pub fn endpoint(&self) -> Option<&str> {
        self.endpoint.as_deref()
    }

    /// Returns the error code of the server (RFC 6749, section 5.2), such as `invalid_grant`.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// Returns the wait before a retry that the server asks for (`Retry-After`).
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Returns whether the cause is transient.
    pub fn is_transient(&self) -> bool {
        self.transient
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.endpoint {
            None => Ok(()),
            Some(endpoint) => write!(f, " ({endpoint})"),
        }
    }
}

impl StdError for TokenError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
