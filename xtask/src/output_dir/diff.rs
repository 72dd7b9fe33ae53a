//! Renders a comparison: a line for each file, then diffs of bounded length.

use std::fmt::Write;

use crate::output_dir::compare::{Changed, Comparison};
use crate::output_dir::line_diff::{self, Edit};
use crate::terminal::Paint;

/// How many lines of one file's diff are shown.
const LINES_PER_FILE: usize = 60;

/// How many lines of all diffs are shown.
const LINES_IN_ALL: usize = 240;

/// Returns the differences. Each path begins with `folder`.
pub fn render(comparison: &Comparison<'_>, folder: &str, paint: Paint) -> String {
    let folder = folder.trim_end_matches('/');
    let mut text = String::new();
    let changed = comparison.changed.iter().map(|changed| ("changed", &changed.file.path));
    let missing = comparison.missing.iter().map(|file| ("missing", &file.path));
    let extra = comparison.extra.iter().map(|path| ("extra", path));
    for (what, path) in changed.chain(missing).chain(extra) {
        let _ = writeln!(text, "{} {folder}/{path}", paint.bold(&format!("{what:<7}")));
    }
    let mut room = LINES_IN_ALL;
    let mut hidden = Hidden::default();
    for changed in &comparison.changed {
        let lines = lines(changed, folder, paint);
        if room == 0 {
            hidden.add(lines.len());
            continue;
        }
        let shown = lines.len().min(LINES_PER_FILE).min(room);
        room -= shown;
        text.push('\n');
        lines.iter().take(shown).for_each(|line| text.push_str(line));
        if lines.len() > shown {
            let _ = writeln!(text, "… {} more lines of this diff", lines.len() - shown);
        }
    }
    if hidden.files > 0 {
        let _ = writeln!(text, "\n… {} more lines in {} more files", hidden.lines, hidden.files);
    }
    text.push('\n');
    text
}

/// What was left out.
#[derive(Default)]
struct Hidden {
    lines: usize,
    files: usize,
}

impl Hidden {
    fn add(&mut self, lines: usize) {
        self.lines += lines;
        self.files += 1;
    }
}

/// Returns the lines of the diff of one file, each with its end.
fn lines(changed: &Changed<'_>, folder: &str, paint: Paint) -> Vec<String> {
    let path = format!("{folder}/{}", changed.file.path);
    let mut lines = vec![
        format!("{}\n", paint.bold(&format!("--- {path}"))),
        format!("{}\n", paint.bold(&format!("+++ {path} (from the spec)"))),
    ];
    let new = changed.file.text.as_str();
    let Ok(old) = str::from_utf8(&changed.found) else {
        lines.push("the file there is not text\n".to_owned());
        return lines;
    };
    if old.replace("\r\n", "\n") == new {
        lines.push(
            "only line endings differ: the file there ends its lines with CR LF\n".to_owned(),
        );
        return lines;
    }
    for hunk in line_diff::hunks(old, new) {
        lines.push(format!("{}\n", paint.cyan(&hunk.header)));
        for (edit, line) in hunk.lines {
            let line = line.trim_end_matches('\n');
            lines.push(match edit {
                Edit::Keep => format!(" {line}\n"),
                Edit::Remove => format!("{}\n", paint.red(&format!("-{line}"))),
                Edit::Add => format!("{}\n", paint.green(&format!("+{line}"))),
            });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use ::codegen::SourceFile;

    use super::*;

    const PLAIN: Paint = Paint { colours: false };

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.to_owned() }
    }

    fn changed<'a>(file: &'a SourceFile, found: &str) -> Changed<'a> {
        Changed { file, found: found.as_bytes().to_vec() }
    }

    #[test]
    fn every_file_is_named_and_changes_are_shown() {
        let (lib, new) = (file("src/lib.rs", "a\nB\nc\n"), file("src/new.rs", "x"));
        let comparison = Comparison {
            changed: vec![changed(&lib, "a\nb\nc\n")],
            missing: vec![&new],
            extra: vec!["src/old.rs".to_owned()],
            ..Comparison::default()
        };
        let expected = "\
changed out/src/lib.rs
missing out/src/new.rs
extra   out/src/old.rs

--- out/src/lib.rs
+++ out/src/lib.rs (from the spec)
@@ -1,3 +1,3 @@
 a
-b
+B
 c

";
        assert_eq!(render(&comparison, "out/", PLAIN), expected);
    }

    #[test]
    fn long_diffs_are_cut_and_counted() {
        let text = "a line\n".repeat(100);
        let files: Vec<_> = (0..6).map(|name| file(&format!("src/{name}.rs"), &text)).collect();
        let comparison = Comparison {
            changed: files.iter().map(|file| changed(file, "")).collect(),
            ..Comparison::default()
        };
        let shown = render(&comparison, "out", PLAIN);
        assert_eq!(shown.matches("… 43 more lines of this diff\n").count(), 4, "{shown}");
        assert!(shown.ends_with("\n… 206 more lines in 2 more files\n\n"), "{shown}");
        assert!(shown.contains("changed out/src/5.rs\n"), "{shown}");
    }

    #[test]
    fn what_a_diff_cannot_show_is_reported() {
        let lib = file("src/lib.rs", "a\nb\n");
        let say = |found: &[u8]| {
            lines(&Changed { file: &lib, found: found.to_vec() }, "out", PLAIN).concat()
        };
        assert!(say(b"a\r\nb\r\n").ends_with("the file there ends its lines with CR LF\n"));
        assert!(say(b"a\xff").ends_with("the file there is not text\n"));
        assert!(say(b"a\nb").contains("-b\n+b\n"));
    }
}
