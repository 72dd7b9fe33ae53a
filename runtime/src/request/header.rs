//! Headers that users set.

use http::{HeaderName, HeaderValue};

/// Parses a header, or returns why it is invalid. The value is not shown: it may be a secret.
pub(crate) fn parse(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), String> {
    let parsed = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| format!("`{name}` is not a valid header name"))?;
    let value = HeaderValue::from_str(value)
        .map_err(|_| format!("the value of the header `{name}` contains invalid characters"))?;
    Ok((parsed, value))
}
