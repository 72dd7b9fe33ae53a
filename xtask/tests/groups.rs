//! Changes with one cause, in the report of `cargo xtask diff`.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

/// Returns a spec in which all properties, the path and the enums of the old one are described.
fn old() -> Value {
    let mut schemas = json!({
        "PetLook": { "type": "object", "properties": {
            "size": { "type": "string", "enum": ["SMALL", "LARGE"] },
            "color": { "type": "string", "enum": ["RED", "BLUE"] },
        } },
    });
    let mut paths = json!({});
    for name in
        ["Cat", "Dog", "Emu", "Fox", "Gnu", "Hen", "Ibis", "Jay", "Kea", "Lion", "Mole", "Newt"]
    {
        let own = format!("{}_id", name.to_lowercase());
        schemas[name] = json!({ "type": "object", "properties": {
            "rateLimit": { "type": "integer" },
            "chip": { "type": "string" },
            "name": { "type": "string" },
            (own): { "type": "string" },
            "look": { "$ref": "#/components/schemas/PetLook" },
        } });
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        let media = json!({ "application/json": { "schema": schema } });
        paths[format!("/api/v1/{name}")]["get"] = json!({
            "operationId": format!("get_{}", name.to_lowercase()),
            "tags": ["pets"],
            "responses": { "200": { "description": "The pet.", "content": media } },
        });
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Pets", "version": "1.0.0" },
        "servers": [{ "url": "https://pets.example.com" }],
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

/// Makes seven kinds of changes, five of them in many places.
fn new(mut spec: Value) -> Value {
    let schemas = spec["components"]["schemas"].as_object_mut().unwrap();
    let mut look = schemas.remove("PetLook").unwrap();
    look["properties"]["size"]["enum"] = json!(["SMALL", "LARGE", "HUGE"]);
    schemas.insert("AnimalLook".to_owned(), look);
    for (name, schema) in schemas.iter_mut().filter(|(name, _)| *name != "AnimalLook") {
        let properties = schema["properties"].as_object_mut().unwrap();
        properties.remove("rateLimit");
        properties["look"]["$ref"] = json!("#/components/schemas/AnimalLook");
        properties["chip"]["type"] = json!("integer");
        properties["name"]["deprecated"] = json!(true);
        for (of, other) in [("Cat", "number"), ("Emu", "boolean")] {
            if name == of {
                properties[&format!("{}_id", name.to_lowercase())]["type"] = json!(other);
            }
        }
    }
    let text = spec["paths"].to_string().replace("/api/v1/", "/api/v2/");
    spec["paths"] = serde_json::from_str(&text).unwrap();
    spec
}

/// Returns the report of `cargo xtask diff`.
fn report(old: &Value, new: &Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    // Without line breaks, only pointers say where a change is.
    fs::write(folder.path().join("old.json"), old.to_string()).unwrap();
    fs::write(folder.path().join("new.json"), new.to_string()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-bindings"));
    command.args(["diff", "old.json", "new.json"]).current_dir(folder.path());
    let output = command.env("NO_COLOR", "1").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn pointers_name_the_places_in_a_document_of_one_line() {
    let spec = |properties: Value| {
        let schema = json!({ "type": "object", "properties": properties });
        let replies = json!({ "200": { "description": "A pet.", "content": { "application/json": { "schema": schema } } } });
        let get = json!({ "operationId": "pets.get", "responses": replies });
        json!({ "openapi": "3.1.0", "info": { "title": "Pets", "version": "1" }, "paths": { "/pets": { "get": get } } })
    };
    let report = report(
        &spec(json!({ "id": { "type": "string" }, "name": { "type": "string" } })),
        &spec(json!({ "id": { "type": "integer" } })),
    );
    let places: Vec<&str> = report.lines().filter(|line| line.contains("-->")).collect();
    assert!(places.len() == 2 && places.iter().all(|it| it.contains("/properties/")), "{report}");
}

#[test]
fn changes_with_one_cause_are_shown_together() {
    let old = old();
    insta::assert_snapshot!(report(&old, &new(old.clone())));
}

/// Returns the titles and the advice of breaking changes.
fn breaking(old: &Value, new: &Value) -> Vec<String> {
    let report = report(old, new);
    let changes = report.split("\n\n").filter_map(|it| it.strip_prefix("breaking: "));
    let title = |change: &str| {
        let advice = change.lines().find_map(|line| line.strip_prefix("   = instead: "));
        format!("{}: {}", change.lines().next().unwrap(), advice.unwrap_or_default())
    };
    changes.map(title).collect()
}

/// Returns the spec with schemas of text properties, each of which is that of a property `own` of an animal.
fn with(mut spec: Value, schemas: &[(&str, &str, &[&str])]) -> Value {
    for (animal, name, properties) in schemas {
        let texts = properties.iter().map(|it| ((*it).to_owned(), json!({ "type": "string" })));
        let texts: Value = texts.collect::<serde_json::Map<_, _>>().into();
        let all = &mut spec["components"]["schemas"];
        all[name] = json!({ "type": "object", "properties": texts });
        all[animal]["properties"]["own"] =
            json!({ "$ref": format!("#/components/schemas/{name}") });
    }
    spec
}

#[test]
fn changes_with_different_causes_are_not() {
    let before = with(old(), &[("Cat", "Owner", &["a", "b", "c"]), ("Dog", "Tag", &["d"])]);
    let mut after = with(old(), &[("Cat", "Keeper", &["a", "b", "e"])]);
    after["components"]["schemas"]["Dog"]["properties"]["own"] = json!({ "type": "string" });
    let found = breaking(&before, &after);
    assert_eq!(
        found,
        [
            "`models::Cat.own` has another type: convert from or to the new type",
            "`models::Dog.own` has another type: convert from or to the new type",
            "`models::Owner` is removed: perhaps the new `models::Keeper`",
            "`models::Tag` is removed: remove the uses (no replacement found)",
        ]
    );

    // The sentences name the same values.
    let mut created = old();
    for name in ["Cat", "Dog"] {
        let replies = &mut created["paths"][format!("/api/v1/{name}")]["get"]["responses"];
        *replies = json!({ "201": replies["200"] });
    }
    let title = "`pets().get_cat` has the success `201`, no longer `200` (and 1 other item)";
    assert!(report(&old(), &created).contains(title), "{}", report(&old(), &created));
}

#[test]
fn a_type_with_other_properties_is_perhaps_the_only_one_in_its_place() {
    let advice = |old_types: &[(&str, &str, &[&str])], new_types: &[(&str, &str, &[&str])]| {
        let found = breaking(&with(old(), old_types), &with(old(), new_types));
        let owner = found.into_iter().find(|it| it.starts_with("`models::Owner` is removed"));
        owner.unwrap().contains("perhaps the new `models::Keeper`")
    };
    let owner: (_, _, &[&str]) = ("Cat", "Owner", &["a", "b", "c"]);
    assert!(advice(&[owner], &[("Cat", "Keeper", &["a", "b", "e"])]));
    assert!(advice(&[owner], &[("Cat", "Keeper", &["a", "b"])]));
    let half: (_, _, &[&str]) = ("Cat", "Keeper", &["a", "e", "f"]);
    assert!(!advice(&[owner], &[half]), "most properties differ");
    let keeper: (_, _, &[&str]) = ("Cat", "Keeper", &["a", "b", "e"]);
    let elsewhere = ("Emu", keeper.1, keeper.2);
    assert!(!advice(&[owner], &[elsewhere]), "it is in another place");
    let of_emu = ("Emu", owner.1, owner.2);
    let other: (_, _, &[&str]) = ("Emu", "Holder", &["a", "b", "f"]);
    assert!(!advice(&[owner, of_emu], &[keeper, other]), "two types replace it");
    let lost: (_, _, &[&str]) = ("Emu", "Master", &["a", "b", "g"]);
    assert!(!advice(&[owner, lost], &[keeper, elsewhere]), "it replaces two types");
}
