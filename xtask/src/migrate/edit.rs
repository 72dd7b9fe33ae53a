//! Edits of texts, and the difference between two texts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::host::terminal::Paint;

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

/// The texts of files by their paths.
pub type Texts = BTreeMap<PathBuf, String>;

/// Applies edits to texts, apart from those that overlap: they are made again in the next round. Returns the ranges of
/// the new texts by file, and whether each group of edits was made.
pub fn apply(
    texts: &mut Texts,
    groups: &[Vec<Edit>],
) -> (BTreeMap<PathBuf, Vec<Range<usize>>>, Vec<bool>) {
    let mut accepted: Vec<&Edit> = Vec::new();
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
    accepted.sort();
    accepted.dedup();
    let mut changed: BTreeMap<PathBuf, Vec<Range<usize>>> = BTreeMap::new();
    for (file, text) in texts.iter_mut() {
        let mut new = String::new();
        let mut at = 0;
        for edit in accepted.iter().filter(|edit| edit.file == *file) {
            new.push_str(text.get(at..edit.start).unwrap_or_default());
            let start = new.len();
            new.push_str(&edit.text);
            changed.entry(file.clone()).or_default().push(start..new.len());
            at = edit.end;
        }
        if changed.contains_key(file) {
            new.push_str(text.get(at..).unwrap_or_default());
            *text = new;
        }
    }
    (changed, made)
}

/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// Renders the difference between two texts of a file, as `patch -p1` reads it.
pub fn diff(path: &Path, old: &str, new: &str, paint: Paint) -> String {
    let name = path.display();
    let mut out = format!(
        "{}\n{}\n",
        paint.bold(&format!("--- a/{name}")),
        paint.bold(&format!("+++ b/{name}"))
    );
    let before: Vec<&str> = old.split_inclusive('\n').collect();
    let after: Vec<&str> = new.split_inclusive('\n').collect();
    let mut line = |mark: char, text: &str| {
        let line = format!("{mark}{}", text.strip_suffix('\n').unwrap_or(text));
        let line = match mark {
            '-' => paint.red(&line),
            '+' => paint.green(&line),
            '@' => paint.cyan(&line),
            _ => line,
        };
        let _ = writeln!(out, "{line}");
    };
    let mut shift = 0;
    let is_near = |a: &Run, b: &Run| b[0].start <= a[0].end + 2 * CONTEXT;
    for hunk in runs(&before, &after).chunk_by(is_near) {
        let [start, end] = [hunk[0][0].start, hunk[hunk.len() - 1][0].end];
        let mut at = start.saturating_sub(CONTEXT);
        let end = (end + CONTEXT).min(before.len());
        let added = |[old, new]: &Run| new.len().cast_signed() - old.len().cast_signed();
        let added: isize = hunk.iter().map(added).sum();
        let [length, first] = [end - at, at + 1];
        let [new_length, new_first] =
            [length.saturating_add_signed(added), first.saturating_add_signed(shift)];
        line('@', &format!("@ -{first},{length} +{new_first},{new_length} @@"));
        shift += added;
        for [old, new] in hunk {
            before[at..old.start].iter().for_each(|text| line(' ', text));
            before[old.clone()].iter().for_each(|text| line('-', text));
            after[new.clone()].iter().for_each(|text| line('+', text));
            at = old.end;
        }
        before[at..end].iter().for_each(|text| line(' ', text));
    }
    out
}

/// Lines that differ, before and after.
type Run = [Range<usize>; 2];

/// Returns the lines that differ. Edits rarely add or remove lines: if one does, all between the first and the last
/// difference is one run.
fn runs(before: &[&str], after: &[&str]) -> Vec<Run> {
    let same = |(a, b): &(&&str, &&str)| a == b;
    if before.len() != after.len() {
        let start = before.iter().zip(after).take_while(same).count();
        let rest = before[start..].iter().rev().zip(after[start..].iter().rev());
        let end = rest.take_while(same).count();
        return vec![[start..before.len() - end, start..after.len() - end]];
    }
    let differs = (0..before.len()).filter(|line| before[*line] != after[*line]);
    let differs: Vec<usize> = differs.collect();
    let runs = differs.chunk_by(|a, b| a + 1 == *b);
    runs.map(|run| [run[0]..run[0] + run.len(), run[0]..run[0] + run.len()]).collect()
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
        let (changed, made) = apply(&mut texts, &groups);
        assert_eq!(texts[Path::new("a.rs")], "1 2 3");
        assert_eq!(changed[Path::new("a.rs")], [0..1, 2..3, 4..5]);
        assert_eq!(made, [true, true, false, true]);
    }

    #[test]
    fn a_difference_has_three_lines_around_it_and_the_line_ends_of_the_file() {
        let old: Vec<String> = (1..=20).map(|line| format!("{line}\r\n")).collect();
        let old = old.concat();
        let new = old.replace("\n5\r", "\nfive\r").replace("\n15\r", "\nx\r\ny\r");
        let plain = Paint { colors: false };
        let text = diff(Path::new("a.rs"), &old, &new.replace("x\r\ny", "15"), plain);
        assert_eq!(
            text,
            "--- a/a.rs\n+++ b/a.rs\n@@ -2,7 +2,7 @@\n 2\r\n 3\r\n 4\r\n-5\r\n+five\r\n 6\r\n 7\r\n 8\r\n"
        );
        let text = diff(Path::new("a.rs"), &old, &new, plain);
        assert!(text.contains("@@ -2,17 +2,18 @@\n"), "{text}");
        assert_eq!(diff(Path::new("a.rs"), &old, &old, plain), "--- a/a.rs\n+++ b/a.rs\n");
    }
}
