//! Credentials: where access tokens come from, and how they are kept.

mod assertion;
mod bearer;
mod cache;
mod client_credentials;
mod endpoint;
mod extras;
mod grant;
mod jwt_bearer;

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use secrecy::SecretString;

pub use self::assertion::{AssertionClaims, AssertionSigner};
pub use self::bearer::BearerToken;
pub(crate) use self::cache::TokenCache;
pub use self::client_credentials::ClientCredentials;
pub use self::jwt_bearer::JwtBearer;
use crate::clock::Clock;
use crate::transport::Transport;
use crate::{BoxError, BoxFuture};

/// Gives access tokens.
///
/// The client keeps a token until shortly before it expires or until the server refuses it, and
/// asks for one at a time, however many calls wait: a source need neither cache nor lock.
pub trait TokenSource: Send + Sync + 'static {
    /// Returns a new access token.
    ///
    /// The future is dropped when the call that drives it is given up, and another call then asks
    /// again.
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>>;

    /// Says in words, and without secrets, where the tokens come from.
    fn describe(&self) -> Cow<'_, str> {
        Cow::Borrowed("a token source")
    }

    /// Checks the source, once, when the client is built.
    ///
    /// # Errors
    ///
    /// An error fails the building of the client; it says what to correct.
    fn prepare(&mut self, setup: TokenSetup<'_>) -> Result<(), BoxError> {
        let _ = setup;
        Ok(())
    }
}

/// What a [`TokenSource`] can use to get a token.
#[derive(Clone, Copy)]
pub struct TokenContext<'a> {
    pub(crate) transport: &'a dyn Transport,
    pub(crate) clock: &'a dyn Clock,
}

impl<'a> TokenContext<'a> {
    /// Returns the client's transport.
    pub fn transport(&self) -> &'a dyn Transport {
        self.transport
    }

    /// Returns the time of day.
    pub fn now(&self) -> Timestamp {
        self.clock.wall()
    }
}

impl fmt::Debug for TokenContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenContext")
    }
}

/// What a [`TokenSource`] is told when the client is built.
#[derive(Clone, Copy, Debug)]
pub struct TokenSetup<'a> {
    pub(crate) base_url: &'a crate::client::base_url::BaseUrl,
    pub(crate) allow_http: bool,
}

impl TokenSetup<'_> {
    /// Returns the base URL of the API, without a trailing slash.
    pub fn base_url(&self) -> &str {
        self.base_url.as_str()
    }

    /// Returns whether secrets may travel unencrypted to other machines.
    pub fn allows_http(&self) -> bool {
        self.allow_http
    }
}

/// An access token and how long it lasts.
#[derive(Clone, Debug)]
pub struct Token {
    pub(crate) secret: SecretString,
    pub(crate) lifetime: Option<Duration>,
}

impl Token {
    /// Returns a token that is used until the server refuses it.
    pub fn new(secret: impl Into<SecretString>) -> Self {
        Self { secret: secret.into(), lifetime: None }
    }

    /// Sets how long the token lasts from now on. Zero is a token for the calls that are waiting,
    /// and no other.
    #[must_use]
    pub fn expires_in(mut self, lifetime: Duration) -> Self {
        self.lifetime = Some(lifetime);
        self
    }
}

/// Why no token could be had. Every call that was waiting for the token gets a clone.
#[derive(Clone, Debug)]
pub struct TokenError {
    message: String,
    transient: bool,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

impl TokenError {
    /// Returns an error for a cause that stays until somebody corrects it, such as wrong
    /// credentials.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), transient: false, source: None }
    }

    /// Returns an error for a cause that may pass by itself, so that calls ask again within their
    /// retry policy.
    pub fn transient(message: impl Into<String>) -> Self {
        Self { message: message.into(), transient: true, source: None }
    }

    /// Adds the cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.source = Some(Arc::from(source.into()));
        self
    }

    /// Returns whether the cause may pass by itself.
    pub fn is_transient(&self) -> bool {
        self.transient
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for TokenError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
