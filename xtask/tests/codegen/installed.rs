//! The installed command, which knows no workspace.

use std::process::{Command, Output};

use crate::scene::{Scene, xtask};

fn installed(scene: &Scene, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command: Command = xtask();
    command.args(arguments).current_dir(scene.path(""));
    for name in ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME"] {
        command.env_remove(name);
    }
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

#[test]
fn it_has_the_commands_that_need_no_clone() {
    let (code, help) = installed(&Scene::new(), &[]);
    assert_eq!(code, Some(0));
    assert!(help.contains("Usage: openapi-bindings") && help.contains("  codegen"), "{help}");
    assert!(!help.contains("  ci"), "{help}");
}

#[test]
fn it_writes_a_crate_below_the_current_folder() {
    let scene = Scene::new();
    let (code, message) = installed(&scene, &["codegen"]);
    assert_eq!(code, Some(1));
    assert!(message.contains("write `[runtime]`"), "{message}");

    let settings = "[package]\nname = \"pets\"\nlicense = \"MIT\"\npublish = false\n\
                    [runtime]\ngit = \"https://example.com/runtime.git\"\nrev = \"1a2b\"\n";
    scene.put("spec/codegen.toml", settings);
    let (code, message) = installed(&scene, &["codegen"]);
    assert_eq!(code, Some(0), "{message}");
    let manifest = scene.get("generated/Cargo.toml");
    for line in [
        "license = \"MIT\"",
        "publish = false",
        "runtime = { package = \"access-governance-runtime\", git = \"https://example.com/runtime.git\", rev = \"1a2b\", default-features = false }",
    ] {
        assert!(manifest.lines().any(|found| found == line), "{line}: {manifest}");
    }
    assert!(!manifest.contains("[workspace]"), "it moves into any workspace: {manifest}");

    scene.put(
        "spec/codegen.toml",
        "[package]\nname = \"pets\"\n[runtime]\npath = \"../vendor/runtime\"\n",
    );
    scene.put("generated/src/stale.rs", "");
    let (code, message) = installed(&scene, &["codegen", "--check"]);
    assert_eq!(code, Some(4), "{message}");
    assert!(message.ends_with("help: run `openapi-bindings codegen`\n"), "{message}");
    installed(&scene, &["codegen"]);
    assert!(scene.get("generated/Cargo.toml").contains("path = \"../vendor/runtime\""));

    scene.put("generated/Cargo.toml", "[package]\nname = \"somebody-elses\"\n");
    let (code, message) = installed(&scene, &["codegen"]);
    assert_eq!(code, Some(1));
    assert!(message.contains("the generator did not write it"), "{message}");
}
