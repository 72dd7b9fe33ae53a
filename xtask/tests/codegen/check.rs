//! `--check` reports differences and writes nothing.

use std::fs;

use crate::scene::{Scene, spec};

#[test]
fn a_fresh_crate_passes() {
    let scene = Scene::new();
    scene.codegen(&[]);
    let before = scene.snapshot("");
    let run = scene.codegen(&["--check"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(run.output.ends_with(" files up to date\n"), "{}", run.output);
    assert_eq!(scene.snapshot(""), before);
}

#[test]
fn changed_missing_and_extra_files_are_named() {
    let scene = Scene::new();
    scene.codegen(&[]);
    let readme = scene.get("generated/README.md");
    scene.put("generated/README.md", format!("{readme}an edit by hand\n"));
    scene.put("generated/src/by_hand.rs", "// @generated\n");
    fs::remove_file(scene.path("generated/api.txt")).unwrap();
    let before = scene.snapshot("");

    let run = scene.codegen(&["--check"]);
    assert_eq!(run.code, Some(4), "{}", run.messages);
    let edited = readme.lines().count() + 1;
    let expected = format!(
        "changed generated/README.md:{edited}\n  -an edit by hand\nmissing generated/api.txt\nextra   generated/src/by_hand.rs\n"
    );
    assert_eq!(run.output, expected);
    let expected = "error: `generated` is stale: 1 file changed, 1 missing, 1 extra\nhelp: run the same command without `--check`\n";
    assert_eq!(run.messages, expected);
    assert_eq!(scene.snapshot(""), before);

    assert_eq!(scene.codegen(&[]).code, Some(0));
    assert_eq!(scene.codegen(&["--check"]).code, Some(0));
}

#[test]
fn a_changed_spec_makes_the_crate_stale() {
    let scene = Scene::new();
    scene.codegen(&[]);
    scene.put("spec/openapi.yaml", spec(&["cat", "dog", "fish"]));
    let before = scene.snapshot("");
    assert_eq!(scene.codegen(&["--check"]).code, Some(4));
    assert_eq!(scene.snapshot(""), before);
}

#[test]
fn other_line_endings_are_a_difference() {
    let scene = Scene::new();
    scene.codegen(&[]);
    let readme = scene.get("generated/README.md").replace('\n', "\r\n");
    scene.put("generated/README.md", readme);
    let run = scene.codegen(&["--check"]);
    assert_eq!(run.code, Some(4), "{}", run.messages);
    assert!(run.output.contains("only line endings differ"), "{}", run.output);
}

#[test]
fn a_missing_crate_is_not_created() {
    let scene = Scene::new();
    let run = scene.codegen(&["--check", "--out", "a/b", "--package", "x"]);
    assert_eq!(run.code, Some(4), "{}", run.messages);
    assert!(run.output.contains("missing a/b/src/lib.rs\n"), "{}", run.output);
    let help = "help: run the same command without `--check`\n";
    assert!(run.messages.ends_with(help), "{}", run.messages);
    assert!(!scene.path("a").exists());
}
