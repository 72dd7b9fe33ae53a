//! Names where only the content distinguishes what would have the same name.

use codegen::items::{Definition, PublicApi};
use codegen::{Settings, Source};
use serde_json::{Value, json};

/// Returns the public items of a document with a union of these branches, and with these servers.
fn public_api(branches: &[Value], servers: &[&str]) -> PublicApi {
    let servers: Vec<_> = servers.iter().map(|url| json!({ "url": url })).collect();
    let document = json!({
        "openapi": "3.1.1",
        "info": { "title": "Names", "version": "1" },
        "servers": servers,
        "components": { "schemas": {
            "Whole": { "oneOf": branches },
            "Cat": { "type": "object", "properties": { "lives": { "type": "integer" } } },
            "Dog": { "type": "object", "properties": { "tricks": { "type": "integer" } } },
        } },
    });
    let source = Source { name: "openapi.json".to_owned(), text: document.to_string() };
    codegen::public_api(&source, &Settings::default()).0.unwrap()
}

/// Returns the names of the variants of the union.
fn variants(api: &PublicApi) -> Vec<&str> {
    let whole = api.items.iter().find(|(path, _)| path.to_string() == "models::Whole").unwrap().1;
    let members = whole.members.iter();
    let variants = members.filter(|(_, it)| matches!(it.definition, Definition::Variant(..)));
    variants.map(|((_, name), _)| name.as_str()).filter(|name| *name != "Unknown").collect()
}

#[test]
fn variants_are_named_by_what_distinguishes_them_in_any_order() {
    let object =
        |name: &str, schema: Value| json!({ "type": "object", "properties": { name: schema } });
    let list = |items: Value| json!({ "type": "array", "items": items });
    let text = || json!({ "type": "string" });
    let kind = || json!({ "enum": ["a", "b"] });
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let with_kind = |mut branch: Value| {
        branch["properties"]["kind"] = kind();
        branch
    };
    let cases = [
        (
            vec![
                object("it", text()),
                object("it", json!({ "type": "integer" })),
                object("it", json!({ "type": "boolean" })),
            ],
            vec!["ItBoolean", "ItInteger", "ItText"],
        ),
        (
            vec![object("it", list(text())), object("it", list(object("name", text())))],
            vec!["ItObjectList", "ItTextList"],
        ),
        (
            vec![object("it", reference("Cat")), object("it", reference("Dog"))],
            vec!["ItCat", "ItDog"],
        ),
        (
            vec![object("it", object("id", text())), object("it", object("name", text()))],
            vec!["ItId", "ItName"],
        ),
        // The branch that nothing distinguishes has the name that all would have.
        (
            vec![
                object("kind", kind()),
                with_kind(object("size", text())),
                with_kind(object("image", text())),
            ],
            vec!["Image", "Object", "Size"],
        ),
        // Equal titles distinguish nothing.
        (
            ["string", "integer"]
                .map(|ty| json!({ "title": "Same", "properties": { "it": { "type": ty } } }))
                .to_vec(),
            vec!["ItInteger", "ItText"],
        ),
    ];
    for (mut branches, expected) in cases {
        let api = public_api(&branches, &[]);
        assert_eq!(variants(&api), expected);
        branches.reverse();
        let reversed = public_api(&branches, &[]);
        assert_eq!(reversed.to_string(), api.to_string(), "{expected:?}");
    }
}

#[test]
fn variants_that_nothing_distinguishes_are_named_by_their_content() {
    let branch = |value: &str| json!({ "type": "object", "properties": { "kind": { "enum": ["a", value] } } });
    let mut branches = vec![branch("b"), branch("c"), branch("d")];
    let all = public_api(&branches, &[]);
    let names = variants(&all);
    assert!(names.iter().all(|name| name.len() > "Object".len()), "{names:?}");
    branches.remove(1);
    branches.reverse();
    let fewer = public_api(&branches, &[]);
    assert_eq!(variants(&fewer).len(), 2);
    assert!(variants(&fewer).iter().all(|name| names.contains(name)), "{names:?}");
}

#[test]
fn no_server_has_a_name_that_another_could_have() {
    let names = |servers: &[&str]| {
        let api = public_api(&[json!({ "type": "string" })], servers);
        let paths = api.items.keys().map(ToString::to_string);
        paths
            .filter_map(|path| Some(path.strip_prefix("servers::")?.to_owned()))
            .collect::<Vec<_>>()
    };
    let of = ["https://events.example.ca", "https://events.example.eu/v1"];
    assert_eq!(names(&of), ["EventsExampleCa", "EventsExampleEu"]);
    let another = [of[0], of[1], "https://api.example.eu", "https://events.example.com"];
    let expected = ["Api", "EventsExampleCa", "EventsExampleCom", "EventsExampleEu"];
    assert_eq!(names(&another), expected);
    let versions =
        ["https://api.example.com", "https://api.example.com/v2", "http://api.example.com/v2"];
    assert_eq!(names(&versions), ["ApiExampleCom", "HttpApiExampleComV2", "HttpsApiExampleComV2"]);
}
