//! Values whose types differ: which change explains an error, of several fields with one name.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::faults::{MAIN, app};
use crate::scene::Scene;

/// Returns the lines that are left by the title of their change, and what is not explained under an empty title.
fn left(scene: &Scene) -> BTreeMap<String, Vec<u64>> {
    let (code, text) = scene.migrate(&["--allow-dirty", "--format", "json", "app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{text}");
    let end = text.rfind("\n}\n").unwrap() + 2;
    let report: Value = serde_json::from_str(&text[..end]).unwrap();
    let report = &report["workspaces"][0];
    let lines = |places: &Value| {
        let places = places.as_array().unwrap().iter();
        places.map(|place| place["line"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let changes = report["changes"].as_array().unwrap().iter();
    let changes = changes.map(|it| (it["title"].as_str().unwrap().to_owned(), lines(&it["left"])));
    let all = changes.chain([(String::new(), lines(&report["unexplained"]))]);
    all.filter(|(_, lines)| !lines.is_empty()).collect()
}

/// Returns a scene in which `Pet.id` becomes required, and `Owner.id` an integer.
fn scene(name: &str, program: &str) -> Scene {
    let scene = app(name, "field-required", &[program, MAIN].concat());
    let owner = "properties:\n        email:";
    for (spec, ty) in [("spec/old.yaml", "string"), ("spec/new.yaml", "integer")] {
        let id = format!("properties:\n        id: {{type: {ty}}}\n        email:");
        scene.replace(spec, owner, &id);
    }
    scene
}

const PET: &str = "`models::Pet.id` has another type";
const OWNER: &str = "`models::Owner.id` has another type";

#[test]
fn methods_of_a_field_belong_to_the_change_of_its_type() {
    let uses = [
        "pub fn text(pet: &Pet) -> &str { pet.id.as_deref().unwrap_or_default() }",
        "pub fn has(pet: &Pet) -> bool { pet.name.is_some() && pet.id.is_some() }",
        "pub fn shown(pet: &Pet) -> String { pet\n    .id\n    .clone()\n    .unwrap_or_else(String::new) }",
        "pub fn length(pet: &Pet) -> usize { if let Some(id) = &pet.id { id.len() } else { 0 } }",
    ];
    let scene =
        scene("methods-of-fields", &["use pets::models::Pet;", &uses.join("\n"), "\n"].join("\n"));
    assert_eq!(left(&scene), BTreeMap::from([(PET.to_owned(), vec![2, 3, 7, 8])]));
}

#[test]
fn fields_of_one_name_are_told_apart() {
    let uses = "use pets::models::{Owner, Pet};\n\n\
                pub fn is_pet(pet: &Pet) -> bool {\n    pet.id == Some(\"x\".to_owned())\n}\n\n\
                pub fn length(owner: &Owner) -> usize {\n    owner.id.as_ref().map_or(0, String::len)\n}\n\n";
    let told_apart = scene("fields", uses);
    let expected = BTreeMap::from([(PET.to_owned(), vec![4]), (OWNER.to_owned(), vec![8])]);
    assert_eq!(left(&told_apart), expected);

    // Without warnings, rustc does not tell them apart: all are named.
    let uses = uses.split("pub fn length").next().unwrap();
    let scene = scene("silent-fields", &["#![allow(deprecated)]\n", uses].concat());
    let expected = BTreeMap::from([(PET.to_owned(), vec![5]), (OWNER.to_owned(), vec![5])]);
    assert_eq!(left(&scene), expected);
    let (_, text) = scene.migrate(&["app/Cargo.toml"]);
    assert!(text.contains(", 1 place left\n"), "{text}");
}

#[test]
fn deprecated_items_are_listed_and_not_left() {
    let uses = "#![deny(warnings)]\n\n\
                pub fn get(client: &pets::Client) -> pets::resources::pets::Get {\n    client.pets().get(\"1\")\n}\n\n\
                pub fn id(pet: pets::models::Pet) -> Option<String> {\n    pet.id\n}\n\n";
    let scene = app("deprecated", "deprecated", &[uses, MAIN].concat());
    let (code, text) = scene.migrate(&["app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("\ndeprecated; no code is edited\n"), "{text}");
    for place in ["main.rs:4:19: use of method `get`\n", "main.rs:8:5: use of field `id`\n"] {
        assert!(text.contains(place), "{text}");
    }
    assert!(text.contains(", nothing left\n"), "{text}");
}

#[test]
fn a_deprecation_hides_no_other_change_of_the_item() {
    let uses = "pub fn get(client: &pets::Client) -> pets::resources::pets::Get {\n    client.pets().get(\"1\")\n}\n\n";
    let scene = app("moved-deprecated", "route-moved", &[uses, MAIN].concat());
    let id = "operationId: pets.get\n";
    scene.replace("spec/new.yaml", id, &[id, "      deprecated: true\n"].concat());
    let (code, text) = scene.migrate(&["--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{text}");
    let (_, moved) = text.split_once("is sent to `GET /v2/pets/{pet_id}`").unwrap();
    let listed = moved.split("\n\n").next().unwrap();
    assert!(listed.contains("main.rs:2:19: use of method `get`"), "{text}");
}

#[test]
fn fields_of_the_body_of_an_error_belong_to_its_change() {
    let uses = "pub fn email(error: &pets::Error) -> Option<String> {\n    \
                error.failure::<pets::resources::pets::Get>().and_then(|body| body.email)\n}\n\n";
    let scene = app("failure", "error-body-changed", &[uses, MAIN].concat());
    let title = "`error.failure::<resources::pets::Get>()` returns another type";
    assert_eq!(left(&scene), BTreeMap::from([(title.to_owned(), vec![2])]));
}

/// Returns a scene in which texts become a list, times, values of an enum, and the reverse.
fn kinds(name: &str, program: &str) -> Scene {
    let scene = app(name, "added", program);
    let color = "{$ref: '#/components/schemas/Color'}";
    let [text, time, list] = [
        "{type: string}",
        "{type: string, format: date-time}",
        "{type: array, items: {type: string}}",
    ];
    for (file, [color, kind, born, died, tag]) in [
        ("spec/old.yaml", [color, text, time, text, text]),
        ("spec/new.yaml", [text, color, text, time, list]),
    ] {
        let pet = format!(
            "    Pet: {{type: object, properties: {{color: {color}, colors: {{type: array, items: {color}}}, kind: {kind}, born: {born}, died: {died}, tag: {tag}}}}}\n"
        );
        let body = "content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}";
        let spec = format!(
            "openapi: 3.1.0\ninfo: {{title: Pets, version: 1.0.0}}\nservers: [{{url: 'https://pets.example.com'}}]\npaths:\n  \
             /pets: {{put: {{operationId: pets.set, requestBody: {{{body}}}, responses: {{'200': {{description: Done., {body}}}}}}}}}\n\
             components:\n  schemas:\n    Color: {{type: string, enum: [BLUE, RED]}}\n{pet}"
        );
        scene.put(file, &spec);
    }
    scene
}

#[test]
fn values_that_can_be_converted_in_one_way_are_edited() {
    let uses = "use pets::Timestamp;\nuse pets::models::{Color, Pet};\n\n\
                pub fn set(born: Timestamp, kind: String) -> Pet {\n    \
                let mut pet = Pet::default();\n    \
                pet.born = Some(born);\n    pet.color = Some(Color::Red);\n    pet.kind = Some(kind);\n    pet.tag = Some(\"a\".to_owned());\n    \
                pet.colors = Some(vec![Color::Blue]);\n    pet\n}\n\n\
                pub fn passed(born: Timestamp, text: Option<String>) -> Pet {\n    \
                let mut pet = Pet::new().born(born).color(Color::Red).tag(\"a\");\n    pet.kind = text.clone();\n    pet.tag = text;\n    pet\n}\n\n\
                pub fn read(pet: Pet) -> Option<String> {\n    let kind: Option<String> = pet.kind;\n    kind.or(pet.died)\n}\n\n";
    let text = [uses, MAIN].concat();
    let scene = kinds("converted", &text);
    let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(0), "{report}");
    let edits = [
        ("Some(born)", "Some(born.to_string())"),
        ("Some(Color::Red)", "Some(Color::Red.to_string())"),
        ("Some(kind)", "Some(kind.into())"),
        ("Some(\"a\".to_owned())", "Some(vec![\"a\".to_owned()])"),
        ("vec![Color::Blue]", "vec![Color::Blue.to_string()]"),
        (".born(born)", ".born(born.to_string())"),
        (".color(Color::Red)", ".color(Color::Red.to_string())"),
        (".tag(\"a\")", ".tag([\"a\"])"),
        ("text.clone();", "text.clone().map(|it| it.into());"),
        ("= text;", "= text.map(|it| vec![it]);"),
        ("= pet.kind;", "= pet.kind.map(|it| it.to_string());"),
        ("pet.died)", "pet.died.map(|it| it.to_string()))"),
    ];
    let expected = edits.iter().fold(text, |text, (from, to)| text.replace(from, to));
    assert_eq!(scene.get("app/src/main.rs"), expected);
}

#[test]
fn what_a_conversion_does_not_mend_is_left_as_it_is() {
    let uses = "use pets::Timestamp;\nuse pets::models::{Color, Pet};\n\n\
                pub fn read(pet: &Pet) -> Option<Timestamp> {\n    let born: Option<Timestamp> = pet.born;\n    born\n}\n\n\
                pub fn is_red(pet: &Pet) -> bool {\n    matches!(pet.color, Some(Color::Red))\n}\n\n\
                pub fn set(pet: Pet, died: String) -> Pet {\n    pet.died(died).color(Color::Red)\n}\n\n\
                pub fn tags(pet: &Pet, tag: &str) -> bool {\n    pet.tag == Some(tag.to_owned())\n}\n\n\
                pub fn shown(pet: &Pet) -> String {\n    pet.born.map_or_else(String::new, |it| it.to_string())\n}\n\n";
    let text = [uses, MAIN].concat();
    let scene = kinds("not-converted", &text);
    let (code, report) = scene.migrate(&["--write", "--allow-dirty", "app/Cargo.toml"]);
    assert_eq!(code, Some(3), "{report}");
    for place in ["5:", "10:", "14:", "18:", "22:"] {
        assert!(report.contains(&format!("   | app/src/main.rs:{place}")), "{place}: {report}");
    }
    assert!(!report.contains("errors that no change"), "{report}");
    let expected = text.replace(".color(Color::Red)", ".color(Color::Red.to_string())");
    assert_eq!(scene.get("app/src/main.rs"), expected);
}
