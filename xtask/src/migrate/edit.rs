//! Edits of texts, and the difference between two texts.

use std::collections::BTreeMap;
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

    /// Returns the bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns whether a place of a program is a part of the range, or the other way around.
    pub fn meets(&self, span: &Span) -> bool {
        self.file == span.file && self.start < span.end && span.start < self.end
    }

    /// Moves an earlier edit to its place after others, which [`apply`] returns. Returns whether it is still
    /// there: its text was not edited again.
    pub fn follow(&mut self, undo: &[Self]) -> bool {
        for made in undo.iter().filter(|made| made.file == self.file) {
            let old_end = made.start + made.text.len();
            if old_end <= self.start {
                for at in [&mut self.start, &mut self.end] {
                    *at = *at - made.text.len() + made.range().len();
                }
            } else if made.start < self.end {
                return false;
            }
        }
        true
    }
}

/// The texts of files by their paths.
pub type Texts = BTreeMap<PathBuf, String>;

/// Applies edits to texts, apart from edits that overlap: these are made again in the next round. Returns the edits of the
/// new texts that take them back, sorted, each with the index of its group, and whether each group was made.
pub fn apply(texts: &mut Texts, groups: &[Vec<Edit>]) -> (Vec<(Edit, usize)>, Vec<bool>) {
    let mut accepted: Vec<(&Edit, usize)> = Vec::new();
    let mut made = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let is_free = |edit: &Edit| {
            accepted.iter().all(|(other, _)| {
                *other == edit
                    || other.file != edit.file
                    || other.end < edit.start
                    || edit.end < other.start
            })
        };
        made.push(group.iter().all(is_free));
        if made.last() == Some(&true) {
            accepted.extend(group.iter().map(|edit| (edit, index)));
        }
    }
    accepted.sort();
    accepted.dedup_by_key(|(edit, _)| *edit);
    let mut undo = Vec::new();
    for (file, text) in texts.iter_mut() {
        let mut new = String::new();
        let mut at = 0;
        for (edit, group) in accepted.iter().filter(|(edit, _)| edit.file == *file) {
            new.push_str(text.get(at..edit.start).unwrap_or_default());
            let start = new.len();
            new.push_str(&edit.text);
            let old = text.get(edit.start..edit.end).unwrap_or_default();
            undo.push((Edit::new(file, (start..new.len(), old.to_owned())), *group));
            at = edit.end;
        }
        if at > 0 || !new.is_empty() {
            new.push_str(text.get(at..).unwrap_or_default());
            *text = new;
        }
    }
    (undo, made)
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
        let (undo, made) = apply(&mut texts, &groups);
        assert_eq!(texts[Path::new("a.rs")], "1 2 3");
        assert_eq!(
            undo,
            [(edit(0, 1, "one"), 0), (edit(2, 3, "two"), 3), (edit(4, 5, "three"), 0)]
        );
        assert_eq!(made, [true, true, false, true]);
    }

    #[test]
    fn earlier_edits_move_with_later_ones_and_can_be_taken_back() {
        let mut texts = Texts::from([(PathBuf::from("a.rs"), "one two three".to_owned())]);
        let groups = [vec![edit(4, 7, "2")], vec![edit(8, 13, "3")]];
        let (all, _) = apply(&mut texts, &groups);
        let (undo, _) = apply(&mut texts, &[vec![edit(0, 3, "first")], vec![edit(6, 7, "x")]]);
        let [mut all, undo] =
            [all, undo].map(|it| it.into_iter().map(|(edit, _)| edit).collect::<Vec<_>>());
        all.retain_mut(|edit| edit.follow(&undo));
        assert_eq!(texts[Path::new("a.rs")], "first 2 x");
        assert_eq!(all, [edit(6, 7, "two")]);
        apply(&mut texts, &[all]);
        assert_eq!(texts[Path::new("a.rs")], "first two x");
    }
}
