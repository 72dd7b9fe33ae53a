//! Spans and events, named by the semantic conventions of OpenTelemetry for HTTP clients.
//!
//! No header values, no query values and no bodies are recorded, and the path only as its template.

use std::time::Duration;

use tracing::{Span, debug, field, info_span};

use crate::client::Shared;
use crate::error::{Error, ErrorKind};
use crate::request::call::Operation;
use crate::response::RawResponse;

/// Begins the span of one attempt.
pub(crate) fn attempt(shared: &Shared, operation: &Operation, number: u32) -> Span {
    let origin = shared.base_url.origin();
    let span = info_span!(
        "http.client.request",
        otel.name = %format_args!("{} {}", operation.method, operation.path),
        otel.kind = "client",
        rpc.method = operation.id,
        http.request.method = operation.method.as_str(),
        url.template = operation.path,
        url.scheme = origin.scheme(),
        server.address = origin.host(),
        server.port = origin.port(),
        http.request.resend_count = field::Empty,
        http.response.status_code = field::Empty,
        http.response.body.size = field::Empty,
        error.type = field::Empty,
    );
    if number > 1 {
        span.record("http.request.resend_count", number - 1);
    }
    span
}

/// Notes on the span that the attempt succeeded.
pub(crate) fn succeeded(span: &Span, response: &RawResponse) {
    span.record("http.response.status_code", response.status.as_u16());
    span.record("http.response.body.size", response.body.len());
}

/// Notes on the span why the attempt failed.
pub(crate) fn failed(span: &Span, error: &Error) {
    if let Some(status) = error.status() {
        span.record("http.response.status_code", status.as_u16());
    }
    match error.status() {
        Some(status) if error.kind() == ErrorKind::Status => {
            span.record("error.type", status.as_str())
        }
        _ => span.record("error.type", error.kind().name()),
    };
}

/// Tells that a call is made again.
pub(crate) fn repeats(operation: &Operation, attempt: u32, pause: Duration, error: &Error) {
    debug!(
        rpc.method = operation.id,
        http.request.resend_count = attempt,
        error.type = error.kind().name(),
        http.response.status_code = error.status().map(|status| status.as_u16()),
        pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
        "the call is made again"
    );
}

/// Tells that the server refused the token and another is asked for.
pub(crate) fn refreshes(operation: &Operation) {
    debug!(rpc.method = operation.id, "the server refused the access token; another is asked for");
}
