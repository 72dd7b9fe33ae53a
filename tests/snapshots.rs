//! The crates of small specs, one per feature, and the diagnostics of invalid ones, each next to its spec. A case shows
//! its names and types, and of the emitted files only the items that its construct decides, which the lines `# shown:`
//! of its spec name (`support/shown.rs`); the case `common` shows what all crates have, and no other repeats its
//! documentation. The tidy test limits the lines of all snapshots.
//!
//! A snapshot that changes is reviewed as code (`cargo insta review`). `cases_compile` keeps the snapshots honest: what
//! they show compiles without a warning.

use std::fmt::Write as _;
use std::path::Path;

use codegen::diagnostics::Severity;
use codegen::items::{Item, Operation};
use insta::{Settings, assert_snapshot};

use crate::names;
use crate::support::case::{Case, documents, rendered};
use crate::support::shown::{COMMON, Common};
use crate::support::workspace::Workspace;

/// The cases whose documentation is built, because it differs most: `cargo xtask ci --all` builds that of all.
const DOCUMENTED: [&str; 6] = ["alike", "common", "conventions", "docs", "servers", "unions"];

/// Each case shows its public items, and the files that it names.
#[test]
fn cases_are_emitted_as_reviewed() {
    let documents = documents("cases");
    let common = documents.iter().map(|path| Case::read(path)).find(|case| case.name == COMMON);
    let common = Common::of(&common.unwrap());
    for path in &documents {
        let case = Case::read(path);
        let outcome = case.generate();
        let mut shown = without_source(&rendered(&outcome));
        let Some(output) = outcome.output else { panic!("{} is rejected:\n{shown}", case.name) };
        shown.push_str(&common.beside(&case, &output));
        next_to(path).bind(|| assert_snapshot!("emitted", shown));
    }
}

/// Returns the messages, places and help of diagnostics: `rejected/` shows them with their source.
fn without_source(diagnostics: &str) -> String {
    let is_kept = |line: &&str| {
        let inner = line.trim_start();
        inner.len() == line.len()
            || ["-->", ":::", "="].iter().any(|start| inner.starts_with(start))
    };
    let is_source = |line: &str| line.starts_with(|char: char| char.is_ascii_digit());
    let lines = diagnostics.lines().filter(is_kept).filter(|line| !is_source(line));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn rejected_documents_have_errors() {
    for path in &documents("rejected") {
        let case = Case::read(path);
        let outcome = case.generate();
        assert!(outcome.output.is_none(), "{} is not rejected", case.name);
        assert!(
            outcome.diagnostics.count(Severity::Error) > 0,
            "{} is rejected without a reason",
            case.name
        );
        next_to(path).bind(|| assert_snapshot!("diagnostics", rendered(&outcome)));
    }
}

/// `--keep-going` omits only elements with errors and the operations that need them.
#[test]
fn errors_cost_only_the_operations_that_need_their_place() {
    for path in &documents("bad_spots") {
        let case = Case::read(path);
        assert!(case.generate().output.is_none(), "{} has no errors", case.name);
        let outcome = case.generate_or(true);
        let mut shown = without_source(&rendered(&outcome));
        let output = outcome.output.unwrap();
        for Operation { verb, path, id, .. } in
            output.public_api.items.values().filter_map(Item::operation)
        {
            writeln!(shown, "generated: {verb} {path} {id:?}").unwrap();
        }
        for operation in outcome.left_out {
            writeln!(shown, "left out: {operation}").unwrap();
        }
        next_to(path).bind(|| assert_snapshot!("diagnostics", shown));
    }
}

#[test]
fn warned_documents_have_no_errors() {
    for path in &documents("warned") {
        let case = Case::read(path);
        let outcome = case.generate();
        assert!(outcome.output.is_some(), "{} is rejected:\n{}", case.name, rendered(&outcome));
        assert!(!outcome.diagnostics.is_empty(), "{} has no warnings", case.name);
        let shown = without_source(&rendered(&outcome));
        next_to(path).bind(|| assert_snapshot!("diagnostics", shown));
    }
}

#[test]
fn cases_compile() {
    let workspace = workspace();
    let clippy = [
        "clippy",
        "--workspace",
        "--no-default-features",
        // The setters of models that only tests build.
        "--features=test-util",
        "--keep-going",
        "--",
        "-Dwarnings",
        "-Dclippy::pedantic",
        // A name on the wire is the one in the spec, composed or not.
        "-Aclippy::unicode_not_nfc",
    ];
    let packages = DOCUMENTED.map(|case| format!("--package=case-{case}"));
    let packages: Vec<_> = packages.iter().map(String::as_str).collect();
    let messages = workspace.cargo(&clippy).and_then(|()| document(&workspace, &packages));
    if let Err(messages) = messages {
        panic!("{messages}");
    }
}

#[test]
#[ignore = "part of `cargo xtask ci --all`: rustdoc takes three times as long as clippy"]
fn cases_are_documented_without_warnings() {
    if let Err(messages) = document(&workspace(), &["--workspace"]) {
        panic!("{messages}");
    }
}

/// Returns the workspace of the crates of all cases.
fn workspace() -> Workspace {
    let mut workspace = Workspace::new("cases");
    for path in &documents("cases") {
        let case = Case::read(path);
        workspace.add(&case.name, &case.output().files);
    }
    let alike = names::alike();
    workspace.add(&alike.name, &alike.output().files);
    workspace.finish();
    workspace
}

/// Builds the documentation of some packages; returns the output of cargo unless it succeeds.
fn document(workspace: &Workspace, packages: &[&str]) -> Result<(), String> {
    let options = ["doc", "--no-default-features", "--no-deps", "--keep-going"];
    workspace.cargo(&[&options, packages].concat())
}

/// Settings for a snapshot in the folder of its spec.
fn next_to(path: &Path) -> Settings {
    let mut settings = Settings::new();
    settings.set_snapshot_path(path.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
