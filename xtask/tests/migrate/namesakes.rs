//! Edits to names that the program has, too, which lead to the bindings all the same.

use crate::faults::{MAIN, app};

#[test]
fn edits_are_counted_under_their_own_change() {
    let text = "#![allow(deprecated)]\n\npub fn fetch() {}\n\npub fn get(client: &pets::Client) {\n    let _ = client.pets().get(\"1\");\n    \
                let _ = client.owners().get(\"1\");\n    let _ = client.owners().get(\"2\");\n}\n\n";
    let scene = app("counted", "operation-renamed", &[text, MAIN].concat());
    for (spec, name) in [("spec/old.yaml", "get"), ("spec/new.yaml", "fetch")] {
        let owners = format!(
            "  /owners/{{owner_id}}:\n    get:\n      operationId: owners.{name}\n      tags: [owners]\n      parameters:\n        \
             - {{name: owner_id, in: path, required: true, schema: {{type: string}}}}\n      responses:\n        \
             '200': {{description: It., content: {{application/json: {{schema: {{$ref: '#/components/schemas/Owner'}}}}}}}}\ncomponents:\n"
        );
        scene.replace(spec, "components:\n", &owners);
    }
    let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("3 edits in 1 file after 1 round, nothing left"), "{report}");
    // rustc does not say where they lead in a program that allows the use of deprecated items.
    assert_eq!(
        report.matches(": the programs have another item of the new name").count(),
        3,
        "{report}"
    );
    let edited = text.replace(".get(", ".fetch(");
    assert_eq!(scene.get("app/src/main.rs"), [&edited, MAIN].concat());
}

#[test]
fn edits_of_modules_and_setters_stay() {
    let text = "use pets::resources::pets::Pets;\n\npub fn animals(client: &pets::Client) -> Pets {\n    client.pets()\n}\n\n";
    let edited = text
        .replace("pets::Pets", "animals::Animals")
        .replace("-> Pets", "-> Animals")
        .replace("client.pets", "client.animals");
    let scene = app("modules", "resource-renamed", &[text, MAIN].concat());
    let (code, report) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(scene.get("app/src/main.rs"), [&edited, MAIN].concat());

    // Of an alias that the old crate has, too.
    let scene = app("modules-of-aliases", "resource-renamed", &[text, MAIN].concat());
    let aliases = "\n[aliases]\n\"resources::pets::Pets\" = \"resources::animals::Animals\"\n\
                   \"Client::pets\" = \"Client::animals\"\n";
    scene.put("spec/codegen.toml", &[&scene.get("spec/codegen.toml"), aliases].concat());
    let spec = "spec/new.yaml";
    let (code, report) = scene
        .run_migrate(&["--from", spec, "--to", spec, "--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(scene.get("app/src/main.rs"), [&edited, MAIN].concat());

    let text = "pub fn label() {}\n\npub fn pet() -> pets::models::Pet {\n    pets::models::Pet::new().name(\"x\")\n}\n\n";
    let scene = app("setter-names", "type-renamed", &[text, MAIN].concat());
    let name = "        name: {type: string";
    scene.replace("spec/new.yaml", name, &[name, ", x-rust-name: label"].concat());
    scene.replace("app/Cargo.toml", "false }", "false, features = [\"test-util\"] }");
    let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{report}");
    assert!(
        report.contains("main.rs:4:30: the programs have another item of the new name"),
        "{report}"
    );
    let edited = text.replace(".name(", ".label(");
    assert_eq!(scene.get("app/src/main.rs"), [&edited, MAIN].concat());
}

#[test]
fn edits_of_programs_whose_library_fails_stay() {
    let own = "pub mod own {\n    pub struct Keeper;\n}\n\n";
    let library = "pub fn owner(_: pets::models::Owner) {}\n";
    let program = "pub fn owner(_: pets::models::Owner) {}\n\nfn main() {\n    app::owner(Default::default());\n}\n";
    let edited = program.replace("Owner", "Keeper");

    // Marks are errors in it.
    let scene = app("denied-marks", "type-renamed", program);
    scene.put("app/src/lib.rs", &["#![deny(warnings)]\n\n", own, library].concat());
    let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(scene.get("app/src/main.rs"), edited);

    // A removed type of which it has a use.
    let scene = app("removed-marks", "type-renamed", program);
    scene
        .put("app/src/lib.rs", &[own, library, "pub fn kind(_: pets::models::Kind) {}\n"].concat());
    let kind = "    Kind: {type: string, description: The kinds., enum: [KIND_CAT, KIND_DOG]}\n";
    scene.replace("spec/new.yaml", kind, "");
    let kind = "        kind: {$ref: '#/components/schemas/Kind'}\n";
    scene.replace("spec/new.yaml", kind, "");
    let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{report}");
    assert!(!report.contains("that of another item"), "{report}");
    assert_eq!(scene.get("app/src/main.rs"), edited);
}

#[test]
fn names_of_other_items_are_left_in_programs_that_deny_warnings() {
    let text = "#![deny(warnings)]\n\nuse pets::models::*;\n\n#[derive(Debug, Default)]\nstruct Keeper;\n\n\
                fn main() {\n    println!(\"{:?} {:?}\", Owner::default(), Keeper);\n    let _ = pets::models::Owner::default();\n}\n";
    let scene = app("denied-namesakes", "type-renamed", text);
    let (code, report) = scene.migrate(&["--write", "app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{report}");
    assert!(report.contains("main.rs:9:27: the new name is that of another item"), "{report}");
    assert_eq!(scene.get("app/src/main.rs"), text.replace("models::Owner", "models::Keeper"));
}
