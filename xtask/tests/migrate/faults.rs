//! What `migrate` does if something is left, is wrong, or goes wrong.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::scene::Scene;

/// A crate `app` with one file, for which the messages of rustc are recorded.
pub fn app(name: &str, bump: &str, text: &str) -> Scene {
    compiled_app(name, bump, text).recorded()
}

/// A crate `app` with one file, which is compiled once for each check: neither for tests nor for benchmarks.
pub fn compiled_app(name: &str, bump: &str, text: &str) -> Scene {
    let scene = Scene::new(name, bump);
    scene.emit("spec/new.yaml");
    scene.put(
        "app/Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [[bin]]\nname = \"app\"\npath = \"src/main.rs\"\nbench = false\ntest = false\n[dependencies]\n\
         pets = { path = \"../pets\", default-features = false, features = [\"client\"] }\n",
    );
    scene.put("app/src/main.rs", text);
    scene.put("app/Cargo.lock", &scene.get("Cargo.lock"));
    scene.commit();
    scene
}

pub const MAIN: &str = "fn main() {}\n";

#[test]
fn changes_of_what_is_sent_list_their_uses_and_edit_nothing() {
    let text = "pub fn get(client: &pets::Client) -> pets::resources::pets::Get {\n    client.pets().get(\"1\")\n}\n";
    let scene = app("wire", "route-moved", &[text, MAIN].concat());
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("no code is edited\n   | `pets().get` is sent to"), "{text}");
    assert!(text.contains("app/src/main.rs:2:19: use of method"), "{text}");
    assert!(text.contains("0 edits in 0 files after 0 rounds, nothing left"), "{text}");
    assert_eq!(scene.status(), "");
}

#[test]
fn calls_of_another_operation_by_the_same_name_are_listed() {
    let text = "pub fn assign(client: &pets::Client) -> pets::resources::users::Assign {\n    client.users().assign()\n}\n";
    let scene = app("moved", "operation-moved", &[text, MAIN].concat());
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("app/src/main.rs:2:20"), "{text}");
    assert!(text.contains("call `users().join`"), "{text}");
    assert_eq!(scene.status(), "");
}

#[test]
fn variants_in_patterns_do_not_become_variables() {
    let text = "use pets::models::Kind::{self, Cat};\n\npub fn is_cat(kind: &Kind) -> bool {\n    matches!(kind, Cat)\n}\n\n\
                pub mod glob {\n    use pets::models::Kind::*;\n\n    \
                pub fn is_cat(kind: &pets::models::Kind) -> bool {\n        matches!(kind, Cat)\n    }\n}\n\n";
    let scene = app("variants", "type-renamed", &[text, MAIN].concat());
    let listed = "enum: [KIND_CAT, KIND_DOG]";
    scene.replace("spec/new.yaml", listed, "enum: [KIND_DOG]");
    let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{report}");
    for place in ["main.rs:1:32", "main.rs:4:20", "main.rs:11:24"] {
        assert!(report.contains(place), "{report}");
    }
    scene.replace("spec/new.yaml", "enum: [KIND_DOG]", listed);
    let texts =
        ["Cat, Dog], enum: [KIND_CAT, KIND_DOG]", "Feline, Dog], enum: [KIND_CAT, KIND_DOG]"];
    let integers = texts.map(|names| names.replace("KIND_CAT, KIND_DOG", "1, 2"));
    for (ty, [old, new]) in [("string", texts.map(str::to_owned)), ("integer", integers)] {
        for (spec, names) in [("spec/old.yaml", old), ("spec/new.yaml", new)] {
            let text = scene.get(spec);
            let (before, rest) = text.split_once("    Kind: {").unwrap();
            let (_, after) = rest.split_once('\n').unwrap();
            let kind = format!("    Kind: {{type: {ty}, x-enum-varnames: [{names}}}\n");
            scene.put(spec, &[before, &kind, after].concat());
        }
        let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
        assert_eq!(code, Some(0), "{report}");
        assert_eq!(scene.get("app/src/main.rs"), [&text.replace("Cat", "Feline"), MAIN].concat());
        scene.put("app/src/main.rs", &[text, MAIN].concat());
    }
}

