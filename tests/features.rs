//! A crate with many operations has a feature for each resource, so that users compile only the operations that they
//! call.

use std::fmt::Write as _;

use codegen::Source;

use crate::support::case::Case;
use crate::support::workspace::Workspace;

const OPERATIONS: usize = 101;

#[test]
fn any_choice_of_features_compiles() {
    let output = many_operations().output();
    let manifest = output.files.iter().find(|file| file.path == "Cargo.toml");
    let manifest = &manifest.unwrap().text;
    for line in ["default = [\"reqwest\", \"tls-ring\", \"operations\"]", "even = []", "odd = []"] {
        assert!(manifest.contains(line), "no `{line}` in\n{manifest}");
    }
    let mut workspace = Workspace::new("features");
    workspace.add("features", &output.files);
    workspace.finish();
    compile(&workspace, &["", "odd", "operations"]);
}

#[test]
#[ignore = "part of `cargo xtask ci --all`: it compiles three HTTP clients"]
fn other_choices_of_features_compile() {
    let mut workspace = Workspace::new("features");
    workspace.add("features", &many_operations().output().files);
    workspace.finish();
    compile(&workspace, &["even,odd", "reqwest", "tls-graviola"]);
}

/// Compiles the crate with each choice of features.
fn compile(workspace: &Workspace, choices: &[&str]) {
    for features in choices {
        let arguments = ["clippy", "--no-default-features", "--features", features];
        let lints = ["--", "-Dwarnings", "-Dclippy::pedantic"];
        if let Err(said) = workspace.cargo(&[&arguments[..], &lints].concat()) {
            panic!("with the features `{features}`: {said}");
        }
    }
}

/// Returns a description of two resources with more operations than a crate without features may have.
fn many_operations() -> Case {
    let mut text = String::from("openapi: 3.1.1\ninfo: {title: Many, version: 1.0.0}\npaths:\n");
    for index in 0..OPERATIONS {
        let tag = if index % 2 == 0 { "even" } else { "odd" };
        let responses = "responses: {'204': {description: Done.}}";
        writeln!(
            text,
            "  /a{index}: {{get: {{operationId: {tag}.get{index}, tags: [{tag}], {responses}}}}}"
        )
        .unwrap();
    }
    let source = Source { name: "openapi.yaml".to_owned(), text };
    Case { name: "features".to_owned(), source }
}
