//! `cargo xtask probe`: the reports on all bumps, and migrated programs, against rustc.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_checks");

/// Returns the folder of a bump, with an `old.yaml` and a `new.yaml`.
fn bump(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bumps").join(name)
}

fn probe(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).arg("probe").args(arguments).env("NO_COLOR", "1").output().unwrap()
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles two programs for each change"]
fn the_compiler_agrees_with_the_reports() {
    let entries = fs::read_dir(bump("")).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let files = |folder: PathBuf| ["old.yaml", "new.yaml"].map(|name| folder.join(name));
    let pairs = folders.into_iter().flat_map(files).map(|path| path.display().to_string());
    let pairs: Vec<String> = pairs.collect();
    // What a new name or a feature explains is migrated.
    for option in [None, Some("--migrate")] {
        let pairs = pairs.iter().map(String::as_str);
        let output = probe(&option.into_iter().chain(pairs).collect::<Vec<_>>());
        let text = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&text));
    }
}

#[test]
#[ignore = "part of `cargo ci --all`: it compiles the runtime for each set of features"]
fn migrated_programs_send_the_same_requests() {
    let files = ["old.yaml", "new.yaml"].map(|it| bump("aliased").join(it).display().to_string());
    let output = probe(&["--migrate", &files[0], &files[1]]);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("3 calls with equal requests, 0 not sent, 0 listed"), "{text}");
}

#[test]
fn only_one_probe_uses_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let probe = folder.path().join("target/probe");
    fs::create_dir_all(&probe).unwrap();
    fs::write(folder.path().join("Cargo.toml"), "[workspace]\n").unwrap();
    let lock = fs::File::create(probe.join("lock")).unwrap();
    lock.lock().unwrap();
    let mut command = Command::new(PROGRAM);
    command.env("CARGO_MANIFEST_DIR", folder.path().join("xtask/checks"));
    command.args(["probe", "old.yaml", "new.yaml"]).current_dir(folder.path());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    messages.read_line(&mut line).unwrap();
    assert!(line.contains("another run uses the same folder"), "{line}");
    assert_eq!(child.try_wait().unwrap(), None);
    lock.unlock().unwrap();
    // The specs do not exist.
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
