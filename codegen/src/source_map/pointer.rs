//! Places in a document: JSON pointers (RFC 6901).

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::successors;
use std::sync::Arc;

use percent_encoding::percent_decode_str;

/// Maximum number of segments of a reference: deeper texts are rejected.
const MAX_SEGMENTS: usize = 512;

/// A JSON pointer, such as `/paths/~1api/get` in its escaped form; empty for the root. For another file than the
/// document itself, it begins with the file's name and `#`.
///
/// Cheap to clone and to extend: pointers share their common prefix.
#[derive(Clone, Debug, Default)]
pub struct Pointer(Option<Arc<Trail>>);

/// The last step to a place, with the pointer to its parent.
#[derive(Debug)]
enum Trail {
    /// The root of another file.
    File(Box<str>),
    /// A key or an index, unescaped.
    Segment(Pointer, Box<str>),
}

impl Pointer {
    /// Returns the pointer to the root.
    pub fn root() -> Self {
        Self::default()
    }

    /// Parses the output of [`Display`](fmt::Display).
    pub fn from_escaped(text: &str) -> Self {
        let (root, path) = match text.split_once('#') {
            Some((file, path)) if !text.starts_with('/') => (Self::to_file(file), path),
            _ => (Self::root(), text),
        };
        Self::within(root, path)
    }

    /// Returns the pointer to a path within a file.
    fn within(root: Self, path: &str) -> Self {
        path.split('/').skip(1).fold(root, |pointer, segment| pointer.join(&unescaped(segment)))
    }

    /// Returns the pointer to the root of another file.
    pub(crate) fn to_file(name: &str) -> Self {
        Self(Some(Arc::new(Trail::File(name.into()))))
    }

    /// Parses a reference (RFC 6901 §6): `#` and a percent-encoded pointer, after the percent-encoded name of the file
    /// unless it is the document itself.
    ///
    /// Returns `None` for a reference without `#`, and for invalid ones.
    pub fn from_reference(reference: &str) -> Option<Self> {
        let (file, path) = reference.split_once('#')?;
        let file = percent_decode_str(file).decode_utf8().ok()?;
        let path = percent_decode_str(path).decode_utf8().ok()?;
        let is_valid = (path.is_empty() || path.starts_with('/'))
            && path.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']))
            && path.matches('/').count() <= MAX_SEGMENTS;
        let root = if file.is_empty() { Self::root() } else { Self::to_file(&file) };
        is_valid.then(|| Self::within(root, &path))
    }

    /// Returns the pointer to a property of this value.
    #[must_use]
    pub fn join(&self, key: &str) -> Self {
        Self(Some(Arc::new(Trail::Segment(self.clone(), key.into()))))
    }

    /// Returns the pointer to an element of this list.
    #[must_use]
    pub fn join_index(&self, index: usize) -> Self {
        self.join(&index.to_string())
    }

    /// Returns the file; `None` for the document itself.
    pub fn file(&self) -> Option<&str> {
        let root = self.steps().last()?;
        match root {
            Trail::File(name) => Some(name),
            Trail::Segment(..) => None,
        }
    }

    /// Returns the keys and indices from the root, unescaped.
    pub fn segments(&self) -> Vec<&str> {
        let mut segments: Vec<&str> = self.steps().filter_map(Trail::segment).collect();
        segments.reverse();
        segments
    }

    /// Returns the last key or index, unescaped; `None` for the root.
    pub fn last(&self) -> Option<&str> {
        self.0.as_deref()?.segment()
    }

    /// Returns the pointer to the parent; `None` for the root.
    pub fn parent(&self) -> Option<&Self> {
        match self.0.as_deref()? {
            Trail::Segment(parent, _) => Some(parent),
            Trail::File(_) => None,
        }
    }

    /// Returns the place, and the values around it up to the root.
    pub(crate) fn and_outer(&self) -> impl Iterator<Item = &Self> {
        successors(Some(self), |place| place.parent())
    }

    /// Returns the pointer to the same place within another value; `None` if it is not within the first one.
    pub(crate) fn moved(&self, from: &Self, to: &Self) -> Option<Self> {
        if self == from {
            return Some(to.clone());
        }
        Some(self.parent()?.moved(from, to)?.join(self.last()?))
    }

    /// Returns the JSONPath of a description in the document, such as a schema.
    pub(crate) fn json_path(&self) -> String {
        let mut keyword = "";
        let steps = self.segments().into_iter().map(|segment| {
            let is_index =
                ["allOf", "anyOf", "oneOf", "parameters", "prefixItems"].contains(&keyword);
            keyword = segment;
            if is_index { format!("[{segment}]") } else { format!("[{}]", quoted(segment)) }
        });
        format!("${}", steps.collect::<String>())
    }

