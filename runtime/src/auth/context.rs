//! The parts of a client that requests for tokens use.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;

use super::pending::Pending;
use super::source::{TokenContext, TokenSetup};
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
    pub(crate) pending: Arc<Pending>,
}

impl AuthContext {
    pub(crate) fn of_tokens(&self) -> TokenContext<'_> {
        TokenContext {
            transport: &*self.transport,
            clock: &*self.clock,
            headers: &self.headers,
            setup: self.setup(),
            pending: &self.pending,
        }
    }

    pub(crate) fn setup(&self) -> TokenSetup<'_> {
        TokenSetup { base_url: &self.base_url, allow_http: self.allow_http }
    }
}
