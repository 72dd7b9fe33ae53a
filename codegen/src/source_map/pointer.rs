//! Places in a document: JSON pointers (RFC 6901).

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A JSON pointer in its escaped form, such as `/paths/~1api/get`; empty for the root. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(Arc<str>);

impl Pointer {
    /// Returns the pointer to the root.
    pub fn root() -> Self {
        Self::default()
    }

    /// Parses a reference within the document (RFC 6901 §6): `#` and a percent-encoded pointer.
    ///
    /// Returns `None` for a reference to somewhere else, and for one that is not spelled properly.
    pub fn from_fragment(reference: &str) -> Option<Self> {
        let text = percent_decoded(reference.strip_prefix('#')?)?;
        if !(text.is_empty() || text.starts_with('/')) || !has_valid_escapes(&text) {
            return None;
        }
        Some(Self(text.into()))
    }

    /// Returns the pointer to a member of what this one points to.
    #[must_use]
    pub fn join(&self, key: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + key.len() + 1);
        text.push_str(&self.0);
        text.push('/');
        for part in key.split_inclusive(['~', '/']) {
            match part.as_bytes().last() {
                Some(b'~') => text.extend([&part[..part.len() - 1], "~0"]),
                Some(b'/') => text.extend([&part[..part.len() - 1], "~1"]),
                _ => text.push_str(part),
            }
        }
        Self(text.into())
    }

    /// Returns the pointer to an element of what this one points to.
    #[must_use]
    pub fn join_index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0).into())
    }

    /// Returns the keys and indices on the way from the root, unescaped.
    pub fn segments(&self) -> Vec<Cow<'_, str>> {
        self.0.split('/').skip(1).map(unescaped).collect()
    }

    /// Returns the last key or index, unescaped; `None` for the root.
    pub fn last(&self) -> Option<Cow<'_, str>> {
        self.0.rsplit_once('/').map(|(_, last)| unescaped(last))
    }

    /// Returns the pointer to what holds the place; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.into()))
    }

    /// Returns the escaped form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a segment as the index of an array (RFC 6901 §4): digits without a leading zero.
pub(crate) fn array_index(segment: &str) -> Option<usize> {
    let canonical = segment == "0" || !segment.starts_with(['0', '+']);
    segment.parse().ok().filter(|_| canonical)
}

fn unescaped(segment: &str) -> Cow<'_, str> {
    if segment.contains('~') {
        Cow::Owned(segment.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(segment)
    }
}

fn has_valid_escapes(text: &str) -> bool {
    text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']))
}

/// Decodes `%XX` (RFC 3986 §2.1); `None` if it is malformed or does not decode to UTF-8.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => digit(bytes.next()?)? << 4 | digit(bytes.next()?)?,
            _ => byte,
        });
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_and_splits_keys_that_need_escapes() {
        let pointer = Pointer::root().join("paths").join("/a~b/{c}").join_index(3);
        assert_eq!(pointer.to_string(), "/paths/~1a~0b~1{c}/3");
        assert_eq!(pointer.segments(), ["paths", "/a~b/{c}", "3"]);
        assert_eq!(pointer.last().as_deref(), Some("3"));
        assert_eq!(
            pointer.parent().and_then(|it| it.last().map(Cow::into_owned)),
            Some("/a~b/{c}".into())
        );
        assert_eq!(Pointer::root().last(), None);
        assert_eq!(Pointer::root().join("").segments(), [""]);
    }

    #[test]
    fn tilde_one_escapes_are_not_unescaped_twice() {
        let pointer = Pointer::root().join("~1");
        assert_eq!(pointer.as_str(), "/~01");
        assert_eq!(pointer.segments(), ["~1"]);
    }

    #[test]
    fn parses_fragments_and_decodes_percent() {
        let parse = |text| Pointer::from_fragment(text).map(|pointer| pointer.to_string());
        assert_eq!(parse("#/a/~1b%7Bc%7D").as_deref(), Some("/a/~1b{c}"));
        assert_eq!(parse("#").as_deref(), Some(""));
        assert_eq!(parse("#/%C3%A4").as_deref(), Some("/ä"));
        for wrong in ["", "/a", "#a", "#/a~2", "#/a~", "#/%C3", "#/%zz", "#/%2", "other.yaml#/a"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn indices_have_one_spelling() {
        assert_eq!(array_index("0"), Some(0));
        assert_eq!(array_index("12"), Some(12));
        for wrong in ["", "-", "01", "+1", "-1", "1e3", "99999999999999999999999"] {
            assert_eq!(array_index(wrong), None, "{wrong}");
        }
    }
}
