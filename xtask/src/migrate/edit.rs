//! Edits of texts, and the difference between two texts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use crate::rustc::Span;
use commands::host::terminal::Paint;

/// A text that replaces a range of bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The file.
    pub file: PathBuf,
    /// The first byte, and the one after the last.
    pub start: usize,
    pub end: usize,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// Returns the edit of a range.
    pub fn new(file: &Path, (range, text): (Range<usize>, String)) -> Self {
        Self { file: file.to_owned(), start: range.start, end: range.end, text }
    }

    /// Returns whether a place of a program is a part of the range, or the other way around.
    pub fn meets(&self, span: &Span) -> bool {
        self.file == span.file && self.start < span.end && span.start < self.end
    }
}

/// The texts of files by their paths.
pub type Texts = BTreeMap<PathBuf, String>;

/// Applies edits to texts, apart from edits that overlap: these are made again in the next round. Returns the places of each
/// group in the new texts; `None` if it was not made.
pub fn apply(texts: &mut Texts, groups: &[Vec<Edit>]) -> Vec<Option<Vec<Edit>>> {
    let mut accepted: BTreeSet<&Edit> = BTreeSet::new();
    let mut made = Vec::new();
    for group in groups {
        let is_free = |edit: &Edit| {
            accepted.iter().all(|other| {
                *other == edit
                    || other.file != edit.file
                    || other.end < edit.start
                    || edit.end < other.start
            })
        };
        made.push(group.iter().all(is_free));
        if made.last() == Some(&true) {
            accepted.extend(group);
        }
    }
    let mut places: BTreeMap<&Edit, Edit> = BTreeMap::new();
    for (file, text) in texts.iter_mut() {
        let mut new = String::new();
        let mut at = 0;
        for edit in accepted.iter().filter(|edit| edit.file == *file) {
            new.push_str(text.get(at..edit.start).unwrap_or_default());
            let start = new.len();
            new.push_str(&edit.text);
            places.insert(edit, Edit::new(file, (start..new.len(), edit.text.clone())));
            at = edit.end;
        }
        if at > 0 || !new.is_empty() {
            new.push_str(text.get(at..).unwrap_or_default());
            *text = new;
        }
    }
    let places =
        |group: &Vec<Edit>| group.iter().filter_map(|it| places.get(it).cloned()).collect();
    groups.iter().zip(made).map(|(group, made)| made.then(|| places(group))).collect()
}

/// Renders the difference between two texts of a file, as `patch -p1` reads it.
pub fn diff(path: &Path, old: &str, new: &str, paint: Paint) -> String {
    let [before, after] = ["a", "b"].map(|side| format!("{side}/{}", path.display()));
    let lines = TextDiff::from_lines(old, new);
    let text = lines.unified_diff().header(&before, &after).to_string();
    let painted = text.split_terminator('\n').map(|line| match line.split_at_checked(1) {
        _ if line.starts_with("--- a/") || line.starts_with("+++ b/") => paint.bold(line),
        Some(("-", _)) => paint.red(line),
        Some(("+", _)) => paint.green(line),
        Some(("@", _)) => paint.cyan(line),
        _ => line.to_owned(),
    });
    painted.map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { file: PathBuf::from("a.rs"), start, end, text: text.to_owned() }
    }

    #[test]
    fn edits_that_overlap_wait_for_the_next_round() {
        let mut texts = Texts::from([(PathBuf::from("a.rs"), "one two three".to_owned())]);
        let groups = [
            vec![edit(0, 3, "1"), edit(8, 13, "3")],
            vec![edit(0, 3, "1")],
            vec![edit(2, 7, "x")],
            vec![edit(4, 7, "2")],
        ];
        let places = apply(&mut texts, &groups);
        assert_eq!(texts[Path::new("a.rs")], "1 2 3");
        let first = vec![edit(0, 1, "1"), edit(4, 5, "3")];
        let second = vec![edit(0, 1, "1")];
        assert_eq!(places, [Some(first), Some(second), None, Some(vec![edit(2, 3, "2")])]);
    }
}
