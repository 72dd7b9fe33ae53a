//! Spans and events of obtaining tokens, named as those of calls (`execute/trace.rs`).
//!
//! Of the texts of servers and of token sources, only the error code is recorded.

use std::time::Duration;

use http::{Method, Uri};
use tracing::{Span, field, info_span, warn};

use super::token::TokenError;
use crate::error::ErrorKind;
use crate::url::origin::Origin;

/// Returns the span of a request to an endpoint.
pub(super) fn request(method: &Method, url: &Uri) -> Span {
    let origin = Origin::new(url);
    info_span!(
        target: env!("CARGO_CRATE_NAME"),
        "http.client.request",
        otel.name = %format_args!("{method} {}", url.path()),
        otel.kind = "client",
        http.request.method = method.as_str(),
        url.template = url.path(),
        url.scheme = origin.as_ref().map(|it| &*it.scheme),
        server.address = origin.as_ref().map(|it| &*it.host),
        server.port = origin.as_ref().map(|it| it.port),
        http.response.status_code = field::Empty,
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
