//! Specs that are invalid or cannot be read.

use std::fs::{self, File};
use std::process::Command;

use crate::scene::{Scene, spec};

#[test]
fn errors_in_the_spec_are_reported_and_nothing_is_written() {
    let scene = Scene::new();
    let invalid = spec(&["cat"]).replace("schemas/cat", "schemas/Missing");
    scene.put("spec/openapi.yaml", &invalid);
    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(2), "{}", run.messages);
    assert!(
        run.messages.contains("spec/openapi.yaml:") && run.messages.contains("Missing"),
        "{}",
        run.messages
    );
    assert!(
        run.messages.contains("error: `spec/openapi.yaml` has 1 error: nothing was written\n"),
        "{}",
        run.messages
    );
    assert!(!run.messages.contains('\u{1b}'), "a pipe has no colors: {}", run.messages);
    assert_eq!(run.output, "");
    assert!(!scene.path("generated").exists());

    scene.put("spec/openapi.yaml", spec(&["cat"]));
    scene.codegen(&[]);
    scene.put("spec/openapi.yaml", &invalid);
    let before = scene.snapshot("");
    for arguments in [&[][..], &["--check"]] {
        assert_eq!(scene.codegen(arguments).code, Some(2), "{arguments:?}");
        assert_eq!(scene.snapshot(""), before, "{arguments:?}");
    }
}

/// A document with an error in one of its two operations.
const WITH_ERROR: &str = "
openapi: 3.1.1
info: {title: Pets, version: '1'}
paths:
  /cats: {get: {operationId: cats.list, parameters: [{$ref: '#/components/parameters/Gone'}], responses: {'204': {description: A.}}}}
  /dogs: {get: {operationId: dogs.list, responses: {'204': {description: A.}}}}
";

