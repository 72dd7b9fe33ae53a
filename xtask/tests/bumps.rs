//! Two revisions of a spec for every class of change, and what `cargo xtask diff` reports of them.
//!
//! `the_compiler_agrees` holds the reports against rustc.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the folders, each with an `old.yaml` and a `new.yaml`.
fn bumps() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bumps");
    let mut folders: Vec<_> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

fn xtask(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-bindings"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").output().unwrap()
}

#[test]
fn reports() {
    for folder in bumps() {
        let output = xtask(&folder, &["diff", "--verbose", "old.yaml", "new.yaml"]);
        assert!(output.status.success(), "{}: {output:?}", folder.display());
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(&folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let report = String::from_utf8(output.stdout).unwrap();
        settings.bind(|| insta::assert_snapshot!("report", report));
    }
}

#[test]
fn the_compiler_agrees() {
    // Features need more operations than are compiled here: `cargo xtask probe` takes that pair.
    let pairs: Vec<String> = bumps()
        .iter()
        .filter(|folder| !folder.ends_with("feature-lost"))
        .flat_map(|folder| ["old.yaml", "new.yaml"].map(|name| folder.join(name)))
        .map(|path| path.display().to_string())
        .collect();
    let mut arguments = vec!["probe"];
    arguments.extend(pairs.iter().map(String::as_str));
    let output = xtask(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments);
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
}

#[test]
fn the_gate_follows_the_version_and_the_waivers() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    let pair = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bumps/field-lost");
    for (to, from) in [(&old, "old.yaml"), (&new, "new.yaml")] {
        fs::create_dir(to).unwrap();
        fs::copy(pair.join(from), to.join("openapi.yaml")).unwrap();
        fs::write(to.join("codegen.toml"), "[package]\nversion = \"1.2.3\"\n").unwrap();
    }
    let gate = || {
        let specs = [
            "diff",
            "--deny",
            "breaking",
            "--format",
            "json",
            "old/openapi.yaml",
            "new/openapi.yaml",
        ];
        xtask(folder.path(), &specs)
    };
    let denied = gate();
    assert_eq!(denied.status.code(), Some(100));
    let report: serde_json::Value = serde_json::from_slice(&denied.stdout).unwrap();
    assert_eq!(report["version"]["suggested"], "2.0.0");
    let fingerprint = report["changes"][0]["fingerprint"].as_str().unwrap();
    assert!(String::from_utf8_lossy(&denied.stderr).contains(fingerprint));

    let waiver =
        format!("[[waiver]]\nfingerprint = \"{fingerprint}\"\nreason = \"nobody reads it\"\n");
    fs::write(new.join("waivers.toml"), waiver).unwrap();
    assert_eq!(gate().status.code(), Some(0));
    fs::write(new.join("waivers.toml"), "[[waiver]]\nfingerprint = \"0\"\nreason = \"other\"\n")
        .unwrap();
    assert_eq!(gate().status.code(), Some(100));

    for (version, code) in [("1.3.0", 100), ("2.0.0", 0)] {
        fs::write(new.join("codegen.toml"), format!("[package]\nversion = \"{version}\"\n"))
            .unwrap();
        assert_eq!(gate().status.code(), Some(code), "{version}");
    }
    fs::write(new.join("openapi.yaml"), "openapi: 3.1.0\n").unwrap();
    assert_eq!(gate().status.code(), Some(2));
}
