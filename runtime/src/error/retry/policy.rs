//! Decides which failed attempts are retried.

use std::sync::Arc;
use std::time::Duration;

use http::Method;

use super::backoff::Backoff;
use crate::error::Error;
use crate::error::operation::Operation;
use crate::secrets::debug::shown;

/// Decides whether a failed attempt is retried, how often, and after what pause.
///
/// The standard rule never retries a call that is not idempotent and may have been processed:
///
/// - GET, HEAD, PUT, DELETE, OPTIONS and QUERY are retried after failed connections, timeouts, broken
///   connections and the statuses 408, 429, 500, 502, 503 and 504, and after 403 that says when to try again;
/// - POST and PATCH are retried if the server cannot have processed them: nothing was sent, the server rejected the request
///   without processing it (HTTP/2), status 429, 403 that says when to try again, or 503 with `Retry-After`;
/// - POST and PATCH with an idempotency key that the operation describes are retried like GET: the server
///   recognizes the call;
/// - no call is retried after its body, a stream, was read.
///
/// A 401 does not depend on the policy: the token is refreshed and the call retried once.
#[derive(Clone)]
pub struct RetryPolicy {
    max_attempts: u32,
    pub(crate) backoff: Backoff,
    /// The rule that replaces the standard one.
    rule: Option<Arc<Rule>>,
}

type Rule = dyn Fn(&FailedAttempt<'_>) -> Retry + Send + Sync;

/// What a retry rule decides. `true` is [`Yes`](Self::Yes), `false` is [`No`](Self::No).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// The call fails.
    No,
    /// After the pause that the server asks for, if it does, and that of the [`Backoff`].
    Yes,
    /// After this pause in place of the one that the server asks for. It has the same limit,
    /// [`Backoff::with_max_retry_after`].
    After(Duration),
}

impl From<bool> for Retry {
    fn from(retries: bool) -> Self {
        if retries { Self::Yes } else { Self::No }
    }
}

/// A failed attempt, as a retry rule sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FailedAttempt<'a> {
    /// The method of the call.
    pub method: &'a Method,
    /// The operation of the call.
    pub operation: &'static Operation,
    /// The number of attempts so far, this one included.
    pub attempts: u32,
    /// The error, with the status, the headers and the body of the response, if there was one.
    pub error: &'a Error,
    /// Whether the server may have acted on the request. It has not if the attempt timed out before the transport began to
    /// send, or, with the default one, before a connection read anything of the body. A request without a body counts as
    /// sent once it is given to the connections, even if none is established.
    pub sent: bool,
    /// Whether the request has an idempotency key, in the header that the operation describes.
    pub has_idempotency_key: bool,
}

impl FailedAttempt<'_> {
    /// Returns whether the standard rule retries the attempt. [`Error::is_retryable`] only tells whether its cause is
    /// transient.
    pub fn is_retryable(&self) -> bool {
        if !self.error.is_retryable() {
            return false;
        }
        // `QUERY` is a GET with a body (OpenAPI 3.2), which `http` does not know.
        let is_idempotent = self.method.is_idempotent() || self.method.as_str() == "QUERY";
        if !self.sent || self.has_idempotency_key || is_idempotent {
            return true;
        }
        match self.error.status() {
            Some(403 | 429) => true,
            Some(503) => self.error.retry_after().is_some(),
            _ => false,
        }
    }
}

impl RetryPolicy {
    /// Returns the standard rule with at most 4 attempts.
    pub fn standard() -> Self {
        Self { max_attempts: 4, backoff: Backoff::default(), rule: None }
    }

    /// Returns a policy without retries.
    pub fn never() -> Self {
        Self::standard().with_max_attempts(1)
    }

