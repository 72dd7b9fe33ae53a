//! Edits to names that the program has for items that they cannot lead to.

use crate::faults::{MAIN, app};

#[test]
fn edits_are_counted_under_their_own_change() {
    let text = "pub fn fetch() {}\n\npub fn get(client: &pets::Client) {\n    let _ = client.pets().get(\"1\");\n    \
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
    scene.replace("app/Cargo.toml", "client", "test-util");
    let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{report}");
    let edited = text.replace(".name(", ".label(");
    assert_eq!(scene.get("app/src/main.rs"), [&edited, MAIN].concat());
}