#[test]
fn uses_without_a_replacement_are_left_with_place_reason_and_advice() {
    let text = "pub fn id(pet: pets::models::Pet) -> Option<String> {\n    pet.id\n}\n";
    let scene = app("left", "field-lost", &[text, MAIN].concat());
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!((code, scene.status().as_str()), (Some(3), ""), "{text}");
    let (_, place) = text.split_once("`models::Pet.id` is removed\n  --> spec/old.yaml:").unwrap();
    assert!(place.lines().next().unwrap().ends_with(" (old)"), "{text}");
    assert!(text.contains("   | app/src/main.rs:2:9: no field `id` on type `Pet`\n"), "{text}");
    assert!(text.contains("   = instead: "), "{text}");
    assert!(text.contains("1 place not migrated"), "{text}");

    // Not the crate of the working tree: its list of items is another one.
    scene.put(
        "codegen.toml",
        &["spec = \"spec/new.yaml\"\nout = \"pets\"\n", &scene.get("spec/codegen.toml")].concat(),
    );
    scene.replace("pets/api.txt", "models::Pet", "models::Pets");
    let (code, text) = scene.run_migrate(&["--from", "spec/old.yaml", "app/Cargo.toml"]);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("the emitted crate is stale"), "{text}");
}

#[test]
fn errors_that_the_programs_had_before_are_listed_beside_the_edits() {
    let broken = "fn main() {\n    let _: pets::models::Owner = 1;\n";
    let scene = app("before", "type-renamed", broken);
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!((code, scene.status().as_str()), (Some(3), ""), "{text}");
    let unexplained = "\nerrors that no change of the bindings explains\n   | app/src/main.rs:";
    assert!(text.contains(unexplained), "{text}");
    let owner =
        "fn main() {\n    let _ = pets::models::Owner::default();\n    let _: u8 = \"\";\n}\n";
    scene.put("app/src/main.rs", owner);
    let (code, text) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains(&format!("{unexplained}3:17: ")), "{text}");
    assert_eq!(scene.get("app/src/main.rs"), owner.replace("Owner", "Keeper"));

    let manifest = scene.get("app/Cargo.toml");
    scene.put("app/Cargo.toml", manifest.split("pets =").next().unwrap());
    let (code, text) = scene.migrate(&["app/Cargo.toml"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("app/Cargo.toml does not depend on `pets`"), "{text}");
    let (code, text) = scene.migrate(&["other/Cargo.toml"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("there is no such file"), "{text}");
}

#[test]
fn a_killed_run_leaves_the_files() {
    let scene = compiled_app(
        "killed",
        "type-renamed",
        "fn main() {\n    let _ = pets::models::Owner::default();\n}\n",
    );
    // A target folder that cargo has not created.
    scene.put("target/debug/app", "");
    let start = Instant::now();
    let mut child = scene.start(&["--write", "app/Cargo.toml"]);
    // Until the copy is complete, and the rounds have begun.
    while !scene.has_copy("pets/api.txt") && start.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(5));
    }
    // Its cargo would compile all dependencies for this test alone.
    let kill = ["-c", "kill -KILL -$0", &child.id().to_string()];
    assert!(Command::new("sh").args(kill).status().unwrap().success());
    child.wait().unwrap();
    assert!(scene.has_copy("app/src/main.rs") && !scene.has_copy("target"));
    assert_eq!(scene.status(), "");
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(scene.status(), " M app/src/main.rs\n");
}

#[test]
fn the_uses_of_aliases_move_to_the_new_module() {
    let text = "use pets::resources::pets::{Get, Pets};\n\npub fn get(pets: &Pets) -> Get {\n    pets.get(\"1\")\n}\n\n\
                pub fn owner(_: pets::models::people::v1::Owner) {}\n\n";
    let scene = app("alias", "aliased", &[text, MAIN].concat());
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    let text = scene.get("app/src/main.rs");
    assert!(text.contains("use pets::resources::animals::{Fetch, Animals};"), "{text}");
    assert!(text.contains("_: pets::models::keepers::v1::Keeper)"), "{text}");
    assert!(text.contains("pets.fetch(\"1\")"), "{text}");
}

