//! Percent-encoding of URL components (RFC 3986, section 2.1).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

/// Every byte outside `unreserved` (RFC 3986, section 2.3).
const OUTSIDE_UNRESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Encodes any text as data of a URL or a form.
pub(crate) fn encode(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, OUTSIDE_UNRESERVED)
}
