//! The crates of small specs, one per feature, and the diagnostics of invalid ones, each next to its spec.
//!
//! A snapshot that changes is reviewed as code (`cargo insta review`). `cases_compile` keeps the snapshots honest: what
//! they show compiles without a warning, and its documentation builds without one.

use std::fmt::Write as _;
use std::path::Path;

use codegen::diagnostics::Severity;
use codegen::items::{Item, Operation};
use insta::{Settings, assert_snapshot, glob};

use crate::names;
use crate::support::case::{Case, rendered};
use crate::support::workspace::Workspace;

/// The files that are the same for every description but for names; one case shows them.
const FRAME: &[&str] =
    &["Cargo.toml", "README.md", "api.txt", "rustfmt.toml", "src/client.rs", "src/lib.rs"];

#[test]
fn cases() {
    glob!("cases/*/openapi.yaml", |path| {
        let case = Case::read(path);
        let outcome = case.generate();
        let mut shown = rendered(&outcome);
        let Some(output) = outcome.output else { panic!("{} is rejected:\n{shown}", case.name) };
        let shows_frame = case.name == "frame";
        for file in
            output.files.iter().filter(|file| shows_frame || !FRAME.contains(&file.path.as_str()))
        {
            write!(shown, "───── {} ─────\n{}\n", file.path, file.text).unwrap();
        }
        next_to(path).bind(|| assert_snapshot!("emitted", shown));
    });
}

#[test]
fn rejected() {
    glob!("rejected/*/openapi.*", |path| {
        let case = Case::read(path);
        let outcome = case.generate();
        assert!(outcome.output.is_none(), "{} is not rejected", case.name);
        assert!(
            outcome.diagnostics.count(Severity::Error) > 0,
            "{} is rejected without a reason",
            case.name
        );
        next_to(path).bind(|| assert_snapshot!("diagnostics", rendered(&outcome)));
    });
}

/// `--keep-going` omits only elements with errors and the operations that need them.
#[test]
fn bad_spots() {
    glob!("bad_spots/*/openapi.*", |path| {
        let case = Case::read(path);
        assert!(case.generate().output.is_none(), "{} has no errors", case.name);
        let outcome = case.generate_or(true);
        let mut shown = rendered(&outcome);
        let output = outcome.output.unwrap();
        for Operation { verb, path, id } in
            output.public_api.items.values().filter_map(Item::operation)
        {
            writeln!(shown, "generated: {verb} {path} {id:?}").unwrap();
        }
        for operation in outcome.left_out {
            writeln!(shown, "left out: {operation}").unwrap();
        }
        next_to(path).bind(|| assert_snapshot!("diagnostics", shown));
    });
}

#[test]
fn warned() {
    glob!("warned/*/openapi.*", |path| {
        let case = Case::read(path);
        let outcome = case.generate();
        assert!(outcome.output.is_some(), "{} is rejected:\n{}", case.name, rendered(&outcome));
        assert!(!outcome.diagnostics.is_empty(), "{} has no warnings", case.name);
        next_to(path).bind(|| assert_snapshot!("diagnostics", rendered(&outcome)));
    });
}

#[test]
fn cases_compile() {
    let mut workspace = Workspace::new("cases");
    glob!("cases/*/openapi.yaml", |path| {
        let case = Case::read(path);
        workspace.add(&case.name, &case.output().files);
    });
    let alike = names::alike();
    workspace.add(&alike.name, &alike.output().files);
    workspace.finish();
    let said: Result<(), String> = [
        &[
            "clippy",
            "--workspace",
            "--no-default-features",
            "--keep-going",
            "--",
            "-Dwarnings",
            "-Dclippy::pedantic",
            // A name on the wire is the one in the spec, composed or not.
            "-Aclippy::unicode_not_nfc",
        ][..],
        &["doc", "--workspace", "--no-default-features", "--no-deps", "--keep-going"],
    ]
    .into_iter()
    .try_for_each(|arguments| workspace.cargo(arguments));
    if let Err(said) = said {
        panic!("{said}");
    }
}

/// Settings for a snapshot in the folder of its spec.
fn next_to(path: &Path) -> Settings {
    let mut settings = Settings::new();
    settings.set_snapshot_path(path.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