#[test]
fn what_has_no_errors_is_written_with_an_overlay_or_a_key() {
    let scene = Scene::new();
    scene.put("spec/openapi.yaml", WITH_ERROR);
    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(2), "{}", run.messages);
    let help = "help: 1 of 2 operations have no error: write `keep-going = true` into codegen.toml";
    assert!(run.messages.contains(help), "{}", run.messages);
    let (_, overlay) = run.messages.split_once("\n\noverlay: 1.0.0\n").unwrap();
    scene.put("fixes.yaml", format!("overlay: 1.0.0\n{overlay}"));
    let run = scene.codegen(&["--overlay", "fixes.yaml"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    scene.commit();

    let settings = scene.get("spec/codegen.toml");
    scene.put("spec/codegen.toml", format!("keep-going = true\n{settings}"));
    let run = scene.codegen(&["--check"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(
        run.messages.contains("GET /cats") && run.output.starts_with("1 operation"),
        "{}",
        run.output
    );
    let run = scene.xtask("diff", &[]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    for revision in ["spec/openapi.yaml at HEAD has errors", "spec/openapi.yaml has errors"] {
        assert!(run.messages.contains(revision), "{}", run.messages);
    }
    scene.put("spec/codegen.toml", settings);
    let run = scene.xtask("diff", &[]);
    assert_eq!(run.code, Some(2), "{}", run.messages);
    assert!(run.messages.contains(help), "{}", run.messages);
}

#[test]
fn warnings_are_counted_and_can_be_denied() {
    let scene = Scene::new();
    let untyped = spec(&["cat"])
        .replace("{type: string, description: What", "{not: {type: string}, description: What");
    scene.put("spec/openapi.yaml", untyped);
    let run = scene.codegen(&["--deny-warnings"]);
    assert_eq!(run.code, Some(2), "{}", run.messages);
    let last = "error: `spec/openapi.yaml` has 1 warning, denied by `--deny-warnings`: nothing was written\n";
    assert!(
        run.messages.starts_with("warning") && run.messages.ends_with(last),
        "{}",
        run.messages
    );
    assert!(!scene.path("generated").exists());

    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(run.output.starts_with("1 operation, 1 type, 1 warning: "), "{}", run.output);
    let run = scene.codegen(&["--check", "--deny-warnings"]);
    assert_eq!(run.code, Some(2), "{}", run.messages);
}

#[test]
fn a_spec_that_cannot_be_read_is_named() {
    let scene = Scene::new();
    for (spec, why) in
        [("none.yaml", "cannot read `none.yaml`"), ("spec", "cannot read `spec`: it is a folder")]
    {
        let run = scene.codegen(&["--spec", spec, "--out", "x", "--package", "x"]);
        assert_eq!(run.code, Some(1), "{spec}: {}", run.output);
        assert!(run.messages.contains(why), "{spec}: {}", run.messages);
    }
    assert!(!scene.path("x").exists());

    let run = scene.codegen(&["--spec", "\u{1b}[31mred.yaml", "--out", "x", "--package", "x"]);
    assert!(run.messages.contains(r"cannot read `\u{1b}[31mred.yaml`"), "{}", run.messages);
}

#[test]
#[cfg(unix)]
fn only_regular_files_of_a_limited_size_are_read() {
    let scene = Scene::new();
    let fifo = scene.path("spec/fifo.yaml");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", scene.path("spec/zero.yaml")).unwrap();
    // The file is sparse: it takes no space.
    File::create(scene.path("spec/huge.yaml")).unwrap().set_len(1 << 40).unwrap();
    for (name, why) in [
        ("fifo.yaml", "it is not a regular file"),
        ("zero.yaml", "it is not a regular file"),
        ("huge.yaml", "it is larger than 64 MiB"),
    ] {
        let path = format!("spec/{name}");
        let run = scene.codegen(&["--spec", &path, "--out", "x", "--package", "x"]);
        assert_eq!(run.code, Some(1), "{name}: {}", run.messages);
        assert!(run.messages.contains(&format!("cannot read `{path}`: {why}")), "{}", run.messages);
    }
    let beside = "openapi: 3.1.0\ninfo: {title: a, version: a}\npaths: {/a: {$ref: fifo.yaml}, /b: {$ref: huge.yaml}}\n";
    scene.put("spec/beside.yaml", beside);
    let run = scene.codegen(&["--spec", "spec/beside.yaml", "--out", "x", "--package", "x"]);
    assert_eq!(run.code, Some(2), "{}", run.output);
    for why in ["it is not a regular file", "it is larger than 64 MiB"] {
        assert!(run.messages.contains(why), "{}", run.messages);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_with_a_name_in_another_case_is_named() {
    let scene = Scene::new();
    scene.put("spec/Pet.yaml", "{type: object}\n");
    scene.put("spec/openapi.yaml", "openapi: 3.1.1\ninfo: {title: A, version: '1'}\npaths: {/a: {$ref: pet.yaml}, /b: {$ref: cat.yaml}}\n");
    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(2), "{}", run.output);
    for why in [
        "does not exist, but `Pet.yaml` does\n",
        "`cat.yaml` cannot be read: the file does not exist\n",
    ] {
        assert!(run.messages.contains(why), "{}", run.messages);
    }
}

#[test]
fn a_spec_that_is_not_utf_8_is_reported_with_its_place() {
    let scene = Scene::new();
    scene.put("spec/openapi.yaml", b"openapi: 3.1.0\ninfo: caf\xe9\n");
    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(2), "{}", run.output);
    let place = "spec/openapi.yaml:2:10: not UTF-8: byte 0xe9 at offset 24\n";
    assert!(run.messages.contains(place), "{}", run.messages);
    assert!(!scene.path("generated").exists());
}

#[test]
fn invalid_settings_are_reported_with_their_place() {
    let scene = Scene::new();
    scene.put("spec/codegen.toml", "[package]\nname = \"pets\"\nnam = \"x\"\n");
    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(1), "{}", run.output);
    let expected =
        "error: spec/codegen.toml:3:1: unknown key `nam`; expected one of: name, version,";
    assert!(run.messages.starts_with(expected), "{}", run.messages);
    fs::remove_file(scene.path("spec/codegen.toml")).unwrap();
    let run = scene.codegen(&[]);
    assert_eq!(run.code, Some(1), "{}", run.output);
    assert!(run.messages.contains("help: add `--package NAME`"), "{}", run.messages);
}

#[test]
fn the_spec_is_printed_with_its_overlays() {
    let scene = Scene::new();
    let overlay = "overlay: 1.1.0\ninfo: {title: Only cats, version: 1.0.0}\nactions:\n\
        - {target: $.info, update: {title: 'true', x-count: 18446744073709551615}}\n";
    scene.put("spec/cats.yaml", overlay);
    let files = ["spec/openapi.yaml", "spec/cats.yaml"];
    let run = scene.xtask("overlay", &files);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(run.output.contains("  title: 'true'\n"), "{}", run.output);
    assert!(run.output.contains("  x-count: 18446744073709551615\n"), "{}", run.output);
    scene.put("spec/cats.yaml", overlay.replace("$.info", "info"));
    let run = scene.xtask("overlay", &files);
    assert_eq!((run.code, run.output.as_str()), (Some(2), ""));
    assert!(run.messages.contains("spec/cats.yaml:4:12"), "{}", run.messages);
}

#[test]
fn overlays_change_the_spec_before_it_is_read() {
    let scene = Scene::new();
    let overlay = "overlay: 1.0.0\ninfo: {title: Only cats, version: 1.0.0}\nactions:\n\
                   - {target: \"$.paths['/dogs/{id}']\", remove: true}\n- {target: $.components.schemas.bird, remove: true}\n";
    scene.put("spec/cats.yaml", overlay);
    let run = scene.codegen(&["--overlay", "spec/cats.yaml"]);
    assert_eq!(run.code, Some(0), "{}", run.messages);
    assert!(run.output.starts_with("1 operation, "), "{}", run.output);
    let place = "--> spec/cats.yaml:5:12\n";
    assert!(
        run.messages.contains("the target matches nothing in the document"),
        "{}",
        run.messages
    );
    assert!(run.messages.contains(place), "{}", run.messages);
    let run = scene.codegen(&["--check"]);
    assert_eq!(run.code, Some(4), "{}", run.messages);
}