    /// Returns the steps, the last one first.
    fn steps(&self) -> impl Iterator<Item = &Trail> {
        successors(self.0.as_deref(), |step| match step {
            Trail::Segment(parent, _) => parent.0.as_deref(),
            Trail::File(_) => None,
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl Trail {
    fn segment(&self) -> Option<&str> {
        match self {
            Self::Segment(_, segment) => Some(segment),
            Self::File(_) => None,
        }
    }
}

impl PartialEq for Pointer {
    fn eq(&self, other: &Self) -> bool {
        let mut one = self;
        let mut other = other;
        while !one.is_same(other) {
            (one, other) = match (one.0.as_deref(), other.0.as_deref()) {
                (Some(Trail::Segment(one, a)), Some(Trail::Segment(other, b))) if a == b => {
                    (one, other)
                }
                (Some(Trail::File(a)), Some(Trail::File(b))) => return a == b,
                _ => return false,
            };
        }
        true
    }
}

impl Eq for Pointer {}

impl Hash for Pointer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for step in self.steps() {
            match step {
                Trail::File(text) | Trail::Segment(_, text) => text.hash(state),
            }
        }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = self.file() {
            write!(f, "{file}#")?;
        }
        for segment in self.segments() {
            f.write_str("/")?;
            if segment.contains(['~', '/']) {
                f.write_str(&segment.replace('~', "~0").replace('/', "~1"))?;
            } else {
                f.write_str(segment)?;
            }
        }
        Ok(())
    }
}

/// Parses a segment as the index of an array (RFC 6901 §4): digits without a leading zero.
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

/// Returns a name as JSONPath has it (RFC 9535 §2.3.1.1).
pub fn quoted(name: &str) -> String {
    let escaped = name.chars().map(|character| match character {
        '\'' => "\\'".to_owned(),
        '\\' => "\\\\".to_owned(),
        control if control < ' ' => format!("\\u{:04x}", u32::from(control)),
        other => other.to_string(),
    });
    format!("'{}'", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_escapes_are_joined_and_split() {
        let pointer = Pointer::root().join("paths").join("/a~b/{c}").join_index(3);
        assert_eq!(pointer.to_string(), "/paths/~1a~0b~1{c}/3");
        assert_eq!(pointer.segments(), ["paths", "/a~b/{c}", "3"]);
        assert_eq!(pointer.last(), Some("3"));
        assert_eq!(pointer.parent().and_then(Pointer::last), Some("/a~b/{c}"));
        assert_eq!(Pointer::root().last(), None);
        assert_eq!(Pointer::root().join("").segments(), [""]);
    }

    #[test]
    fn places_in_other_files_keep_their_file() {
        let pointer = Pointer::to_file("a/b.yaml").join("paths").join("/c#d");
        assert_eq!(pointer.to_string(), "a/b.yaml#/paths/~1c#d");
        assert_eq!(Pointer::from_escaped(&pointer.to_string()), pointer);
        assert_eq!(pointer.file(), Some("a/b.yaml"));
        assert_eq!(pointer.segments(), ["paths", "/c#d"]);
        let root = pointer.parent().and_then(|parent| parent.parent()).unwrap();
        assert_eq!((root.file(), root.parent(), root.last()), (Some("a/b.yaml"), None, None));
        assert_eq!(Pointer::root().join("a.yaml#").file(), None);
    }

    #[test]
    fn pointers_are_equal_by_content() {
        let one = Pointer::root().join("a").join("b");
        assert_eq!(one, Pointer::from_reference("#/a/b").unwrap());
        for other in ["#/a", "#/a/c", "#/c/b", "#/x/a/b", "#"] {
            assert_ne!(one, Pointer::from_reference(other).unwrap(), "{other}");
        }
        assert_ne!(one, Pointer::to_file("f").join("a").join("b"));
        assert_eq!(Pointer::to_file("f").join("a"), Pointer::to_file("f").join("a"));
    }

    #[test]
    fn references_deeper_than_any_text_are_refused() {
        let reference = |segments| format!("#{}", "/a".repeat(segments));
        assert!(Pointer::from_reference(&reference(MAX_SEGMENTS)).is_some());
        assert!(Pointer::from_reference(&reference(MAX_SEGMENTS + 1)).is_none());
    }

    #[test]
    fn tilde_one_escapes_are_not_unescaped_twice() {
        let pointer = Pointer::root().join("~1");
        assert_eq!(pointer.to_string(), "/~01");
        assert_eq!(pointer.segments(), ["~1"]);
    }

    #[test]
    fn fragments_are_parsed_and_decoded() {
        let parse = |text| Pointer::from_reference(text).map(|pointer| pointer.to_string());
        assert_eq!(parse("#/a/~1b%7Bc%7D").as_deref(), Some("/a/~1b{c}"));
        assert_eq!(parse("#").as_deref(), Some(""));
        assert_eq!(parse("#/%C3%A4").as_deref(), Some("/ä"));
        assert_eq!(parse("#/100%").as_deref(), Some("/100%"));
        assert_eq!(parse("a%20b/c.yaml#/d").as_deref(), Some("a b/c.yaml#/d"));
        for wrong in ["", "/a", "#a", "#/a~2", "#/a~", "#/%C3", "other.yaml", "%C3#"] {
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
