//! A line diff.

use std::ops::Range;

/// How many unchanged lines a hunk shows before and after its changes.
const CONTEXT: usize = 3;

/// The largest table of the longest common subsequence: beyond it, everything between the first and the last difference
/// counts as changed.
const MAX_CELLS: usize = 4_000_000;

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    Keep,
    Remove,
    Add,
}

/// A run of changes with the lines around them.
#[derive(Debug)]
pub struct Hunk<'t> {
    /// `@@ -1,3 +1,4 @@`
    pub header: String,
    /// The lines, each with its end.
    pub lines: Vec<(Edit, &'t str)>,
}

/// Returns the hunks that turn one text into another.
pub fn hunks<'t>(old: &'t str, new: &'t str) -> Vec<Hunk<'t>> {
    let old: Vec<_> = old.split_inclusive('\n').collect();
    let new: Vec<_> = new.split_inclusive('\n').collect();
    let edits = edits(&old, &new);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (index, _) in edits.iter().enumerate().filter(|(_, (edit, _))| *edit != Edit::Keep) {
        let (start, end) = (index.saturating_sub(CONTEXT), edits.len().min(index + CONTEXT + 1));
        match ranges.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => ranges.push(start..end),
        }
    }
    ranges.into_iter().map(|range| hunk(&edits, range)).collect()
}

fn hunk<'t>(edits: &[(Edit, &'t str)], range: Range<usize>) -> Hunk<'t> {
    let (before, rest) = edits.split_at(range.start);
    let lines = rest.iter().take(range.len()).copied().collect::<Vec<_>>();
    let count = |edits: &[(Edit, &str)], not| edits.iter().filter(|(edit, _)| *edit != not).count();
    let side = |not| {
        let (first, length) = (count(before, not), count(&lines, not));
        format!("{},{length}", if length == 0 { first } else { first + 1 })
    };
    Hunk { header: format!("@@ -{} +{} @@", side(Edit::Add), side(Edit::Remove)), lines }
}

fn edits<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(Edit, &'t str)> {
    let prefix = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (kept, old, new) = (&old[..prefix], &old[prefix..], &new[prefix..]);
    let suffix = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, kept_at_end) = old.split_at(old.len() - suffix);
    let new = &new[..new.len() - suffix];
    let keep = |line: &&'t str| (Edit::Keep, *line);
    let mut edits: Vec<_> = kept.iter().map(keep).collect();
    edits.extend(changed(old, new));
    edits.extend(kept_at_end.iter().map(keep));
    edits
}

/// Returns the edits of lines of which neither the first nor the last are the same.
fn changed<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(Edit, &'t str)> {
    let width = new.len() + 1;
    let cells = (old.len() + 1).saturating_mul(width);
    let fits = cells <= MAX_CELLS;
    // The length of the longest common subsequence of what follows each pair of positions.
    let mut common = vec![0_u32; if fits { cells } else { 0 }];
    for (row, old) in old.iter().enumerate().rev().filter(|_| fits) {
        for (column, new) in new.iter().enumerate().rev() {
            let here = row * width + column;
            common[here] = if old == new {
                common[here + width + 1] + 1
            } else {
                common[here + width].max(common[here + 1])
            };
        }
    }
    let length = |row: usize, column: usize| common.get(row * width + column).copied().unwrap_or(0);
    let (mut row, mut column) = (0, 0);
    let mut edits = Vec::new();
    while row < old.len() || column < new.len() {
        match (old.get(row), new.get(column)) {
            (Some(line), Some(other)) if line == other && fits => {
                edits.push((Edit::Keep, *line));
                (row, column) = (row + 1, column + 1);
            }
            (Some(line), other)
                if other.is_none() || length(row + 1, column) >= length(row, column + 1) =>
            {
                edits.push((Edit::Remove, *line));
                row += 1;
            }
            (_, Some(line)) => {
                edits.push((Edit::Add, *line));
                column += 1;
            }
            (_, None) => break,
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let mark = |edit| match edit {
            Edit::Keep => ' ',
            Edit::Remove => '-',
            Edit::Add => '+',
        };
        let hunks = hunks(old, new);
        let lines = hunks.iter().map(|hunk| {
            let lines = hunk.lines.iter().map(|(edit, line)| format!("{}{line}", mark(*edit)));
            format!("{}\n{}", hunk.header, lines.collect::<String>())
        });
        lines.collect()
    }

    #[test]
    fn distant_changes_are_hunks_of_their_own() {
        let old = "a\n1\n2\n3\n4\n5\n6\n7\n8\nb\nc\n";
        let new = "A\n1\n2\n3\n4\n5\n6\n7\n8\nb\nx\nc\n";
        let expected = "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -8,4 +8,5 @@\n 7\n 8\n b\n+x\n c\n";
        assert_eq!(shown(old, new), expected);
    }

    #[test]
    fn lines_in_common_between_changes_are_kept() {
        let expected = "@@ -1,4 +1,4 @@\n-a\n b\n-c\n d\n+e\n+f\n";
        assert_eq!(shown("a\nb\nc\nd\n", "b\nd\ne\nf\n"), expected);
    }

    #[test]
    fn texts_may_be_empty_or_lack_the_last_line_end() {
        assert_eq!(shown("", "a\n"), "@@ -0,0 +1,1 @@\n+a\n");
        assert_eq!(shown("a\n", ""), "@@ -1,1 +0,0 @@\n-a\n");
        assert_eq!(shown("a\nb", "a\nb\n"), "@@ -1,2 +1,2 @@\n a\n-b+b\n");
        assert_eq!(shown("a", "a"), "");
    }

    #[test]
    fn texts_that_are_too_long_to_compare_are_replaced() {
        let text = |mark: &str| {
            (0..3000).fold(String::new(), |text, line| text + &format!("{line}{mark}\nsame\n"))
        };
        let (old, new) = (text("a"), text("b"));
        let hunks = hunks(&old, &new);
        let [hunk] = &hunks[..] else { panic!("{} hunks", hunks.len()) };
        assert_eq!(hunk.header, "@@ -1,6000 +1,6000 @@");
        assert_eq!(hunk.lines.len(), 12_000 - 1);
    }
}
