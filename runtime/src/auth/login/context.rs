//! The timeouts of the requests of a login.

use std::pin::pin;
use std::time::{Duration, Instant};

use crate::auth::context::Context;
use crate::auth::token::TokenError;
use crate::time::deadline::within;

impl Context {
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
}
