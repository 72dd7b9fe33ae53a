//! `cargo xtask diff` and `release` with git revisions.

use std::fs;

use crate::scene::{Scene, spec};

fn committed() -> Scene {
    let scene = Scene::new();
    assert_eq!(scene.codegen(&[]).code, Some(0));
    scene.commit();
    scene
}

#[test]
fn a_revision_is_never_an_option_of_git() {
    let scene = committed();
    let written = scene.path("written");
    let option = format!("--output={}", written.display());
    let base = format!("--base={option}");
    for (command, arguments) in
        [("diff", &["--", &option][..]), ("diff", &["--", "HEAD", &option]), ("release", &[&base])]
    {
        let run = scene.xtask(command, arguments);
        assert_eq!(run.code, Some(1), "{command} {arguments:?}: {}", run.messages);
        assert!(run.messages.contains("is not a git revision"), "{}", run.messages);
        assert!(!fs::exists(&written).unwrap(), "{command} {arguments:?}");
    }
}

#[test]
fn a_branch_whose_name_begins_with_a_dash_is_a_revision() {
    let scene = committed();
    scene.git(&["update-ref", "refs/heads/-p", "HEAD"]);
    let run = scene.xtask("diff", &["--", "-p", "HEAD"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
}

#[test]
fn ranges_and_exclusions_are_not_revisions() {
    let scene = committed();
    for revision in ["^HEAD", "HEAD..HEAD", "HEAD...HEAD", "HEAD^!", "none", "", "HEAD:spec"] {
        let run = scene.xtask("diff", &[revision]);
        assert_eq!(run.code, Some(1), "{revision}: {}", run.output);
        let expected = format!("`{revision}` is not a git revision");
        assert!(run.messages.contains(&expected), "{}", run.messages);
    }
}

#[test]
fn a_file_without_settings_is_compared_with_those_of_the_other() {
    let scene = Scene::new();
    let settings = "[package]\nname = \"zoo\"\n[client]\nenv-prefix = \"ZOO\"\n";
    scene.put("spec/codegen.toml", settings);
    scene.put("downloads/openapi.yaml", spec(&["cat", "dog"]));
    scene.put("spec/openapi.yaml", spec(&["cat", "dog"]));
    let files = ["spec/openapi.yaml", "downloads/openapi.yaml"];
    for arguments in [files, [files[1], files[0]]] {
        let run = scene.xtask("diff", &arguments);
        assert!(run.output.starts_with("nothing differs"), "{}", run.output);
    }
}

#[test]
fn both_arguments_may_be_revisions() {
    let scene = committed();
    scene.put("spec/openapi.yaml", spec(&["cat"]));
    assert_eq!(scene.codegen(&[]).code, Some(0));
    scene.commit();
    scene.put("spec/openapi.yaml", spec(&["cat", "fish"]));
    let run = scene.xtask("diff", &["HEAD~1", "HEAD"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(run.output.contains("dog") && !run.output.contains("fish"), "{}", run.output);
}
