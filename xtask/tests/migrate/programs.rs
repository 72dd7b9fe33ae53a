//! Programs whose calls change, and programs that deny warnings.

use crate::faults::{MAIN, app};
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
fn calls_with_other_arguments_are_left_under_their_change() {
    let added = "pub fn get(pets: &pets::resources::pets::Pets) -> pets::resources::pets::Get {\n    pets.get(\"1\")\n}\n\n";
    let to_setters = "use pets::models::{NewPet, Owner};\n\n\
                      pub fn pet() -> (Owner, NewPet) {\n    (Owner::new(), NewPet::new(\"Rex\", \"tag\"))\n}\n\n\
                      pub fn create(pets: &pets::resources::pets::Pets) {\n    let _ = pets.create(\"Rex\", \"tag\");\n}\n\n";
    let to_arguments = "pub fn create(pets: &pets::resources::pets::Pets) {\n    let _ = pets.create(\"Rex\").tag(\"a\").kind(\"dog\");\n}\n\n";
    let scene = app("argument-added", "argument-added", &[added, MAIN].concat());
    assert_left(&scene, &["2:10"], "pass the new arguments");

    let scene = app("setters", "argument-removed", &[to_setters, MAIN].concat());
    add_property(&scene, "tag: {type: string}");
    scene.replace("spec/old.yaml", "required: [name]", "required: [name, tag]");
    let description = "      description: A pet to add.\n";
    let required = [description, "      required: [tag]\n"].concat();
    scene.replace("spec/new.yaml", description, &required);
    assert_left(&scene, &["4:20", "8:18"], "it is now optional");

    let scene = app("arguments", "null-required", &[to_arguments, MAIN].concat());
    add_property(&scene, "tag: {type: string}");
    scene.replace("spec/new.yaml", "required: [name]", "required: [name, tag]");
    assert_left(&scene, &["2:18"], "instead of calling setters");
}

/// Asserts that nothing is edited, and that these places are left with an advice.
fn assert_left(scene: &Scene, places: &[&str], advice: &str) {
    let text = scene.get("app/src/main.rs");
    let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!((code, scene.get("app/src/main.rs")), (Some(3), text), "{report}");
    assert!(report.contains(advice), "{report}");
    assert!(!report.contains("errors that no change"), "{report}");
    for place in places {
        assert!(report.contains(&format!("   | app/src/main.rs:{place}: ")), "{place}: {report}");
    }
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
