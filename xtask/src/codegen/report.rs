//! The last line of a run.

use std::time::Duration;

use ::codegen::Summary;

use crate::output_dir::{Comparison, Tally};

/// Returns the line of a run that found errors in the spec.
pub fn invalid(spec: &str, errors: usize) -> String {
    format!("`{spec}` has {}: nothing was written", counted(errors, "error"))
}

/// Returns the operations that a run with `--keep-going` left out, a line for each.
pub fn left_out(operations: &[String]) -> String {
    let count = counted(operations.len(), "operation");
    format!("left out because of errors: {count}\n  {}\n\n", operations.join("\n  "))
}

/// Returns the line of a run with `--deny-warnings` that found warnings.
pub fn denied(spec: &str, warnings: usize) -> String {
    let warnings = counted(warnings, "warning");
    format!("`{spec}` has {warnings}, which `--deny-warnings` refuses: nothing was written")
}

/// Returns the line of a run that wrote: what the spec holds, and how many files changed.
pub fn written(summary: &Summary, warnings: usize, tally: Tally, took: Duration) -> String {
    let files = match tally {
        Tally { written: 0, deleted: 0, unchanged, .. } => {
            format!("nothing to do, {}", files(unchanged, "unchanged"))
        }
        Tally { written, deleted, unchanged, .. } => {
            format!("{}, {deleted} deleted, {unchanged} unchanged", files(written, "written"))
        }
    };
    format!("{}: {files} ({:.2} s)\n", content(summary, warnings), took.as_secs_f64())
}

/// Returns the line of a check that found no difference.
pub fn fresh(summary: &Summary, warnings: usize, comparison: &Comparison<'_>) -> String {
    format!("{}: {}\n", content(summary, warnings), files(comparison.unchanged.len(), "up to date"))
}

/// Returns how many differences a check found.
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
    let mut content =
        format!("{}, {}", counted(summary.operations, "operation"), counted(summary.types, "type"));
    if warnings > 0 {
        content = format!("{content}, {}", counted(warnings, "warning"));
    }
    content
}

fn files(count: usize, what: &str) -> String {
    format!("{} {what}", counted(count, "file"))
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary() -> Summary {
        Summary { operations: 20, types: 143 }
    }

    #[test]
    fn a_run_ends_with_what_it_did() {
        let tally = Tally { written: 3, deleted: 1, unchanged: 96 };
        assert_eq!(
            written(&summary(), 2, tally, Duration::from_millis(120)),
            "20 operations, 143 types, 2 warnings: 3 files written, 1 deleted, 96 unchanged (0.12 s)\n",
        );
        let tally = Tally { written: 1, deleted: 0, unchanged: 0 };
        assert_eq!(
            written(&Summary { operations: 1, types: 1 }, 0, tally, Duration::ZERO),
            "1 operation, 1 type: 1 file written, 0 deleted, 0 unchanged (0.00 s)\n",
        );
        let tally = Tally { written: 0, deleted: 0, unchanged: 99 };
        assert_eq!(
            written(&summary(), 0, tally, Duration::from_millis(80)),
            "20 operations, 143 types: nothing to do, 99 files unchanged (0.08 s)\n",
        );
    }
}
