//! Programs whose calls change, and programs that deny warnings.

use crate::faults::{MAIN, app, compiled_app};
use crate::scene::Scene;

/// Adds a property to pets that are added, in both specs.
fn add_property(scene: &Scene, property: &str) {
    let kind = "        kind: {$ref: '#/components/schemas/Kind'}\n        owner";
    for spec in ["spec/old.yaml", "spec/new.yaml"] {
        scene.replace(spec, kind, &format!("        {property}\n{kind}"));
    }
}

#[test]
fn an_accepted_rename_is_edited() {
    let text = "pub fn name(keeper: &pets::models::Keeper) -> Option<&str> {\n    keeper.name.as_deref()\n}\n\n";
    let scene = app("accepted", "perhaps-renamed", &[text, MAIN].concat());
    let (code, report) = scene.migrate(&["app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{report}");
    let pair = "models::Keeper=models::PetKeeper";
    assert!(report.contains(&format!("   = if so: --accept '{pair}'\n")), "{report}");
    let arguments = ["--accept", pair, "--write", "--allow-dirty", "app/Cargo.toml"];
    let (code, report) = scene.migrate(&arguments);
    assert_eq!(code, Some(0), "{report}");
    let expected = text.replace("Keeper", "PetKeeper");
    assert_eq!(scene.get("app/src/main.rs"), [&expected, MAIN].concat());
}

#[test]
fn arguments_that_became_setters_are_moved_behind_their_calls() {
    let text = r#"use pets::models::NewPet;

pub fn pet(name: &str) -> NewPet {
    NewPet::new(format!("{name}, ({})", 1), "tag")
}

pub fn create(client: &pets::Client) -> pets::resources::pets::Create {
    client.pets().create(
        vec!["Rex", ")"].concat(), // the name
        "tag",
    )
}

"#;
    let scene = compiled_app("setters", "argument-removed", &[text, MAIN].concat());
    add_property(&scene, "tag: {type: string}");
    scene.replace("spec/old.yaml", "required: [name]", "required: [name, tag]");
    let description = "      description: A pet to add.\n";
    let required = [description, "      required: [tag]\n"].concat();
    scene.replace("spec/new.yaml", description, &required);
    let (code, text) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    insta::assert_snapshot!(scene.get("app/src/main.rs"));
}

#[test]
fn the_values_of_setters_that_became_arguments_are_moved_into_their_calls() {
    let text = r#"pub fn create(client: &pets::Client, tag: &str) -> pets::resources::pets::Create {
    client
        .pets()
        .create("Rex")
        .tag(format!("{tag}, ({})", 1))
        .kind("dog")
}

"#;
    let scene = compiled_app("arguments", "null-required", &[text, MAIN].concat());
    add_property(&scene, "tag: {type: string}");
    scene.replace("spec/new.yaml", "required: [name]", "required: [name, tag]");
    let (code, output) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{output}");
    let expected = text
        .replace("(\"Rex\")", "(\"Rex\", format!(\"{tag}, ({})\", 1))")
        .replace("\n        .tag(format!(\"{tag}, ({})\", 1))", "");
    assert_eq!(scene.get("app/src/main.rs"), [&expected, MAIN].concat());
}

#[test]
fn programs_that_deny_warnings_are_migrated_and_uses_that_only_compile_are_listed() {
    let denied = "#![deny(warnings)]\n";
    let text = "use pets::models::people::v1::Owner;\n\npub fn email(owner: Owner) -> Option<String> {\n    owner.email\n}\n\n";
    let scene = app("denied", "aliased", &[denied, text, MAIN].concat());
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(scene.get("app/src/main.rs").contains("use pets::models::keepers::v1::Keeper;"));

    let text = "pub fn get(client: &pets::Client) -> pets::resources::pets::Get {\n    client.pets().get(\"1\")\n}\n";
    let scene = app("denied-wire", "route-moved", &[denied, text, MAIN].concat());
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!((code, scene.status().as_str()), (Some(0), ""), "{text}");
    assert!(text.contains("app/src/main.rs:3:19: use of method `get`"), "{text}");
}

#[test]
fn what_a_breaking_change_sends_in_another_way_does_not_count_as_left() {
    let text = "pub fn create(client: &pets::Client) -> pets::resources::pets::Create {\n    client.pets().create(\"Rex\").email(\"a\")\n}\n\n";
    let scene = app("required", "null-required", &[text, MAIN].concat());
    add_property(&scene, "email: {type: [string, 'null']}");
    scene.replace("spec/new.yaml", "required: [name]", "required: [name, email]");
    let (code, text) = scene.migrate(&["app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("app/src/main.rs:2:33: use of method `email`"), "{text}");
}

#[test]
fn the_package_of_the_bindings_can_be_named() {
    let text = "pub fn get(client: &pets::Client) -> pets::resources::pets::Get {\n    client.pets().get(\"1\")\n}\n";
    let scene = app("package", "route-moved", &[text, MAIN].concat());
    scene.replace("spec/codegen.toml", "name = \"pets\"\n", "");
    let (code, text) = scene.migrate(&["app/Cargo.toml"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("does not depend on `bindings`"), "{text}");
    assert!(text.contains("--package"), "{text}");
    let (code, text) = scene.migrate(&["--package", "pets", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("app/src/main.rs:2:19: use of method `get`"), "{text}");
}
