//! Sources of access tokens.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use http::HeaderMap;
use jiff::Timestamp;

use super::pending::Pending;
use super::token::{Token, TokenError};
use crate::time::clock::Clock;
use crate::time::future::{BoxError, BoxFuture};
use crate::time::pointers::forward;
use crate::transport::Transport;
use crate::url::base_url::BaseUrl;

/// A source of access tokens.
///
/// The client caches a token until shortly before it expires or until the server rejects it, and
/// requests one at a time, however many calls wait. A source needs neither a cache nor a lock.
///
/// A source can return the tokens of others, such as [`ClientCredentials`](crate::ClientCredentials) that it makes for
/// each token. One that it has when the client is built is checked there if [`check`](Self::check) calls its own.
///
/// Clients can share a source as an `Arc<dyn TokenSource>`. Each obtains its own tokens, except for clients of one another's
/// `to_builder`, which share them.
pub trait TokenSource: Send + Sync + 'static {
    /// Returns a new access token.
    ///
    /// The calls that need the token drive the future. If they are dropped, the next call continues it.
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>>;

    /// Describes the source, without secrets.
    fn describe(&self) -> Cow<'_, str> {
        Cow::Borrowed("a token source")
    }

    /// Checks the source. Called when a client is built.
    ///
    /// # Errors
    ///
    /// An error fails [`ClientBuilder::build`](crate::ClientBuilder::build). Its message names what to
    /// correct.
    fn check(&self, setup: TokenSetup<'_>) -> Result<(), BoxError> {
        let _ = setup;
        Ok(())
    }

    /// Returns whether requests for tokens use https; called after [`check`](Self::check). If no request of the client
    /// does, its default transport loads no root certificates.
    fn uses_https(&self, setup: TokenSetup<'_>) -> bool {
        let _ = setup;
        true
    }
}

forward!(TokenSource for Arc, Box => {
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>>;
    fn describe(&self) -> Cow<'_, str>;
    fn check(&self, setup: TokenSetup<'_>) -> Result<(), BoxError>;
    fn uses_https(&self, setup: TokenSetup<'_>) -> bool;
});

/// The transport and the time, with which a [`TokenSource`] obtains a token.
#[derive(Clone, Copy)]
pub struct TokenContext<'a> {
    pub(crate) transport: &'a dyn Transport,
    pub(crate) clock: &'a dyn Clock,
    /// The default headers of the client.
    pub(crate) headers: &'a HeaderMap,
    pub(crate) setup: TokenSetup<'a>,
    pub(crate) pending: &'a Pending,
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

/// The settings of the client that a [`TokenSource`] obtains tokens for.
#[derive(Clone, Copy, Debug)]
pub struct TokenSetup<'a> {
    pub(crate) base_url: &'a BaseUrl,
    pub(crate) allow_http: bool,
}

impl TokenSetup<'_> {
    /// Returns the base URL of the API, without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.base_url.text
    }
}
