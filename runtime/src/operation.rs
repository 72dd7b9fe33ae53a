//! Operations.

use http::Method;

/// An operation of the API, as in its spec.
#[derive(Debug)]
pub struct Operation {
    /// The operationId.
    pub id: &'static str,
    /// The method.
    pub method: Method,
    /// The path template, which begins with a slash.
    pub path: &'static str,
}
