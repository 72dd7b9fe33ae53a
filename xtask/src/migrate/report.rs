//! The report: the differences, what was done, and what is left.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use ::codegen::compare::Class;
use ::codegen::visible_json;
use serde_json::{Value, json};

use crate::migrate::cargo::Workspace;
use crate::migrate::edit::{Texts, diff};
use crate::migrate::namesakes;
use crate::migrate::plan::Plan;
use crate::migrate::rounds::{self, Crates, Left};
use crate::migrate::shadow::Shadow;
use commands::diff::{Entry, Places, json_entry, places};
use commands::host::exit::Fallible;
use commands::host::paths::display_path;
use commands::host::table::TextTable;
use commands::host::terminal::{Paint, pluralize};

/// The report of a workspace.
pub struct Report {
    /// The folder that the paths of files are relative to.
    pub root: PathBuf,
    /// The texts of the edited files, before and after.
    pub files: BTreeMap<PathBuf, [String; 2]>,
    rounds: usize,
    /// The changes that break programs, or compile as before.
    pub rows: Vec<Row>,
    /// The errors that no change explains.
    pub unexplained: Vec<Left>,
    /// The changes of what is sent, or expected, although programs compile.
    pub wire: Vec<Row>,
    /// The used items that are deprecated now, although programs compile.
    deprecated: Vec<Row>,
    /// The features in the conditions of the programs: without them, code is not compiled.
    conditions: BTreeSet<String>,
}

/// A change with what became of its uses.
pub struct Row {
    /// The change.
    pub headline: Entry,
    /// The number of edits.
    pub edits: usize,
    /// The places that are left.
    pub left: Vec<Left>,
}

impl Report {
    /// Migrates a workspace in its copy, and writes nothing to it.
    pub fn of(
        users: &Workspace,
        shadow: &Shadow,
        crates: &Crates,
        package: &str,
    ) -> Fallible<Self> {
        let places = Places::new(crates.texts.each_ref());
        let mut plan = Plan::new([&crates.old, &crates.new], &places);
        namesakes::leave(&mut plan, &shadow.originals, package);
        let outcome = rounds::run(users, shadow, &plan, crates, package)?;
        let rows = plan.headlines.into_iter().enumerate().map(|(index, headline)| Row {
            edits: outcome.edits.get(&index).copied().unwrap_or_default(),
            left: outcome.left.iter().filter(|it| it.headline == Some(index)).cloned().collect(),
            headline,
        });
        let (wire, rows): (_, Vec<_>) = rows.partition(|row| row.headline.class == Class::Wire);
        let is_deprecated = |row: &Row| {
            let Entry { class, is_mechanical, .. } = row.headline;
            class == Class::Compatible && !is_mechanical && !row.left.is_empty()
        };
        let (deprecated, rows) = rows.into_iter().partition(is_deprecated);
        let texts = shadow.originals.iter().zip(outcome.texts);
        let files = texts.filter(|((_, before), (_, after))| *before != after);
        let files = files.map(|((_, before), (path, after))| (path, [before.clone(), after]));
        Ok(Self {
            root: shadow.root.clone(),
            files: files.collect(),
            rounds: outcome.rounds,
            rows,
            unexplained: outcome.left.into_iter().filter(|it| it.headline.is_none()).collect(),
            wire,
            deprecated,
            conditions: conditions(users, &shadow.originals),
        })
    }

    /// Returns the places that do not compile, each once, although several changes may explain it.
    pub fn places(&self) -> impl Iterator<Item = &Left> {
        let left = self.rows.iter().flat_map(|row| &row.left).chain(&self.unexplained);
        let place = |it: &'_ Left| (it.file.clone(), it.line, it.column, it.message.clone());
        left.map(|left| (place(left), left)).collect::<BTreeMap<_, _>>().into_values()
    }

