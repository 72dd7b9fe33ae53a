//! Places in a document: JSON pointers (RFC 6901).

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use percent_encoding::percent_decode_str;

/// A JSON pointer in its escaped form, such as `/paths/~1api/get`; empty for the root. In another file than the document's
/// own, that file's name and a `#` come before it. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(Arc<str>);

impl Pointer {
    /// Returns the pointer to the root.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns the pointer of an escaped form.
    pub(crate) fn from_escaped(text: &str) -> Self {
        Self(text.into())
    }

    /// Returns the pointer to the root of another file. A name is relative, and has no `#`.
    pub(crate) fn to_file(name: &str) -> Self {
        Self(format!("{name}#").into())
    }

    /// Returns the file that the place is in; `None` for the document itself.
    pub fn file(&self) -> Option<&str> {
        let is_in_document = self.0.is_empty() || self.0.starts_with('/');
        if is_in_document { None } else { self.0.split_once('#').map(|(file, _)| file) }
    }

    /// Returns the pointer within its file.
    fn path(&self) -> &str {
        self.file().map_or(&self.0, |file| &self.0[file.len() + 1..])
    }

    /// Parses a reference within the document (RFC 6901 §6): `#` and a percent-encoded pointer.
    ///
    /// Returns `None` for a reference to somewhere else, and for one that is not spelled properly.
    pub fn from_fragment(reference: &str) -> Option<Self> {
        let text = percent_decode_str(reference.strip_prefix('#')?).decode_utf8().ok()?;
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
        self.path().split('/').skip(1).map(unescaped).collect()
    }

    /// Returns the last key or index, unescaped; `None` for the root.
    pub fn last(&self) -> Option<Cow<'_, str>> {
        self.path().rsplit_once('/').map(|(_, last)| unescaped(last))
    }

    /// Returns the pointer to what holds the place; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        let (parent, _) = self.path().rsplit_once('/')?;
        Some(Self(self.0[..self.0.len() - self.path().len() + parent.len()].into()))
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
    fn places_in_other_files_keep_their_file() {
        let pointer = Pointer::to_file("a/b.yaml").join("paths").join("/c#d");
        assert_eq!(pointer.as_str(), "a/b.yaml#/paths/~1c#d");
        assert_eq!(pointer.file(), Some("a/b.yaml"));
        assert_eq!(pointer.segments(), ["paths", "/c#d"]);
        let root = pointer.parent().and_then(|parent| parent.parent()).unwrap();
        assert_eq!((root.file(), root.parent(), root.last()), (Some("a/b.yaml"), None, None));
        assert_eq!(Pointer::root().join("a.yaml#").file(), None);
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
        assert_eq!(parse("#/100%").as_deref(), Some("/100%"));
        for wrong in ["", "/a", "#a", "#/a~2", "#/a~", "#/%C3", "other.yaml#/a"] {
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
