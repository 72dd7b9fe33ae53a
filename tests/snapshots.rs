//! The crates of small specs, one per feature, and the diagnostics of invalid ones, each next to its spec. A case shows
//! its names and types, and of the emitted files only the items that its construct decides, which the lines `# shown:`
//! of its spec name (`support/shown.rs`); the case `common` shows what all crates have, and no other repeats its
//! documentation. The tidy test limits the lines of all snapshots.
//!
//! A snapshot that changes is reviewed as code (`cargo insta review`). `cases_compile` keeps the snapshots honest: what
//! they show compiles without a warning: that of a sixth of them, another one each day, and of all in
//! `cargo ci --all`.

use std::fmt::Write as _;
use std::path::Path;

use codegen::diagnostics::Severity;
use codegen::items::{Item, Operation};
use insta::{Settings, assert_snapshot};

use crate::names;
use crate::support::case::{Case, documents, is_in_sample, rendered};
use crate::support::shown::{COMMON, Common};
use crate::support::workspace::Workspace;

/// The cases whose documentation is built with the sample, because it differs most.
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
    let (workspace, cases) = workspace("cases", |index| is_in_sample(index, 6));
    let is_documented = |case: &String| DOCUMENTED.contains(&case.as_str());
    compile(&workspace, cases.into_iter().filter(is_documented));
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles and documents all crates"]
fn all_cases_compile() {
    let (workspace, cases) = workspace("all_cases", |_| true);
    compile(&workspace, cases);
}

/// Checks the crates of a workspace, and builds the documentation of some.
fn compile(workspace: &Workspace, documented: impl IntoIterator<Item = String>) {
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
    let packages: Vec<_> =
        documented.into_iter().map(|case| format!("--package=case-{case}")).collect();
    let packages: Vec<_> = packages.iter().map(String::as_str).collect();
    let messages = workspace.cargo(&clippy).and_then(|()| document(workspace, &packages));
    if let Err(messages) = messages {
        panic!("{messages}");
    }
}

/// Returns a workspace of the crates of some cases, and their names.
fn workspace(name: &str, is_tried: impl Fn(usize) -> bool) -> (Workspace, Vec<String>) {
    let mut workspace = Workspace::new(name);
    let all = documents("cases").into_iter().map(|path| Case::read(&path)).chain([names::alike()]);
    let tried = all.enumerate().filter(|(index, _)| is_tried(*index)).map(|(_, case)| case);
    let names = tried.map(|case| {
        workspace.add(&case.name, &case.output().files);
        case.name
    });
    let names = names.collect();
    workspace.finish();
    (workspace, names)
}

/// Builds the documentation of some packages; returns the output of cargo unless it succeeds.
fn document(workspace: &Workspace, packages: &[&str]) -> Result<(), String> {
    // Without one, cargo documents all.
    if packages.is_empty() {
        return Ok(());
    }
    let options =
        ["doc", "--no-default-features", "--features=client", "--no-deps", "--keep-going"];
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
