//! Operations.

use http::StatusCode;

/// An operation of the API, as in its spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The operationId.
    pub id: &'static str,
    /// The HTTP method, such as `GET` (RFC 9110, section 9). Methods are case-sensitive.
    pub method: &'static str,
    /// The path template, which begins with a slash.
    pub path: &'static str,
}

/// Returns whether a reply has no content, although its headers can declare a length or a compression (RFC 9110, section
/// 6.4.1).
pub(crate) fn has_no_content(method: &str, status: StatusCode) -> bool {
    method == "HEAD" || matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
}