    /// Returns the changes that the programs notice.
    fn noticed(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.edits > 0 || !row.left.is_empty())
    }

    /// Returns a place as people see it.
    pub fn describe(&self, left: &Left) -> String {
        let path = self.root.join(&left.file);
        let path = display_path(&path).display();
        format!("{path}:{}:{}: {}", left.line, left.column, left.message)
    }
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
    let mut table = TextTable::new(["change", "edits", "left"]);
    for row in report.noticed() {
        table.row([row.headline.title.clone(), row.edits.to_string(), row.left.len().to_string()]);
    }
    if report.noticed().next().is_some() {
        let _ = write!(out, "\n{table}");
    }
    for row in report.rows.iter().filter(|row| !row.left.is_empty()) {
        let _ = writeln!(out, "\n{}", paint.bold(&row.headline.title));
        places(out, &row.headline, &[" (old)", " (new)"].map(str::to_owned), paint);
        out.push('\n');
        for left in &row.left {
            let _ = writeln!(out, "   | {}", report.describe(left));
        }
        if let Some(instead) = &row.headline.instead {
            let _ = writeln!(out, "   = instead: {instead}");
        }
        if let Some(pair) = &row.headline.accept {
            let _ = writeln!(out, "   = if so: --accept '{pair}'");
        }
    }
    if !report.unexplained.is_empty() {
        let title = paint.bold("errors that no change of the bindings explains");
        let _ = writeln!(out, "\n{title}");
    }
    for left in &report.unexplained {
        let _ = writeln!(out, "   | {}", report.describe(left));
    }
    for (title, rows) in [
        ("wire-breaking, though it compiles; no code is edited", &report.wire),
        ("deprecated; no code is edited", &report.deprecated),
    ] {
        if !rows.is_empty() {
            let _ = writeln!(out, "\n{}", paint.bold(title));
        }
        for row in rows {
            let methods = row.headline.used_by.iter().filter_map(|path| path.first());
            let methods: BTreeSet<&str> = methods.map(String::as_str).collect();
            let methods = Vec::from_iter(methods).join(", ");
            let used = if methods.is_empty() { methods } else { format!(" (used by {methods})") };
            let _ = writeln!(out, "   | {}{used}", row.headline.title);
            for left in &row.left {
                let _ = writeln!(out, "   |   {}", report.describe(left));
            }
        }
    }
    let edits: usize = report.rows.iter().map(|row| row.edits).sum();
    let left = report.places().count();
    let _ = writeln!(
        out,
        "\n{} in {} after {}, {} left",
        pluralize(edits, "edit"),
        pluralize(report.files.len(), "file"),
        pluralize(report.rounds, "round"),
        if left == 0 { "nothing".to_owned() } else { pluralize(left, "place") }
    );
    if !report.conditions.is_empty() {
        let features = report.conditions.iter().cloned().collect::<Vec<_>>().join(",");
        let _ = writeln!(
            out,
            "not compiled: the code behind features that are off; add `--features {features}`"
        );
    }
}

/// Returns the features that code or targets of programs need, apart from those that are compiled for sure.
fn conditions(users: &Workspace, programs: &Texts) -> BTreeSet<String> {
    let names = programs.values().flat_map(|text| {
        let found =
            text.match_indices("feature = \"").filter(|it| !text[..it.0].ends_with("target_"));
        let found = found.filter_map(|(at, before)| text[at + before.len()..].split('"').next());
        let targets = text.split("required-features = [").skip(1);
        let targets = targets.filter_map(|rest| rest.split(']').next());
        found.chain(targets.flat_map(|list| list.split('"').skip(1).step_by(2)))
    });
    let options = users.options.iter().flat_map(|option| option.split(['=', ',', '/']));
    let enabled: BTreeSet<&str> = options.collect();
    let is_open = |name: &&str| !enabled.contains("--all-features") && !enabled.contains(name);
    names.filter(is_open).map(str::to_owned).collect()
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
        let mut value = json_entry(&row.headline);
        value["edits"] = row.edits.into();
        value["left"] = row.left.iter().map(left).collect();
        value
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
            "changes": report.noticed().map(row).collect::<Vec<_>>(),
            "unexplained": report.unexplained.iter().map(left).collect::<Vec<_>>(),
            "wire": report.wire.iter().map(row).collect::<Vec<_>>(),
            "conditions": report.conditions,
            "deprecated": report.deprecated.iter().map(row).collect::<Vec<_>>(),
        })
    };
    let value = Value::from(reports.iter().map(report).collect::<Vec<_>>());
    visible_json(&format!("{:#}\n", json!({ "workspaces": value }))).into_owned()
}
