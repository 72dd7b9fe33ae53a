//! The parts of a client that a login uses.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::HeaderMap;

use crate::auth::source::{TokenContext, TokenSetup};
use crate::auth::token::TokenError;
use crate::time::clock::Clock;
use crate::time::deadline::within;
use crate::transport::Transport;
use crate::url::base_url::BaseUrl;

/// The parts of the client that sends the requests of a login.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) headers: Arc<HeaderMap>,
    pub(crate) base_url: BaseUrl,
    pub(crate) allow_http: bool,
    /// The timeout of a request.
    pub(crate) limit: Duration,
}

impl Context {
    pub(super) fn of_tokens(&self) -> TokenContext<'_> {
        TokenContext { transport: &*self.transport, clock: &*self.clock, headers: &self.headers }
    }

    /// Awaits a request up to its timeout.
    pub(super) async fn within<T>(
        &self,
        request: impl Future<Output = Result<T, TokenError>>,
    ) -> Result<T, TokenError> {
        let limit = self.limit;
        let begun = Instant::now();
        let late = || {
            self.transport.timed_out(begun);
            TokenError::transient(format!("no response of the provider within {limit:?}"))
        };
        self.within_limit(limit, request, late).await
    }

    pub(super) async fn within_limit<T>(
        &self,
        limit: Duration,
        future: impl Future<Output = Result<T, TokenError>>,
        late: impl FnOnce() -> TokenError,
    ) -> Result<T, TokenError> {
        within(&*self.clock, limit, pin!(future)).await.unwrap_or_else(|_| Err(late()))
    }

    pub(super) fn setup(&self) -> TokenSetup<'_> {
        TokenSetup { base_url: &self.base_url, allow_http: self.allow_http }
    }
}
