//! Percent-encoding of the texts of parameters (RFC 3986, section 2).

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::url::percent;

/// The characters that are not encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    /// `unreserved` (RFC 3986, section 2.3).
    Unreserved,
    /// `reserved`, too, and encoded characters; but no character that ends a segment of a path.
    ReservedInPath,
    /// `reserved`, too, and encoded characters; but no character that a value in a query cannot contain.
    ReservedInQuery,
    /// All: the text is not percent-encoded.
    None,
}

/// Characters that are neither `unreserved` nor `reserved`, and the `reserved` characters that neither a path nor a query can
/// contain (RFC 3986, sections 3.3 and 3.4).
const OUTSIDE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b'#')
    .add(b'[')
    .add(b']');

/// Characters that a value in a query cannot contain: also the characters that separate parameters and mean a space in
/// forms (WHATWG URL, section 5.1), which the application encodes (OpenAPI 3.1.1, appendix E).
const OUTSIDE_QUERY: &AsciiSet = &OUTSIDE.add(b'&').add(b'+');

/// Characters that a segment of a path cannot contain (RFC 3986, section 3.3).
const OUTSIDE_SEGMENT: &AsciiSet = &OUTSIDE.add(b'/').add(b'?');

impl Escape {
    pub(super) fn text(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Unreserved => percent::encode(text).into(),
            Self::ReservedInPath => reserved(text, OUTSIDE_SEGMENT),
            Self::ReservedInQuery => reserved(text, OUTSIDE_QUERY),
            Self::None => Cow::Borrowed(text),
        }
    }

    /// Encodes a name, whose reserved characters are never sent as they are.
    pub(super) fn name(self, name: &str) -> Cow<'_, str> {
        match self {
            Self::None => Cow::Borrowed(name),
            _ => percent::encode(name).into(),
        }
    }
}

/// Encodes the characters of a set, except the percent signs of encoded characters.
fn reserved<'a>(text: &'a str, outside: &'static AsciiSet) -> Cow<'a, str> {
    let encode = |text: &'a str| utf8_percent_encode(text, outside);
    let mut parts = text.split('%');
    let mut encoded: Cow<'a, str> =
        parts.next().map(|first| encode(first).into()).unwrap_or_default();
    for part in parts {
        let is_triple = matches!(part.as_bytes(), [first, second, ..]
            if first.is_ascii_hexdigit() && second.is_ascii_hexdigit());
        let encoded = encoded.to_mut();
        encoded.push_str(if is_triple { "%" } else { "%25" });
        encoded.extend(encode(part));
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::Escape;

    #[test]
    fn reserved_characters_pass_unless_they_end_the_component() {
        let text = "a/b?c#d[e]&f=g+h:i@j!$'()*,; %20%2%zz%é|\"";
        assert_eq!(
            Escape::ReservedInQuery.text(text),
            "a/b?c%23d%5Be%5D%26f=g%2Bh:i@j!$'()*,;%20%20%252%25zz%25%C3%A9%7C%22"
        );
        assert!(Escape::ReservedInPath.text(text).starts_with("a%2Fb%3Fc%23d%5Be%5D&f=g+h"));
        assert_eq!(Escape::ReservedInQuery.text(""), "");
        assert_eq!(Escape::ReservedInQuery.name("a&b"), "a%26b");
        assert_eq!(Escape::Unreserved.text("a%20"), "a%2520");
        assert_eq!(Escape::None.text("a b"), "a b");
    }
}
