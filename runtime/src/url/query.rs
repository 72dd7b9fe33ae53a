//! Parameters of queries and forms, as they are sent.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Returns the names and values of a query or a form, decoded.
#[cfg(feature = "test-util")]
pub(crate) fn pairs(text: &str) -> impl Iterator<Item = (String, String)> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decoded(name), decoded(value)))
}

/// Decodes a component of a URL. Unless it is UTF-8, it is left as it is.
pub(crate) fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
}
