//! A check of nothing must not pass, in the programs of `cargo xtask roundtrip`, `judges` and `fuzz`.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A document without types and replies.
const SPEC: &str = "openapi: 3.1.1\ninfo: {title: Pets, version: '1'}\npaths: {}\n";

fn assert_fails(program: &str, arguments: &[&str], reason: &str) {
    let output = Command::new(program).args(arguments).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
    assert!(message.contains(reason), "{arguments:?}: {message}");
}

#[test]
fn programs_that_find_nothing_to_check_fail() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nothing");
    let sets = folder.join("sets");
    fs::create_dir_all(sets.join("official/pass")).unwrap();
    let spec = folder.join("openapi.yaml");
    fs::write(&spec, SPEC).unwrap();
    let spec = spec.to_str().unwrap();
    let roundtrip = env!("CARGO_BIN_EXE_roundtrip");
    assert_fails(roundtrip, &["--spec", spec], "no types: nothing was checked");
    assert_fails(roundtrip, &["--edits", "--spec", spec], "no types: nothing was checked");
    assert_fails(roundtrip, &["--drift", "--spec", spec], "no replies: nothing was checked");
    assert_fails(roundtrip, &["--drift", "--spec", spec, spec], "2 of 2 documents failed");

    let fuzz = env!("CARGO_BIN_EXE_fuzz");
    assert_fails(fuzz, &["--cases", "0", "--compile", "0"], "nothing was tried");

    let judges = env!("CARGO_BIN_EXE_judges");
    assert_fails(judges, &[sets.to_str().unwrap()], "official/pass` is empty");
}
