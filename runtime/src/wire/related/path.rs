//! Paths to related objects: the part of JSONPath (RFC 9535) that selects elements of `$.expanded`.

use std::collections::BTreeSet;
use std::ops::Range;

const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns the indices that a path selects in a list of this length, each once, in the order of the path. `None` if it is
/// no valid path.
pub(super) fn selected(path: &str, length: usize) -> Option<Vec<usize>> {
    let mut selected = Vec::new();
    let mut seen = BTreeSet::new();
    for selector in list(path)?.split(',') {
        let range = selector_range(selector, length)?;
        // A path can select all objects again and again.
        if seen.len() < length {
            selected.extend(range.filter(|index| seen.insert(*index)));
        }
    }
    Some(selected)
}

#[cfg(feature = "record")]
pub(crate) fn is_path(text: &str) -> bool {
    selected(text, 0).is_some()
}

/// Returns the text between the brackets after `$.expanded`.
fn list(path: &str) -> Option<&str> {
    let rest = blank(path.strip_prefix('$')?);
    let names = [".expanded", "['expanded']", "[\"expanded\"]"];
    let rest = names.iter().find_map(|name| rest.strip_prefix(name))?;
    blank(rest).strip_prefix('[')?.strip_suffix(']')
}

/// Returns a text without the white space before it (RFC 9535, section 2.1.1).
fn blank(text: &str) -> &str {
    text.trim_start_matches(BLANK)
}

/// Returns the indices that a selector selects: all, one, or one from the end, which is -1 for the last.
fn selector_range(selector: &str, length: usize) -> Option<Range<usize>> {
    let text = selector.trim_matches(BLANK);
    if text == "*" {
        return Some(0..length);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    // RFC 9535, section 2.3.3: no leading zeros, and no `-0`.
    let is_index = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !digits.starts_with('0'));
    let distance: usize = digits.parse().ok().filter(|_| is_index)?;
    let index = if digits == text { Some(distance) } else { length.checked_sub(distance) };
    Some(index.filter(|index| *index < length).map_or(0..0, |index| index..index + 1))
}

#[cfg(test)]
mod tests {
    use super::selected as indices;

    fn selected(path: &str) -> String {
        let indices = indices(path, 4).unwrap_or_default();
        indices.into_iter().map(|index| char::from(b"abcd"[index])).collect()
    }

    #[test]
    fn paths_select_elements() {
        for (path, elements) in [
            ("$.expanded[0]", "a"),
            ("$.expanded[3]", "d"),
            ("$.expanded[-1]", "d"),
            ("$.expanded[2,0]", "ca"),
            ("$ ['expanded'] [ 1 , 2 ]", "bc"),
            ("$[\"expanded\"][1,1,9]", "b"),
            ("$.expanded[*]", "abcd"),
            ("$.expanded[3,*]", "dabc"),
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
