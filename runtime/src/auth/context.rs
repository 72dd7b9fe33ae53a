//! The parts of a client that requests for tokens use.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use jiff::Timestamp;

use crate::time::clock::Clock;
use crate::transport::Transport;
use crate::url::base_url::BaseUrl;

/// The parts of the client that sends requests for tokens.
#[derive(Clone)]
pub(crate) struct AuthContext {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) headers: Arc<HeaderMap>,
    pub(crate) base_url: BaseUrl,
    pub(crate) allow_http: bool,
    /// The timeout of a request.
    pub(crate) limit: Duration,
}

impl AuthContext {
    pub(crate) fn of_tokens(&self) -> TokenContext<'_> {
        TokenContext(self)
    }

    pub(crate) fn setup(&self) -> TokenSetup<'_> {
        TokenSetup { base_url: &self.base_url, allow_http: self.allow_http }
    }
}

/// The transport and the time, with which a [`TokenSource`](crate::TokenSource) obtains a token.
#[derive(Clone, Copy)]
pub struct TokenContext<'a>(pub(super) &'a AuthContext);

impl<'a> TokenContext<'a> {
    /// Returns the client's transport.
    pub fn transport(&self) -> &'a dyn Transport {
        &*self.0.transport
    }

    /// Returns the time of day.
    pub fn now(&self) -> Timestamp {
        self.0.clock.wall()
    }
}

impl fmt::Debug for TokenContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenContext")
    }
}

/// The settings of the client that a [`TokenSource`](crate::TokenSource) obtains tokens for.
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
