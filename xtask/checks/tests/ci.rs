//! `cargo ci`, with a cargo that only records its arguments.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Records each call with how it takes warnings and its toolchain, and fails those whose first word is in `$FAILS`.
const CARGO: &str = r#"#!/bin/sh
echo "$CARGO_BUILD_WARNINGS$RUSTDOCFLAGS${RUSTUP_TOOLCHAIN#of tests}|$*" >> "$CALLS"
case " $FAILS " in *" $1 "*) exit 7 ;; esac
"#;

/// Runs the command where cargo fails for the given subcommands; returns its output and the calls of cargo.
fn ci(options: &[&str], fails: &str) -> (Output, Vec<String>) {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let cargo = folder.path().join("cargo");
    let calls = folder.path().join("calls");
    fs::write(&cargo, CARGO).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_checks"));
    command
        .arg("ci")
        .args(options)
        .env("CARGO", &cargo)
        .env("CALLS", &calls)
        .env("FAILS", fails)
        .env("RUSTUP_TOOLCHAIN", "of tests")
        .env_remove("CARGO_BUILD_WARNINGS")
        .env_remove("RUSTDOCFLAGS");
    let output = command.output().unwrap();
    let calls = fs::read_to_string(&calls).unwrap().lines().map(str::to_owned).collect();
    (output, calls)
}

/// All features of the emitted crate except the alternatives for TLS.
const FEATURES: &str = "--features access-governance/blocking,access-governance/compression,\
                        access-governance/record,access-governance/test-util,access-governance/tower,access-governance/uuid";

/// All packages except the benchmarks, with all features except the alternatives for TLS.
const PACKAGES: &str = "--workspace --exclude benches --features access-governance/blocking,access-governance/compression,\
                        access-governance/record,access-governance/test-util,access-governance/tower,\
                        access-governance/uuid,openapi-bindings-runtime/fs,openapi-bindings-runtime/jwk,openapi-bindings-runtime/login";

#[test]
fn all_steps_run_in_order() {
    let (output, calls) = ci(&[], "");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    let expected = [
        "|nextest --version",
        "|fmt --all --check",
        &format!("|clippy {PACKAGES} --lib --bins --examples -- -D warnings"),
        &format!("deny|nextest run {PACKAGES} --tests --no-fail-fast"),
        &format!("|test {PACKAGES} --doc --no-fail-fast"),
        &format!("|test {PACKAGES} --test tidy -- --nocapture rooms::product_lines"),
        "|checks codegen --check --deny-warnings",
        "|checks corpus",
        "|checks roundtrip --instances 3000 --spec spec/openapi.yaml tests/cases/unions/openapi.yaml tests/cases/unions-beside/openapi.yaml tests/cases/variants/openapi.yaml",
        "|checks roundtrip --replies --spec spec/openapi.yaml tests/cases/failures/openapi.yaml",
        "|checks roundtrip --drift --instances 3000",
        "|checks roundtrip --drift --cases 8 --instances 600",
        "|checks roundtrip --law --cases 8 --instances 300",
        "|checks roundtrip --secrets --instances 400 --spec spec/openapi.yaml tests/cases/secrets/openapi.yaml",
        &format!("-D warnings|doc {PACKAGES} --no-deps --lib --bins --examples"),
    ];
    assert_eq!(calls, expected);
    assert!(printed.contains("\nci: 1/14 cargo fmt --all --check\nci: format: ok ("), "{printed}");
    assert!(printed.lines().last().unwrap().starts_with("ci: ok ("), "{printed}");
}

