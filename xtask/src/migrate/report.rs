//! The report: the differences, what was done, and what is left.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ::codegen::compare::Class;
use ::codegen::diagnostics::{Diagnostics, Locator};
use serde_json::{Value, json};

use crate::host::exit::{Context, Failure};
use crate::host::paths::display_path;
use crate::host::table::Table;
use crate::host::terminal::{Paint, pluralize};
use crate::migrate::edit::{Texts, diff};
use crate::migrate::plan::{Headline, Plan};
use crate::migrate::rounds::{Left, Outcome};
use crate::migrate::shadow::Shadow;

/// The report of a workspace.
pub struct Report {
    root: PathBuf,
    /// The texts of the edited files, before and after.
    files: BTreeMap<PathBuf, [String; 2]>,
    rounds: usize,
    rows: Vec<Row>,
    /// The errors that no change explains.
    unexplained: Vec<Left>,
    /// The changes of what is sent, or expected, although programs compile.
    wire: Vec<Row>,
    /// The number of all changes that break programs.
    breaking: usize,
}

/// What became of the uses of a crate, as numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// The number of changes that break programs.
    pub breaking: usize,
    /// The number of those of which a place is left.
    pub by_hand: usize,
    /// The number of edits.
    pub edits: usize,
    /// The number of places that are left.
    pub left: usize,
}

/// A change with what became of its uses.
struct Row {
    title: String,
    class: &'static str,
    is_mechanical: bool,
    instead: Option<String>,
    place: Option<String>,
    used_by: Vec<String>,
    edits: usize,
    left: Vec<Left>,
}

impl Report {
    /// Describes an outcome.
    pub fn new(shadow: &Shadow, plan: &Plan, outcome: Outcome, texts: [&Diagnostics; 2]) -> Self {
        let texts = texts.map(Locator::new);
        let place = |places: &[String; 2]| {
            places.iter().zip(&texts).find_map(|(pointer, texts)| {
                let found = if pointer.is_empty() { None } else { texts.locate(pointer) };
                found.map(|(file, line)| format!("{file}:{line}"))
            })
        };
        let rows = plan.headlines.iter().enumerate().map(|(index, headline)| Row {
            title: headline.title.clone(),
            class: headline.class.as_str(),
            is_mechanical: headline.is_mechanical,
            instead: headline.instead.clone(),
            place: place(&headline.places),
            used_by: headline.used_by.clone(),
            edits: outcome.edits.get(&index).copied().unwrap_or_default(),
            left: outcome.left.iter().filter(|it| it.headline == Some(index)).cloned().collect(),
        });
        let is_breaking = |headline: &&Headline| headline.class == Class::Breaking;
        let (wire, rows): (Vec<Row>, Vec<Row>) =
            rows.partition(|row| row.class == Class::Wire.as_str());
        Self {
            root: shadow.root.clone(),
            files: changed(&shadow.originals, &outcome.texts),
            rounds: outcome.rounds,
            rows: rows.into_iter().filter(|row| row.edits > 0 || !row.left.is_empty()).collect(),
            unexplained: outcome.left.into_iter().filter(|it| it.headline.is_none()).collect(),
            wire,
            breaking: plan.headlines.iter().filter(is_breaking).count(),
        }
    }

    /// Counts the changes and the places.
    pub fn figures(&self) -> Figures {
        let breaking = self.rows.iter().filter(|row| row.class == Class::Breaking.as_str());
        Figures {
            breaking: self.breaking,
            by_hand: breaking.filter(|row| !row.left.is_empty()).count(),
            edits: self.rows.iter().map(|row| row.edits).sum(),
            left: self.left(),
        }
    }

    /// Returns the places that a new name or a feature alone would mend, and those that nothing explains.
    pub fn unmended(&self) -> impl Iterator<Item = String> {
        let rows = self.rows.iter().filter(|row| row.is_mechanical);
        let explained = rows.flat_map(|row| &row.left);
        explained.chain(&self.unexplained).map(|left| shown(self, left))
    }

    /// Returns the number of places that are left.
    pub fn left(&self) -> usize {
        let explained: usize = self.rows.iter().map(|row| row.left.len()).sum();
        explained + self.unexplained.len()
    }

    /// Writes the files. Each is replaced as a whole, and none before all of them can be.
    pub fn write(&self) -> Result<(), Failure> {
        let mut files = Vec::new();
        for (path, [before, after]) in &self.files {
            let path = self.root.join(path);
            refuse_unwritable(&path, before)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let new = path.with_file_name(format!(".{name}.migrate"));
            files.push((path, new, after));
        }
        let staged = files.iter().try_for_each(|(path, new, after)| {
            fs::copy(path, new).context("write", new)?;
            fs::write(new, after).context("write", new)
        });
        let replace =
            |(path, new, _): &(PathBuf, PathBuf, _)| fs::rename(new, path).context("write", path);
        let written = staged.and_then(|()| files.iter().try_for_each(replace));
        if written.is_err() {
            for (_, new, _) in &files {
                let _ = fs::remove_file(new);
            }
        }
        written
    }
}

