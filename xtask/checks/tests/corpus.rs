//! `cargo xtask corpus`: a check of nothing must not pass.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::process::Command;

const SPEC: &str = "openapi: 3.1.1\ninfo: {title: Pets, version: '1'}\npaths: {}\n";

#[test]
fn a_corpus_without_documents_or_operations_fails() {
    let folder = tempfile::tempdir().unwrap();
    let fails = |options: &[&str], reason: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_checks"));
        let output = command.args(["corpus", "."]).args(options).current_dir(folder.path());
        let output = output.output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains(reason), "{message}");
    };
    fails(&[], "no document to check in `.`");
    fs::write(folder.path().join("openapi.yaml"), SPEC).unwrap();
    fails(&["--only", "other"], "no document to check in `.`");
    fails(&[], "1 documents: 0 operations, 0 lost: nothing was generated");
    fs::write(folder.path().join("corpus.toml"), "[\"gone.yaml\"]\noperations = 1\n").unwrap();
    fails(&[], "`gone.yaml` of corpus.toml does not exist");
}