#[test]
fn all_adds_the_slow_steps() {
    let (_, short) = ci(&[], "");
    let (output, calls) = ci(&["--all"], "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let added = calls.iter().filter(|call| !short.contains(call));
    let (features, added): (Vec<&String>, Vec<&String>) =
        added.partition(|call| call.contains(" --no-default-features --features "));
    let expected = [
        &format!("|clippy {PACKAGES} --tests -- -D warnings"),
        &format!(
            "|nextest run --workspace --exclude benches --exclude openapi-bindings-runtime {FEATURES} --no-fail-fast --run-ignored only"
        ),
        "|clippy --package openapi-bindings-runtime --no-default-features -- -D warnings",
        "|check --package openapi-bindings-runtime --tests",
        "|checks corpus --features 2",
        "|clippy --package benches --all-targets -- -D warnings",
        "|test --package tests --bin roundtrip --features validator",
        "|test --package openapi-bindings-runtime --test wire --features serde_json/arbitrary_precision",
        "|checks roundtrip --branches --spec tests/cases/variants/openapi.yaml",
        "|checks roundtrip --instances 100000 --seed 2",
        "|checks roundtrip --spec tests/cases/unions/openapi.yaml tests/cases/unions-beside/openapi.yaml tests/cases/variants/openapi.yaml tests/corpus/library-3.0.json tests/corpus/parcels-3.1.yaml tests/cases/common/openapi.yaml tests/cases/constants/openapi.yaml tests/cases/untagged/openapi.yaml",
        "|checks roundtrip --drift --spec spec/openapi.yaml tests/corpus/library-3.0.json tests/corpus/parcels-3.1.yaml",
        "|checks roundtrip --drift --cases 1 --instances 600",
        "|checks roundtrip --law --cases 1 --instances 600",
        "|checks roundtrip --secrets --seed 2 --spec spec/openapi.yaml tests/cases/secrets/openapi.yaml tests/cases/scalars/openapi.yaml tests/cases/unions/openapi.yaml",
        "|checks roundtrip --edits --instances 100000",
        "|checks fuzz --cases 50000 --seconds 300",
        "|publish --dry-run --allow-dirty --package access-governance --package openapi-bindings-secret-names --package openapi-bindings-wire-rules --package openapi-bindings-codegen --package openapi-bindings-runtime --package openapi-bindings-traffic --package openapi-bindings-commands --package openapi-bindings",
        &format!(
            "{}|check {PACKAGES} --lib --bins --tests --examples",
            env!("CARGO_PKG_RUST_VERSION")
        ),
    ];
    assert_eq!(added, expected);
    let alone = |call: &&String| {
        let (_, feature) = call.strip_suffix(" -- -D warnings").unwrap().rsplit_once(' ').unwrap();
        feature.to_owned()
    };
    let features: Vec<String> = features.iter().map(alone).collect();
    for feature in ["reqwest", "tls-ring", "tls-aws-lc-rs", "native-tls", "tower"] {
        assert!(features.iter().any(|found| found == feature), "{feature} is not in {features:?}");
    }
    assert!(
        !features.iter().any(|found| found == "default" || found == "__rustls"),
        "{features:?}"
    );
    let (_, calls) = ci(&["--all"], "nextest");
    assert!(calls.contains(&format!(
        "|test --workspace --exclude benches --exclude openapi-bindings-runtime {FEATURES} --no-fail-fast --tests -- --ignored"
    )));
}

#[test]
fn the_selected_packages_have_the_features() {
    let (_, calls) = ci(&["--all"], "");
    let selections = calls.iter().filter_map(|call| {
        let (_, selection) = call.split_once(" --workspace ")?;
        let words: Vec<&str> = selection.split(' ').collect();
        let end = words.iter().position(|word| *word == "--features")? + 2;
        Some(words[..end].to_vec())
    });
    let selections: BTreeSet<Vec<&str>> = selections.collect();
    assert_eq!(selections.len(), 2, "{calls:?}");
    for selection in selections {
        let mut tree = Command::new(env!("CARGO"));
        tree.args(["tree", "--offline", "--depth", "0", "--workspace"]).args(&selection);
        let output = tree.output().unwrap();
        assert!(output.status.success(), "{selection:?}: {output:?}");
    }
}

/// Otherwise a crate and its dependents, such as the generator, are compiled for several steps.
#[test]
fn dependencies_have_the_same_features_in_all_steps() {
    let tree = |selection: &str| -> BTreeSet<String> {
        let mut tree = Command::new(env!("CARGO"));
        tree.args(["tree", "--offline", "--prefix", "none", "--format", "{p} [{f}]"]);
        let output = tree.args(selection.split_whitespace()).output().unwrap();
        assert!(output.status.success(), "{selection}: {output:?}");
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
    };
    let checked = tree(&format!("{PACKAGES} --edges normal,build,dev"));
    for run in ["xtask", "checks", "tests"] {
        let run = tree(&format!("--package {run} --edges normal,build"));
        let other: Vec<&String> = run.difference(&checked).collect();
        assert!(other.is_empty(), "enable what the tests enable: {other:#?}");
    }
}

#[test]
fn cargo_runs_the_tests_without_nextest() {
    let (_, calls) = ci(&[], "nextest");
    assert!(calls.contains(&format!("deny|test {PACKAGES} --no-fail-fast")), "{calls:?}");
    assert!(!calls.iter().any(|call| call.contains("nextest run")), "{calls:?}");
}

#[test]
fn the_command_of_a_failed_step_has_its_environment() {
    let (output, _) = ci(&[], "doc");
    let printed = String::from_utf8(output.stderr).unwrap();
    let repeat = format!(
        "`RUSTDOCFLAGS=\"-D warnings\" cargo doc {PACKAGES} --no-deps --lib --bins --examples`\n"
    );
    assert!(printed.ends_with(&repeat), "{printed}");
}

#[test]
fn the_first_step_that_fails_ends_the_run() {
    let (output, calls) = ci(&[], "clippy doc");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(calls.len(), 3, "{calls:?}");
    let printed = String::from_utf8(output.stderr).unwrap();
    let repeat = format!(
        "help: repeat this step with `cargo clippy {PACKAGES} --lib --bins --examples -- -D warnings`\n"
    );
    assert!(
        printed.starts_with("error: ci: clippy failed (exit status: 7)\n")
            && printed.ends_with(&repeat),
        "{printed}"
    );
}

/// What can be published, except the bindings of the API themselves.
#[test]
fn the_workflow_of_a_release_publishes_the_packages_that_are_checked() {
    let (_, calls) = ci(&["--all"], "");
    let checked = calls.iter().find(|call| call.starts_with("|publish ")).unwrap();
    let workflow = format!("{}/../../.github/workflows/release.yml", env!("CARGO_MANIFEST_DIR"));
    let workflow = fs::read_to_string(workflow).unwrap();
    let published = workflow.lines().find(|line| line.contains("cargo publish")).unwrap();
    let packages = |command: &str| -> BTreeSet<String> {
        command.split("--package ").skip(1).map(|rest| rest.trim().to_owned()).collect()
    };
    let metadata = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).args(metadata).output().unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let members = metadata["packages"].as_array().unwrap().iter();
    let publishable = members.filter(|package| package["publish"].is_null());
    let names = publishable.map(|package| package["name"].as_str().unwrap().to_owned());
    let mut names: BTreeSet<String> = names.collect();
    assert_eq!(packages(checked), names);
    // It has versions of its own.
    names.remove("access-governance");
    assert_eq!(packages(published), names);
}
