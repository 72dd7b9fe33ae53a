//! Edits of texts, and the difference between two texts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use commands::host::terminal::Paint;

/// A text that replaces a range of bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    pub file: PathBuf,
    /// The first byte, and the one after the last.
    pub start: usize,
    pub end: usize,
    pub text: String,
}

impl Edit {
    pub fn new(file: &Path, (range, text): (Range<usize>, String)) -> Self {
        Self { file: file.to_owned(), start: range.start, end: range.end, text }
    }
}

pub type Texts = BTreeMap<PathBuf, String>;

/// Edits that belong together, and the index of the headline that they follow from.
pub type Group = (Vec<Edit>, usize);

/// Applies edits to texts, apart from groups that overlap others: these are made again in the next round. New entries of one
/// list do not. Returns the groups with their places in the new texts, and the old texts of the edited files.
pub fn apply(texts: &mut Texts, groups: impl IntoIterator<Item = Group>) -> (Vec<Group>, Texts) {
    let mut accepted: BTreeSet<Edit> = BTreeSet::new();
    let mut made = Vec::new();
    for (group, headline) in groups {
        let is_entry = |edit: &Edit| edit.start == edit.end && edit.text.starts_with(", ");
        let is_free = |edit: &Edit| {
            // What begins later ends later: these do not overlap.
            let last = Edit { start: edit.end, end: usize::MAX, ..edit.clone() };
            let near = accepted.range(..=last).rev();
            let mut near = near.take_while(|it| it.end >= edit.start && it.file == edit.file);
            near.all(|other| other == edit || is_entry(edit) && is_entry(other))
        };
        if group.iter().all(is_free) {
            accepted.extend(group.iter().cloned());
            made.push((group, headline));
        }
    }
    let mut places: BTreeMap<Edit, Edit> = BTreeMap::new();
    let mut before = Texts::new();
    let accepted: Vec<Edit> = accepted.into_iter().collect();
    for edits in accepted.chunk_by(|one, next| one.file == next.file) {
        let file = &edits[0].file;
        let Some(text) = texts.get_mut(file) else { continue };
        let mut new = String::new();
        let mut at = 0;
        for edit in edits {
            new.push_str(text.get(at..edit.start).unwrap_or_default());
            let start = new.len();
            new.push_str(&edit.text);
            places.insert(edit.clone(), Edit::new(file, (start..new.len(), edit.text.clone())));
            at = edit.end;
        }
        new.push_str(text.get(at..).unwrap_or_default());
        before.insert(file.clone(), std::mem::replace(text, new));
    }
    let moved = |edits: Vec<Edit>| edits.iter().filter_map(|it| places.get(it).cloned()).collect();
    (made.into_iter().map(|(edits, headline)| (moved(edits), headline)).collect(), before)
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
            (vec![edit(0, 3, "1"), edit(8, 13, "3")], 0),
            (vec![edit(0, 3, "1")], 1),
            (vec![edit(2, 7, "x")], 2),
            (vec![edit(4, 7, "2")], 3),
        ];
        let original = texts.clone();
        let (made, before) = apply(&mut texts, groups);
        assert_eq!(texts[Path::new("a.rs")], "1 2 3");
        assert_eq!(before, original);
        let first = (vec![edit(0, 1, "1"), edit(4, 5, "3")], 0);
        let second = (vec![edit(0, 1, "1")], 1);
        assert_eq!(made, [first, second, (vec![edit(2, 3, "2")], 3)]);
    }

    #[test]
    fn many_edits_are_not_compared_in_pairs() {
        let count = 50_000;
        let mut texts = Texts::from([(PathBuf::from("a.rs"), "ab ".repeat(count))]);
        let groups = (0..count).rev().map(|at| (vec![edit(3 * at, 3 * at + 2, "c")], 0));
        assert_eq!(apply(&mut texts, groups).0.len(), count);
        assert_eq!(texts[Path::new("a.rs")], "c ".repeat(count));
    }
}
