//! Renders a comparison: a line for each file, and the first difference of a changed one.

use std::fmt::Write;

use crate::host::output_dir::compare::{Changed, Comparison};
use crate::host::terminal::Paint;

/// Maximum number of changed files that are shown with the first difference.
const SHOWN: usize = 20;

/// Returns the differences. Each path begins with `folder`.
pub fn render(comparison: &Comparison<'_>, folder: &str, paint: Paint) -> String {
    let folder = folder.trim_end_matches('/');
    let mut text = String::new();
    let mut line = |what: &str, path: &str, place: &str| {
        let _ = writeln!(text, "{} {folder}/{path}{place}", paint.bold(&format!("{what:<7}")));
    };
    for (index, changed) in comparison.changed.iter().enumerate() {
        let place = if index < SHOWN { first_difference(changed, paint) } else { String::new() };
        line("changed", &changed.file.path, &place);
    }
    comparison.missing.iter().for_each(|file| line("missing", &file.path, ""));
    comparison.extra.iter().for_each(|path| line("extra", path, ""));
    text
}

/// Returns the number of the first line that differs, with both versions of it.
fn first_difference(changed: &Changed<'_>, paint: Paint) -> String {
    let found = String::from_utf8_lossy(&changed.found);
    let mut old = found.lines();
    let mut new = changed.file.text.lines();
    for number in 1.. {
        let old = old.next();
        let new = new.next();
        if old.is_none() && new.is_none() {
            break;
        }
        if old != new {
            let old = old.map(|line| format!("\n  {}", paint.red(&format!("-{line}"))));
            let new = new.map(|line| format!("\n  {}", paint.green(&format!("+{line}"))));
            return format!(":{number}{}{}", old.unwrap_or_default(), new.unwrap_or_default());
        }
    }
    ": only line endings differ".to_owned()
}
