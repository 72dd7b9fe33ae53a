//! `--check`: what it finds, how it says so, and that it writes nothing.

use std::fs;

use crate::scene::{Scene, description};

#[test]
fn what_is_fresh_passes() {
    let scene = Scene::new();
    scene.codegen(&[]);
    let before = scene.snapshot("");
    let run = scene.codegen(&["--check"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(run.output.ends_with(" files up to date\n"), "{}", run.output);
    assert_eq!(scene.snapshot(""), before);
}

#[test]
fn what_changed_is_missing_or_is_extra_is_named_with_a_diff_and_the_cure() {
    let scene = Scene::new();
    scene.codegen(&[]);
    let readme = scene.get("generated/README.md");
    scene.put("generated/README.md", format!("{readme}an edit by hand\n"));
    scene.put("generated/src/by_hand.rs", "");
    fs::remove_file(scene.path("generated/api.txt")).unwrap();
    let before = scene.snapshot("");

    let run = scene.codegen(&["--check"]);
    assert_eq!(run.code, Some(4), "{}", run.messages);
    for line in [
        "changed generated/README.md",
        "missing generated/api.txt",
        "extra   generated/src/by_hand.rs",
        "--- generated/README.md",
        "-an edit by hand",
    ] {
        assert!(run.output.lines().any(|found| found == line), "{line}: {}", run.output);
    }
    let expected = "error: `generated` is stale: 1 file changed, 1 missing, 1 extra\nhelp: run `cargo xtask codegen`\n";
    assert_eq!(run.messages, expected);
    assert_eq!(scene.snapshot(""), before);

    assert_eq!(scene.codegen(&[]).code, Some(0));
    assert_eq!(scene.codegen(&["--check"]).code, Some(0));
}

#[test]
fn a_changed_description_makes_the_crate_stale() {
    let scene = Scene::new();
    scene.codegen(&[]);
    scene.put("spec/openapi.yaml", description(&["cat", "dog", "fish"]));
    let before = scene.snapshot("");
    assert_eq!(scene.codegen(&["--check"]).code, Some(4));
    assert_eq!(scene.snapshot(""), before);
}

#[test]
fn line_endings_count() {
    let scene = Scene::new();
    scene.codegen(&[]);
    let readme = scene.get("generated/README.md").replace('\n', "\r\n");
    scene.put("generated/README.md", readme);
    let run = scene.codegen(&["--check"]);
    assert_eq!(run.code, Some(4), "{}", run.messages);
    assert!(run.output.contains("only line endings differ"), "{}", run.output);
}

#[test]
fn a_crate_that_is_not_there_is_missing_and_stays_so() {
    let scene = Scene::new();
    let run = scene.codegen(&["--check", "--out", "a/b", "--package", "x"]);
    assert_eq!(run.code, Some(4), "{}", run.messages);
    assert!(run.output.contains("missing a/b/src/lib.rs\n"), "{}", run.output);
    let cure = "help: run `cargo xtask codegen --out a/b --package x`\n";
    assert!(run.messages.ends_with(cure), "{}", run.messages);
    assert!(!scene.path("a").exists());
}
