//! Paths to related objects: the part of JSONPath (RFC 9535) that selects elements of `$.expanded`.

use std::ops::Range;

/// The selectors of a valid path; empty for others.
#[derive(Clone, Debug)]
pub(super) struct Selectors<'p>(Option<&'p str>);

/// A selector of elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selector {
    /// All elements.
    All,
    /// The element at an index.
    Index(usize),
    /// The element at an index from the end, which is 1 for the last.
    FromEnd(usize),
}

/// Reads a path.
pub(super) fn parse(path: &str) -> Selectors<'_> {
    let list = bracketed(path).filter(|list| list.split(',').all(|text| selector(text).is_some()));
    Selectors(list)
}

/// Returns whether a text is a valid path.
#[cfg(feature = "record")]
pub(crate) fn is_path(text: &str) -> bool {
    parse(text).0.is_some()
}

/// Returns the text between the brackets after `$.expanded`.
fn bracketed(path: &str) -> Option<&str> {
    let rest = blank(path.strip_prefix('$')?);
    let names = [".expanded", "['expanded']", "[\"expanded\"]"];
    let rest = names.iter().find_map(|name| rest.strip_prefix(name))?;
    blank(rest).strip_prefix('[')?.strip_suffix(']')
}

/// Returns a text without the white space before it (RFC 9535, section 2.1.1).
fn blank(text: &str) -> &str {
    text.trim_start_matches(BLANK)
}

const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];

fn selector(text: &str) -> Option<Selector> {
    let text = text.trim_matches(BLANK);
    let (digits, from_end) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    if text == "*" {
        return Some(Selector::All);
    }
    // RFC 9535, section 2.3.3: no leading zeros, and no `-0`.
    let is_index = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !digits.starts_with('0'));
    let index: usize = digits.parse().ok().filter(|_| is_index)?;
    Some(if from_end { Selector::FromEnd(index) } else { Selector::Index(index) })
}

impl Iterator for Selectors<'_> {
    type Item = Selector;

    fn next(&mut self) -> Option<Selector> {
        let list = self.0?;
        let (first, others) = match list.split_once(',') {
            Some((first, others)) => (first, Some(others)),
            None => (list, None),
        };
        self.0 = others;
        selector(first)
    }
}

impl Selector {
    /// Returns the indices that are selected in a list of this length.
    pub(super) fn select(self, length: usize) -> Range<usize> {
        let index = match self {
            Self::All => return 0..length,
            Self::Index(index) => Some(index),
            Self::FromEnd(distance) => length.checked_sub(distance),
        };
        index.filter(|index| *index < length).map_or(0..0, |index| index..index + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn selected(path: &str) -> String {
        parse(path).flat_map(|selector| "abcd"[selector.select(4)].chars()).collect()
    }

    #[test]
    fn paths_select_elements() {
        for (path, elements) in [
            ("$.expanded[0]", "a"),
            ("$.expanded[3]", "d"),
            ("$.expanded[-1]", "d"),
            ("$.expanded[2,0]", "ca"),
            ("$ ['expanded'] [ 1 , 2 ]", "bc"),
            ("$[\"expanded\"][1,1,9]", "bb"),
            ("$.expanded[*]", "abcd"),
            ("$.expanded[3,*]", "dabcd"),
        ] {
            assert_eq!(selected(path), elements, "{path}");
        }
    }

    #[test]
    fn other_paths_select_nothing() {
        for path in [
            "",
            "$",
            "$.expanded",
            "$.expanded[]",
            "$.expanded[4]",
            "$.expanded[-5]",
            "$.expanded[-0]",
            "$.expanded[01]",
            "$.expanded[+1]",
            "$.expanded[1,]",
            "$.expanded[1",
            "$.expanded[0].id",
            "$.expandedx[0]",
            "$.other[0]",
            "expanded[0]",
            "$.expanded[٣]",
            "$.expanded[99999999999999999999]",
            "$.expanded[?@.id==1]",
        ] {
            assert_eq!(selected(path), "", "{path}");
        }
    }
}
