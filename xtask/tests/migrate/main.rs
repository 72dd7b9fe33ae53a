//! `migrate` on workspaces that use an emitted crate.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod editor;
mod faults;
mod finds;
mod messages;
mod namesakes;
mod programs;
mod scene;
mod values;
mod writing;

use scene::Scene;

/// Three crates with a macro, a glob import, re-exports, a `cfg` that is off, a build script, a test and an example.
fn workspace(name: &str) -> Scene {
    let scene = Scene::new(name, "aliased");
    let field = "        id: {type: string}\n        name: {type: string";
    scene.replace("spec/new.yaml", field, &[field, ", x-rust-name: label"].concat());
    scene.emit("spec/new.yaml");
    scene.put(
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"facade\", \"client\", \"tool\"]\nexclude = [\"pets\"]\n",
    );
    let manifest = |name: &str, dependencies: &str| {
        let package = "version = \"0.1.0\"\nedition = \"2024\"\n";
        let dependency =
            "pets = { path = \"../pets\", default-features = false, features = [\"client\"] }";
        let text = format!(
            "[package]\nname = \"{name}\"\n{package}[dependencies]\n{dependency}\n{dependencies}"
        );
        scene.put(&format!("{name}/Cargo.toml"), &text);
    };
    manifest("facade", "");
    scene.put(
        "facade/src/lib.rs",
        "pub use pets::models::*;\npub use pets::resources::pets::Get as Found;\n",
    );
    manifest("client", "facade = { path = \"../facade\" }\n");
    scene.put(
        "client/src/lib.rs",
        "//! A Pet with a Kind.\r\nuse pets::models::{store::v1::Kind, Pet};\r\n\r\nmacro_rules! name_of {\r\n    ($pet:expr) => { $pet.name.clone() };\r\n}\r\n\r\n\
         pub struct Own { pub name: String }\r\n\r\n\
         pub fn name(pet: &Pet, own: &Own) -> Option<String> {\r\n    let text = \"Pet.name\";\r\n    println!(\"{:?} {text} {}\", pet.name, own.name);\r\n    name_of!(pet)\r\n}\r\n\r\n\
         pub fn is_cat(pet: &Pet) -> bool {\r\n    matches!(pet.kind, Some(Kind::Cat))\r\n}\r\n\r\n\
         #[cfg(windows)]\r\npub fn off(pet: &pets::models::Pet) {\r\n    let _ = pet.name;\r\n}\r\n",
    );
    scene.put(
        "client/tests/pets.rs",
        "#[test]\nfn names() {\n    let pets::models::Pet { name, .. } = Default::default();\n    assert_eq!(name, None);\n    let own = client::Own { name: String::new() };\n    assert_eq!(client::name(&Default::default(), &own), None);\n}\n",
    );
    scene.put(
        "client/examples/get.rs",
        "use facade::Found;\n\nfn get(client: &pets::Client) -> Found {\n    client.pets().get(\"1\").detail(\"all\")\n}\n\nfn main() {\n    let _ = get;\n}\n",
    );
    manifest(
        "tool",
        "[build-dependencies]\npets = { path = \"../pets\", default-features = false, features = [\"client\"] }\n",
    );
    scene.put("tool/build.rs", "fn main() {\n    let _ = pets::models::Pet::default().name;\n}\n");
    scene.put(
        "tool/src/main.rs",
        "mod api {\n    pub use pets::models::people::v1::Owner;\n}\n\nfn main() {\n    let mut owner = api::Owner::default();\n    owner.email = None;\n}\n",
    );
    scene.commit();
    scene
}

#[test]
fn a_workspace_is_migrated_at_the_places_of_the_errors() {
    let scene = workspace("workspace");
    let (code, diff) = scene.migrate(&["Cargo.toml"]);
    assert_eq!(code, Some(0), "{diff}");
    insta::assert_snapshot!(diff);
    assert_eq!(scene.status(), "", "only --write edits");

    let (code, text) = scene.migrate(&["--write", "tool/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(scene.status(), " M tool/build.rs\n M tool/src/main.rs\n", "a member alone");
}
