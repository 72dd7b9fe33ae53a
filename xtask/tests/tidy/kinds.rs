//! A kind of change is a row: whoever adds one is led to the table, and to nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{files, root, sources, text};

/// The folder of the comparison.
const COMPARE: &str = "codegen/src/compare";

/// The declaration of the kinds, and their table.
const DECLARED: [&str; 2] = ["what.rs", "verdicts.rs"];

/// Where the order of parts, which no other kind has to do with, is declared, described and found.
const OF_PARTS: [&str; 3] = ["differences.rs", "verdicts.rs", "what.rs"];

#[test]
fn a_kind_of_change_is_named_where_it_is_declared_described_and_found() {
    let product = ["codegen/src", "xtask/src", "xtask/commands/src", "xtask/checks/src"];
    let all = product.iter().flat_map(|folder| sources(folder));
    let declared = Path::new(COMPARE).join(DECLARED[0]);
    let named = all.filter(|file| *file == declared || text(file).contains("What::Parts"));
    let named: Vec<_> = named.map(|file| file.display().to_string()).collect();
    assert_eq!(named, OF_PARTS.map(|file| format!("{COMPARE}/{file}")));
}

/// Adds a kind of change to a copy of the library, and returns the files that no longer compile.
fn broken_by_a_kind() -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let copied = ["codegen", "runtime/secret-names"];
    for path in copied.iter().flat_map(|of| files(of, &["target"])) {
        let to = folder.path().join(&path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root().join(&path), to).unwrap();
    }
    let manifest = text(Path::new("Cargo.toml"));
    let (before, members) = manifest.split_once("members = [").unwrap();
    let (_, after) = members.split_once(']').unwrap();
    let manifest = format!("{before}members = {copied:?}{after}");
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    fs::copy(root().join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
    let declared = folder.path().join(COMPARE).join(DECLARED[0]);
    let text = fs::read_to_string(&declared).unwrap();
    let (before, after) = text.split_once("pub enum What {\n").unwrap();
    let text =
        format!("{before}pub enum What {{\n    /// It is another kind.\n    Another,\n{after}");
    fs::write(&declared, text).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--message-format=json", "--package"])
        .arg("openapi-bindings-codegen")
        .current_dir(folder.path())
        .env("CARGO_TARGET_DIR", folder.path().join("target"))
        .output()
        .unwrap();
    assert!(!output.status.success(), "nothing asks for the row of a kind");
    let lines = String::from_utf8(output.stdout).unwrap();
    let messages = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors = messages.filter(|message| message["message"]["level"] == "error");
    let places = errors.filter_map(|message| {
        Some(message["message"]["spans"].get(0)?["file_name"].as_str()?.to_owned())
    });
    let found: BTreeSet<String> = places.collect();
    assert!(!found.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    found
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles a copy of the library"]
fn the_compiler_leads_from_a_new_kind_of_change_to_its_row_alone() {
    assert_eq!(broken_by_a_kind(), [format!("{COMPARE}/{}", DECLARED[1])].into());
}