/// Fails if a file has changed since it was read, or is read-only.
fn refuse_unwritable(path: &Path, before: &str) -> Result<(), Failure> {
    if fs::read_to_string(path).context("read", path)? != before {
        let failure = Failure::at("write", path, "it has changed during the run");
        return Err(failure.help("run the command again"));
    }
    if fs::metadata(path).context("read", path)?.permissions().readonly() {
        let failure = Failure::at("write", path, "it is read-only; no file was written");
        let help = "allow writing, or restore the file, then run the command again";
        return Err(failure.help(help));
    }
    Ok(())
}

/// Returns the texts that differ.
fn changed(before: &Texts, after: &Texts) -> BTreeMap<PathBuf, [String; 2]> {
    let files = before.iter().filter_map(|(path, old)| {
        let new = after.get(path).filter(|new| *new != old)?;
        Some((path.clone(), [old.clone(), new.clone()]))
    });
    files.collect()
}

/// Renders reports for people.
pub fn text(reports: &[Report], is_written: bool, paint: Paint) -> String {
    let mut out = String::new();
    for report in reports {
        for (path, [before, after]) in &report.files {
            if is_written {
                let path = report.root.join(path);
                let _ = writeln!(out, "edited {}", display_path(&path).display());
            } else {
                out.push_str(&diff(path, before, after, paint));
            }
        }
        summarize(&mut out, report, paint);
    }
    out
}

fn summarize(out: &mut String, report: &Report, paint: Paint) {
    let mut table = Table::new(["change", "edits", "left"]);
    for row in &report.rows {
        table.row([row.title.clone(), row.edits.to_string(), row.left.len().to_string()]);
    }
    if !report.rows.is_empty() {
        let _ = write!(out, "\n{table}");
    }
    for row in report.rows.iter().filter(|row| !row.left.is_empty()) {
        let _ = writeln!(out, "\n{}", paint.bold(&row.title));
        if let Some(place) = &row.place {
            let _ = writeln!(out, "  --> {place}");
        }
        for left in &row.left {
            let _ = writeln!(out, "   | {}", shown(report, left));
        }
        if let Some(instead) = &row.instead {
            let _ = writeln!(out, "   = instead: {instead}");
        }
    }
    if !report.unexplained.is_empty() {
        let _ = writeln!(out, "\n{}", paint.bold("errors that no change of the bindings explains"));
        for left in &report.unexplained {
            let _ = writeln!(out, "   | {}", shown(report, left));
        }
    }
    if !report.wire.is_empty() {
        let _ = writeln!(
            out,
            "\n{}",
            paint.bold("wire-breaking, though it compiles; no code is edited")
        );
        for row in &report.wire {
            let methods: BTreeSet<&str> = row.used_by.iter().map(String::as_str).collect();
            let methods = Vec::from_iter(methods).join(", ");
            let used = if methods.is_empty() { methods } else { format!(" (used by {methods})") };
            let _ = writeln!(out, "   | {}{used}", row.title);
            for left in &row.left {
                let _ = writeln!(out, "   |   {}", shown(report, left));
            }
        }
    }
    let edits: usize = report.rows.iter().map(|row| row.edits).sum();
    let left = report.left();
    let _ = writeln!(
        out,
        "\n{} in {} after {}, {} left",
        pluralize(edits, "edit"),
        pluralize(report.files.len(), "file"),
        pluralize(report.rounds, "round"),
        if left == 0 { "nothing".to_owned() } else { pluralize(left, "place") }
    );
}

fn shown(report: &Report, left: &Left) -> String {
    let path = report.root.join(&left.file);
    let path: &Path = display_path(&path);
    format!("{}:{}:{}: {}", path.display(), left.line, left.column, left.message)
}

/// Renders reports as one JSON object.
pub fn json(reports: &[Report]) -> String {
    let left = |left: &Left| {
        json!({
            "file": left.file.display().to_string(),
            "line": left.line,
            "column": left.column,
            "message": left.message,
        })
    };
    let row = |row: &Row| {
        json!({
            "title": row.title,
            "class": row.class,
            "instead": row.instead,
            "place": row.place,
            "used_by": row.used_by,
            "edits": row.edits,
            "left": row.left.iter().map(left).collect::<Vec<_>>(),
        })
    };
    let plain = Paint { colors: false };
    let report = |report: &Report| {
        let files = report.files.iter().map(|(path, [before, after])| {
            json!({ "path": path.display().to_string(), "diff": diff(path, before, after, plain) })
        });
        json!({
            "root": report.root.display().to_string(),
            "rounds": report.rounds,
            "files": files.collect::<Vec<Value>>(),
            "changes": report.rows.iter().map(row).collect::<Vec<_>>(),
            "unexplained": report.unexplained.iter().map(left).collect::<Vec<_>>(),
            "wire": report.wire.iter().map(row).collect::<Vec<_>>(),
        })
    };
    let value = Value::from(reports.iter().map(report).collect::<Vec<_>>());
    format!("{:#}\n", json!({ "workspaces": value }))
}
