//! The command line: help, and invalid arguments.

use crate::scene::{Scene, spec, xtask};

#[test]
fn without_arguments_the_commands_are_listed() {
    let output = xtask().output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    for command in ["Usage: cargo xtask", "codegen", "migrate"] {
        assert!(text.contains(command), "{command}: {text}");
    }
}

#[test]
fn help_lists_options_and_exit_codes() {
    let run = Scene::new().codegen(&["--help"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    for part in
        ["cargo xtask codegen [OPTIONS]", "--check", "--spec <FILE>", "--out <DIR>", "Exit codes:"]
    {
        assert!(run.output.contains(part), "{part}: {}", run.output);
    }
}

#[test]
fn invalid_arguments_exit_with_1() {
    let scene = Scene::new();
    scene.put("other/openapi.yaml", spec(&["cat"]));
    let before = scene.snapshot("");
    for (arguments, why) in [
        (&["--chekc"][..], "--check"),
        (&["--spec"], "--spec <FILE>"),
        (&["--package", "x"], "--out <DIR>"),
        (&["--out", "x", "--package", "a b"], "`a b` cannot name a crate"),
        (&["--out", "x", "--package", "async"], "`async` cannot name a crate"),
        (&["--spec", "none.yaml"], "cannot read `none.yaml`"),
        (&["--spec", "other/openapi.yaml"], "add `--out DIR`"),
        (&["stray"], "stray"),
    ] {
        let run = scene.codegen(arguments);
        assert_eq!(run.code, Some(1), "{arguments:?}: {}", run.output);
        assert!(run.messages.contains(why), "{arguments:?}: {}", run.messages);
    }
    assert_eq!(scene.snapshot(""), before);
}

#[test]
fn the_default_spec_can_be_named() {
    let scene = Scene::new();
    let run = scene.codegen_in("spec", &["--spec", "openapi.yaml"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(scene.path("generated/Cargo.toml").exists());
}
