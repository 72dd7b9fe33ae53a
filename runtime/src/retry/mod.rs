//! Which failed attempts are made again.

pub(crate) mod backoff;
pub(crate) mod budget;
pub(crate) mod retry_after;

use std::fmt;
use std::sync::Arc;

use http::{Method, StatusCode};

use crate::error::ErrorKind;
use crate::retry::backoff::Backoff;

/// Decides whether a failed attempt is made again, how often, and after what pause.
///
/// The standard rule never repeats a call that may have been processed and is not safe to repeat:
///
/// - GET, HEAD, PUT, DELETE and OPTIONS are repeated after failed connections, timeouts, broken
///   exchanges and the statuses 408, 429, 500, 502, 503 and 504;
/// - POST and PATCH are repeated where the server cannot have processed them: nothing was sent, the
///   server turned the request away unprocessed (HTTP/2), status 429, or status 503 with
///   `Retry-After`.
///
/// A 401 is another matter: the token is refreshed and the call repeated once, whatever the policy.
#[derive(Clone)]
pub struct RetryPolicy {
    max_attempts: u32,
    backoff: Backoff,
    rule: Rule,
}

#[derive(Clone)]
enum Rule {
    Standard,
    Own(Arc<dyn Fn(&FailedAttempt<'_>) -> bool + Send + Sync>),
}

/// What is known of an attempt that failed.
#[derive(Debug)]
#[non_exhaustive]
pub struct FailedAttempt<'a> {
    /// The method of the call.
    pub method: &'a Method,
    /// The operationId.
    pub operation: &'static str,
    /// How many attempts were made, this one included.
    pub attempts: u32,
    /// What went wrong.
    pub kind: ErrorKind,
    /// The status, if a response came.
    pub status: Option<StatusCode>,
    /// Whether the response has a `Retry-After`.
    pub asked_to_wait: bool,
    /// Whether the cause may pass by itself, as [`Error::is_retryable`](crate::Error::is_retryable)
    /// has it.
    pub transient: bool,
    /// Whether the server can have acted on the request.
    pub sent: bool,
}

impl FailedAttempt<'_> {
    /// Returns the answer of the standard rule.
    pub fn is_repeatable(&self) -> bool {
        if !self.transient {
            return false;
        }
        if !self.sent || is_idempotent(self.method) {
            return true;
        }
        match self.status {
            Some(StatusCode::TOO_MANY_REQUESTS) => true,
            Some(StatusCode::SERVICE_UNAVAILABLE) => self.asked_to_wait,
            _ => false,
        }
    }
}

/// Returns whether a second execution changes nothing more than the first (RFC 9110, section
/// 9.2.2).
pub(crate) fn is_idempotent(method: &Method) -> bool {
    matches!(
        *method,
        Method::GET | Method::HEAD | Method::PUT | Method::DELETE | Method::OPTIONS | Method::TRACE
    )
}

impl RetryPolicy {
    /// Returns the standard rule with at most 4 attempts.
    pub fn standard() -> Self {
        Self { max_attempts: 4, backoff: Backoff::default(), rule: Rule::Standard }
    }

    /// Returns a policy that never repeats a failed attempt.
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

    /// Replaces the standard rule. Number of attempts, time and budget still limit what it allows.
    ///
    /// ```
    /// # use access_governance_runtime::RetryPolicy;
    /// // This operation finds out by itself that it was called before: it can always be repeated.
    /// let policy = RetryPolicy::standard().with_rule(|failed| {
    ///     failed.is_repeatable() || failed.operation == "pets.create" && failed.transient
    /// });
    /// ```
    #[must_use]
    pub fn with_rule(
        mut self,
        repeats: impl Fn(&FailedAttempt<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.rule = Rule::Own(Arc::new(repeats));
        self
    }

    pub(crate) fn repeats(&self, failed: &FailedAttempt<'_>) -> bool {
        failed.attempts < self.max_attempts
            && match &self.rule {
                Rule::Standard => failed.is_repeatable(),
                Rule::Own(rule) => rule(failed),
            }
    }

    pub(crate) fn backoff(&self) -> &Backoff {
        &self.backoff
    }
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self::standard()
    }
}

impl fmt::Debug for RetryPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryPolicy")
            .field("max_attempts", &self.max_attempts)
            .field("backoff", &self.backoff)
            .field(
                "rule",
                &format_args!(
                    "{}",
                    if matches!(self.rule, Rule::Standard) { "standard" } else { "own" }
                ),
            )
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeatable(method: &Method, status: Option<u16>, asked_to_wait: bool, sent: bool) -> bool {
        let transient =
            status.is_none_or(|status| matches!(status, 408 | 429 | 500 | 502 | 503 | 504));
        FailedAttempt {
            method,
            operation: "x.y",
            attempts: 1,
            kind: if status.is_some() { ErrorKind::Status } else { ErrorKind::Timeout },
            status: status.and_then(|status| StatusCode::from_u16(status).ok()),
            asked_to_wait,
            transient,
            sent,
        }
        .is_repeatable()
    }

    #[test]
    fn idempotent_calls_are_repeated_whenever_the_cause_may_pass() {
        for method in [Method::GET, Method::PUT, Method::DELETE] {
            for status in [408, 429, 500, 502, 503, 504] {
                assert!(repeatable(&method, Some(status), false, true), "{method} {status}");
            }
            for status in [304, 400, 401, 403, 404, 409, 501, 505] {
                assert!(!repeatable(&method, Some(status), true, true), "{method} {status}");
            }
            assert!(repeatable(&method, None, false, true), "{method}");
        }
    }

    #[test]
    fn other_calls_are_repeated_only_where_nothing_was_processed() {
        for method in [Method::POST, Method::PATCH] {
            for status in [408, 500, 502, 503, 504] {
                assert!(!repeatable(&method, Some(status), false, true), "{method} {status}");
            }
            assert!(repeatable(&method, Some(429), false, true));
            assert!(repeatable(&method, Some(503), true, true));
            assert!(!repeatable(&method, Some(500), true, true));
            assert!(!repeatable(&method, None, false, true));
            assert!(repeatable(&method, None, false, false));
        }
    }
}