#[test]
fn paths_through_glob_imports_are_edited() {
    let text = "mod all {\n    use pets::*;\n\n    pub fn owner(_: &models::people::v1::Owner, _: resources::pets::Get) {}\n}\n\n\
                mod models {\n    use pets::models::*;\n\n    pub fn owner(_: &people::v1::Owner, _: Option<store::v1::Kind>) {}\n}\n\n\
                mod part {\n    use pets::models::people::*;\n\n    pub fn owner(_: &v1::Owner) {}\n}\n\n";
    let scene = app("globs", "aliased", &[text, MAIN].concat());
    let (code, report) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{report}");
    let expected = text.replace("people::", "keepers::").replace("v1::Owner", "v1::Keeper");
    let expected =
        expected.replace("pets::Get", "animals::Fetch").replace("v1::Kind", "v1::Species");
    assert_eq!(scene.get("app/src/main.rs"), [&expected, MAIN].concat());
}

#[test]
fn types_follow_their_operations_to_another_handle_and_the_calls_are_left() {
    let text = "pub fn status(client: &pets::Client) -> pets::resources::untagged::Status {\n    client.status()\n}\n\n\
                pub fn enrol(_: pets::resources::agents::Enrol) {}\n\n";
    let scene = app("handles", "tags-changed", &[text, MAIN].concat());
    let (code, text) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("2 edits in 1 file after 1 round, 1 place left"), "{text}");
    assert!(!text.contains("errors that no change of the bindings explains"), "{text}");
    let edited = scene.get("app/src/main.rs");
    assert!(edited.contains("pets::resources::health::Status {"), "{edited}");
    assert!(edited.contains("_: pets::resources::untagged::Enrol"), "{edited}");
}

#[test]
fn bindings_of_fields_keep_their_mode() {
    let text = "use pets::models::Pet;\n\n\
                pub fn by_ref(pet: &Pet) -> usize {\n    let Pet { ref name, .. } = *pet;\n    name.iter().len()\n}\n\n\
                pub fn taken(pet: Pet) -> Option<String> {\n    let Pet { mut name, .. } = pet;\n    name.take()\n}\n\n\
                pub fn emptied(mut pet: Pet) {\n    if let Pet { id: Some(_), ref mut name, .. } = pet {\n        *name = None;\n    }\n}\n\n";
    let scene = app("bindings", "type-renamed", &[text, MAIN].concat());
    let name = "        name: {type: string";
    scene.replace("spec/new.yaml", name, &[name, ", x-rust-name: label"].concat());
    let (code, output) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{output}");
    let expected = ["ref mut name", "mut name, .. } = pet;", "ref name"]
        .iter()
        .fold(text.to_owned(), |text, field| {
            text.replace(&format!(" {field}"), &format!(" label: {field}"))
        });
    assert_eq!(scene.get("app/src/main.rs"), [&expected, MAIN].concat());
}

#[test]
fn names_of_other_items_are_left() {
    let text = "use pets::models::*;\n\n#[derive(Debug, Default)]\nstruct Keeper;\n\n\
                fn main() {\n    println!(\"{:?} {:?}\", Owner::default(), Keeper);\n    let _ = pets::models::Owner::default();\n}\n";
    let scene = app("namesakes", "type-renamed", text);
    let (code, report) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!((code, scene.status().as_str()), (Some(3), ""), "{report}");
    for listed in ["app/src/main.rs:7:27: ", "app/src/main.rs:8:27: ", "write `Keeper` by hand: "] {
        assert!(report.contains(listed), "{report}");
    }

    // The program's own method would be called.
    let text = "use pets::resources::pets::{Get, Pets};\n\n\
                trait Cached {\n    fn fetch(self, id: &str) -> Get;\n}\n\n\
                impl Cached for &Pets {\n    fn fetch(self, id: &str) -> Get {\n        self.get(id)\n    }\n}\n\n\
                pub fn get(client: &pets::Client) -> Get {\n    client.pets().fetch(\"1\")\n}\n\n";
    let scene = app("methods", "operation-renamed", &[text, MAIN].concat());
    let (code, report) = scene.migrate(&["app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{report}");
    for listed in ["app/src/main.rs:9:14: ", "write `fetch` by hand: "] {
        assert!(report.contains(listed), "{report}");
    }
}

#[test]
fn uses_of_another_schema_by_the_same_name_are_left() {
    let text = "fn main() {\n    let _ = pets::models::Owner::default();\n}\n";
    let scene = app("schema", "schema-replaced", text);
    let (code, report) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!((code, scene.status().as_str()), (Some(3), ""), "{report}");
    assert!(report.contains("`models::Owner` is now another schema"), "{report}");
    assert!(report.contains("app/src/main.rs:2:27: use of struct `Owner`"), "{report}");
}
