//! Spans and events of obtaining tokens, named as those of calls (`execute/trace.rs`).
//!
//! Of the texts of servers and of token sources, only the error code is recorded.

use std::time::Duration;

use tracing::{Span, field, info_span, warn};

use super::token::TokenError;
use crate::error::ErrorKind;
use crate::url::origin::Origin;

/// Returns the span of a request to an origin, with the fields of an attempt of a call.
pub(crate) fn request(method: &str, path: &str, origin: Option<&Origin>) -> Span {
    info_span!(
        target: env!("CARGO_CRATE_NAME"),
        "http.client.request",
        otel.name = %format_args!("{method} {path}"),
        otel.kind = "client",
        rpc.method = field::Empty,
        http.request.method = method,
        url.template = path,
        url.scheme = origin.map(|it| &*it.scheme),
        server.address = origin.map(|it| &*it.host),
        server.port = origin.map(|it| it.port),
        http.request.resend_count = field::Empty,
        http.response.status_code = field::Empty,
        http.response.body.size = field::Empty,
        error.type = field::Empty,
    )
}

/// Records the reason of the failure.
pub(super) fn failed(span: &Span, error: &TokenError) {
    span.record("error.type", error_type(error));
}

/// Emits an event for a failed refresh of a token that is still valid: no call fails because of it yet.
pub(super) fn refresh_failed(error: &TokenError, left: Option<Duration>) {
    warn!(
        target: env!("CARGO_CRATE_NAME"),
        {
            error.type = error_type(error),
            url.full = error.endpoint(),
            expires_in_s = left.map(|left| left.as_secs())
        },
        "failed to refresh the access token, which is about to expire"
    );
}

/// Returns the error code of the server, or else the kind of the errors of calls.
fn error_type(error: &TokenError) -> &str {
    error.code().unwrap_or(ErrorKind::Auth.name())
}
