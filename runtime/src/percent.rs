//! Percent-encoding of URL components (RFC 3986, section 2.1).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Every byte outside `unreserved` (RFC 3986, section 2.3).
const OUTSIDE_UNRESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns how many bytes [`push`] appends.
pub(crate) fn length(text: &str) -> usize {
    utf8_percent_encode(text, OUTSIDE_UNRESERVED).map(str::len).sum()
}

/// Appends a text to a URL so that it reads as data, whatever it contains.
pub(crate) fn push(url: &mut String, text: &str) {
    url.extend(utf8_percent_encode(text, OUTSIDE_UNRESERVED));
}
