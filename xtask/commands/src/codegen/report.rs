//! The last line of a run: its outcome.

use std::time::Duration;

use ::codegen::Summary;

use crate::host::output_dir::Comparison;
use crate::host::terminal::pluralize;

/// Returns the operations that `keep-going` omitted, one per line.
pub fn left_out(operations: &[String]) -> String {
    let count = pluralize(operations.len(), "operation");
    format!("omitted because of errors: {count}\n  {}\n\n", operations.join("\n  "))
}

/// Returns the error of `--deny-warnings`.
pub fn denied(spec: &str, warnings: usize) -> String {
    let warnings = pluralize(warnings, "warning");
    format!("`{spec}` has {warnings}, denied by `--deny-warnings`: nothing was written")
}

/// Returns the line of a run that wrote files: the size of the crate, and the number of changed files.
pub fn written(
    summary: &Summary,
    warnings: usize,
    replaced: &Comparison<'_>,
    took: Duration,
) -> String {
    let Comparison { changed, missing, extra, unchanged } = replaced;
    let unchanged = unchanged.len();
    let files = if replaced.is_same() {
        format!("nothing to do, {}", files(unchanged, "unchanged"))
    } else {
        let written = files(changed.len() + missing.len(), "written");
        format!("{written}, {} deleted, {unchanged} unchanged", extra.len())
    };
    format!("{}: {files} ({:.2} s)\n", content(summary, warnings), took.as_secs_f64())
}

/// Returns the line of a check that found no difference.
pub fn fresh(summary: &Summary, warnings: usize, comparison: &Comparison<'_>) -> String {
    format!("{}: {}\n", content(summary, warnings), files(comparison.unchanged.len(), "up to date"))
}

/// Returns the error of a check: the number of files that differ.
pub fn stale(folder: &str, comparison: &Comparison<'_>) -> String {
    let found = [
        (comparison.changed.len(), "changed"),
        (comparison.missing.len(), "missing"),
        (comparison.extra.len(), "extra"),
    ];
    let found: Vec<_> = found.into_iter().filter(|(count, _)| *count > 0).collect();
    let words = found.iter().enumerate().map(|(place, (count, what))| match place {
        0 => files(*count, what),
        _ => format!("{count} {what}"),
    });
    format!("`{folder}` is stale: {}", words.collect::<Vec<_>>().join(", "))
}

fn content(summary: &Summary, warnings: usize) -> String {
    let mut content = format!(
        "{}, {}",
        pluralize(summary.operations, "operation"),
        pluralize(summary.types, "type")
    );
    if warnings > 0 {
        content = format!("{content}, {}", pluralize(warnings, "warning"));
    }
    content
}

fn files(count: usize, what: &str) -> String {
    format!("{} {what}", pluralize(count, "file"))
}
