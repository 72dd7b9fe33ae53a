//! Spans and events, named as the semantic conventions of OpenTelemetry for HTTP clients name them.
//!
//! Header values, query values, bodies and the values in the path are not recorded.

use std::borrow::Cow;
use std::time::Duration;

use http::StatusCode;
use tracing::{Span, debug, field, info, info_span};

use crate::auth::trace::request;
use crate::error::operation::Operation;
use crate::error::{Error, ErrorKind};
use crate::request::call::CallParts;
use crate::url::origin::Origin;

/// Returns the span of a call, which contains the spans of its attempts.
pub(super) fn call(call: &CallParts) -> Span {
    let operation = call.operation;
    info_span!(
        target: env!("CARGO_CRATE_NAME"),
        "api.call",
        otel.name = operation.id,
        otel.kind = "internal",
        rpc.service = call.client.shared.settings.service.package,
        rpc.method = operation.id,
        attempts = field::Empty,
        outcome = field::Empty,
        error.type = field::Empty,
    )
}

/// Records how a call ended.
pub(super) fn ended(span: &Span, attempts: u32, error: Option<&Error>) {
    match error {
        None => tracing::record_all!(span, attempts, outcome = "ok"),
        Some(error) => tracing::record_all!(
            span,
            attempts,
            outcome = error.kind().name(),
            error.type = &*error_type(error),
        ),
    }
}

pub(super) fn attempt(origin: &Origin, operation: &Operation, number: u32) -> Span {
    let span = request(operation.method, operation.path, Some(origin));
    span.record("rpc.method", operation.id);
    if number > 1 {
        span.record("http.request.resend_count", number - 1);
    }
    span
}

/// Records that the attempt succeeded.
pub(super) fn succeeded(span: &Span, status: StatusCode, body_size: usize) {
    span.record("http.response.status_code", status.as_u16());
    span.record("http.response.body.size", body_size);
}

/// Records the reason of the failure.
pub(super) fn failed(span: &Span, error: &Error) {
    if let Some(status) = error.status() {
        span.record("http.response.status_code", status);
    }
    span.record("error.type", &*error_type(error));
}

/// Returns the status of a response that is an error, or else the kind of the error.
fn error_type(error: &Error) -> Cow<'static, str> {
    match error.status() {
        Some(status) if error.kind() == ErrorKind::Status => Cow::Owned(status.to_string()),
        _ => Cow::Borrowed(error.kind().name()),
    }
}

/// Emits an event for a retry. The last retry that the policy allows has a higher level.
pub(super) fn retries(
    operation: &Operation,
    attempt: u32,
    pause: Duration,
    error: &Error,
    is_last: bool,
) {
    macro_rules! emit {
        ($level:ident) => {
            $level!(
                target: env!("CARGO_CRATE_NAME"),
                {
                    rpc.method = operation.id,
                    http.request.resend_count = attempt,
                    error.type = &*error_type(error),
                    http.response.status_code = error.status(),
                    pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX)
                },
                "retrying the call"
            )
        };
    }
    if is_last { emit!(info) } else { emit!(debug) }
}

/// Emits an event for an access token that the server rejected.
pub(super) fn refreshes(operation: &Operation) {
    debug!(
        target: env!("CARGO_CRATE_NAME"),
        { rpc.method = operation.id },
        "the server rejected the access token; refreshing it"
    );
}