    /// Limits the number of attempts, the first included.
    #[must_use]
    pub fn with_max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = attempts;
        self
    }

    /// Sets the pauses between attempts.
    #[must_use]
    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Replaces the standard rule. The number of attempts, the total timeout and the retry budget still
    /// limit the retries.
    ///
    /// ```
    /// # use openapi_bindings_runtime::RetryPolicy;
    /// // The server deduplicates calls of this operation, so it can always be retried.
    /// let policy = RetryPolicy::standard().with_rule(|failed| {
    ///     failed.is_retryable() || failed.operation.id == "pets.create" && failed.error.is_retryable()
    /// });
    /// ```
    ///
    /// The error has what the server answered, and [`Retry::After`] says when to try again:
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use openapi_bindings_runtime::{Retry, RetryPolicy};
    /// // Another call holds the resource. A 409 with another code is permanent.
    /// let policy = RetryPolicy::standard().with_rule(|failed| {
    ///     let is_locked = failed.error.status() == Some(409)
    ///         && failed.error.code().is_some_and(|code| code == "LOCKED");
    ///     if is_locked {
    ///         return Retry::After(Duration::from_secs(5));
    ///     }
    ///     failed.is_retryable().into()
    /// });
    /// ```
    #[must_use]
    pub fn with_rule<R: Into<Retry>>(
        mut self,
        retries: impl Fn(&FailedAttempt<'_>) -> R + Send + Sync + 'static,
    ) -> Self {
        self.rule = Some(Arc::new(move |failed: &FailedAttempt<'_>| retries(failed).into()));
        self
    }

    pub(crate) fn decide(&self, failed: &FailedAttempt<'_>) -> Retry {
        match &self.rule {
            _ if failed.attempts >= self.max_attempts => Retry::No,
            None => failed.is_retryable().into(),
            Some(rule) => rule(failed),
        }
    }

    /// Returns whether the retry after this number of attempts is the last one that is allowed.
    pub(crate) fn is_last(&self, attempts: u32) -> bool {
        attempts.saturating_add(1) >= self.max_attempts
    }
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self::standard()
    }
}

shown!(RetryPolicy, |it|
    max_attempts: it.max_attempts,
    backoff: it.backoff,
    has_own_rule: it.rule.is_some(),
);

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use http::{HeaderMap, StatusCode};

    use super::*;
    use crate::error::ErrorKind;

    static CALLED: Operation = Operation { id: "x.y", method: "POST", path: "/" };

    fn failure(status: Option<u16>, asked_to_wait: bool) -> Error {
        let Some(status) = status.and_then(|status| StatusCode::from_u16(status).ok()) else {
            return Error::new(ErrorKind::Timeout);
        };
        let mut error = Error::new(ErrorKind::Status);
        error.0.retry_after = asked_to_wait.then_some(Duration::ZERO);
        error.with_response(status, HeaderMap::new(), Bytes::new())
    }

    #[test]
    fn the_standard_rule_retries_nothing_that_may_have_been_processed_twice() {
        let all = (true, true);
        let idempotent = (true, false);
        for (status, asked_to_wait, sent, (by_put, by_post)) in [
            (None, false, false, all),
            (None, false, true, idempotent),
            (Some(408), false, true, idempotent),
            (Some(429), false, true, all),
            (Some(500), true, true, idempotent),
            (Some(502), false, true, idempotent),
            (Some(503), false, true, idempotent),
            (Some(503), true, true, all),
            (Some(504), false, true, idempotent),
            (Some(409), true, true, (false, false)),
        ] {
            let methods = [Method::GET, Method::PUT, Method::DELETE, Method::POST, Method::PATCH];
            for (method, has_idempotency_key) in
                methods.iter().flat_map(|method| [(method, false), (method, true)])
            {
                let failed = FailedAttempt {
                    method,
                    operation: &CALLED,
                    attempts: 1,
                    error: &failure(status, asked_to_wait),
                    sent,
                    has_idempotency_key,
                };
                let is_post =
                    !has_idempotency_key && matches!(*method, Method::POST | Method::PATCH);
                let expected = if is_post { by_post } else { by_put };
                assert_eq!(failed.is_retryable(), expected, "{failed:?}");
            }
        }
    }
}
