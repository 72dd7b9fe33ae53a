//! Documents with a large union, whose branches differ in ways that multiply where a rule asks one question after another.

use serde_json::{Map, Value, json};

/// The ways in which branches differ.
pub const SHAPES: [Shape; 12] = [
    Shape { name: "a list of the next branch", branch: list_of_next },
    Shape { name: "a list of others with the same tag", branch: list_of_tagged },
    Shape { name: "a list of others that require less with the same tag", branch: alternatives },
    Shape { name: "alternatives with the same tags", branch: tagged_alternatives },
    Shape { name: "a constant", branch: constant },
    Shape { name: "constants that two share", branch: shared_constants },
    Shape { name: "the digits of a number, as optional constants", branch: optional_digits },
    Shape { name: "the digits of a number, as kinds", branch: kinds },
    Shape { name: "the digits of a number, as kinds of items", branch: kinds_of_items },
    Shape { name: "two required properties of four", branch: required },
    Shape { name: "lists of lists of objects", branch: lists },
    Shape { name: "nothing but other properties that overlap", branch: overlapping },
];

/// A union of any number of branches.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What is different.
    pub name: &'static str,
    branch: fn(usize, usize) -> Value,
}

impl Shape {
    /// Returns a document with the union, which a request sends.
    pub fn document(self, count: usize) -> Value {
        let keys: Vec<String> = (0..count).map(|index| format!("B{index}")).collect();
        let branches: Vec<Value> = keys.iter().map(|key| reference(key)).collect();
        let mut schemas = Map::new();
        for (index, key) in keys.into_iter().enumerate() {
            schemas.insert(key, (self.branch)(index, count));
        }
        schemas.insert("Whole".to_owned(), json!({ "oneOf": branches }));
        let content = json!({ "application/json": { "schema": reference("Whole") } });
        let post = json!({
            "operationId": "wholes.create",
            "requestBody": { "required": true, "content": content },
            "responses": { "204": { "description": "Done." } },
        });
        json!({
            "openapi": "3.1.1",
            "info": { "title": self.name, "version": "1" },
            "paths": { "/wholes": { "post": post } },
            "components": { "schemas": schemas },
        })
    }
}

/// Returns the number of branches, properties and constants of the union in a document.
pub fn size(document: &Value) -> usize {
    let schemas = document["components"]["schemas"].as_object();
    schemas.map_or(0, |schemas| schemas.values().map(size_of).sum())
}

fn size_of(schema: &Value) -> usize {
    let properties = schema["properties"].as_object();
    let constants = |schema: &Value| schema["enum"].as_array().map_or(0, Vec::len);
    let items = if schema["items"].is_object() { size_of(&schema["items"]) } else { 0 };
    let own = properties.map_or(0, |all| all.values().map(|one| 1 + constants(one)).sum());
    let alternatives = schema["anyOf"].as_array().into_iter().flatten().map(size_of);
    1 + own + items + alternatives.sum::<usize>()
}

fn reference(key: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{key}") })
}

fn object(required: &[String], properties: impl IntoIterator<Item = (String, Value)>) -> Value {
    let properties: Map<String, Value> = properties.into_iter().collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn list_of_next(index: usize, count: usize) -> Value {
    let next = reference(&format!("B{}", (index + 1) % count));
    let list = json!({ "type": "array", "items": next });
    object(&["id".to_owned()], [("id".to_owned(), text()), (format!("p{index}"), list)])
}

fn list_of_tagged(index: usize, _: usize) -> Value {
    let tag = json!({ "type": "string", "enum": [format!("a{index}"), format!("a{}", index + 1)] });
    let item = object(&["tag".to_owned()], [("tag".to_owned(), tag)]);
    let list = json!({ "type": "array", "items": item });
    object(&[], [("list".to_owned(), list), (format!("p{}", index / 2), text())])
}

fn alternatives(index: usize, _: usize) -> Value {
    let item = |number: usize, required: &[&str]| {
        let tag = json!({ "type": "string", "enum": [format!("a{number}")] });
        let required: Vec<String> = required.iter().map(|name| (*name).to_owned()).collect();
        object(&required, [("tag".to_owned(), tag), ("size".to_owned(), text())])
    };
    let items = json!({ "oneOf": [item(index, &["tag"]), item(index + 1, &["tag", "size"])] });
    let list = json!({ "type": "array", "items": items });
    object(&[], [("list".to_owned(), list), (format!("p{}", index / 2), text())])
}

fn tagged_alternatives(index: usize, _: usize) -> Value {
    let alternative = |number: usize| {
        let tag = json!({ "type": "string", "enum": [format!("a{}", number % 5)] });
        object(
            &[],
            [
                ("tag".to_owned(), tag),
                (format!("p{index}"), text()),
                (format!("q{number}"), text()),
            ],
        )
    };
    let open = object(&[], (0..5).map(|number| (format!("p{number}"), text())));
    json!({ "anyOf": [alternative(index), alternative(index + 1), open] })
}

fn constant(index: usize, _: usize) -> Value {
    let tag = json!({ "type": "string", "enum": [format!("a{index}")] });
    object(&["type".to_owned()], [("type".to_owned(), tag), (format!("p{index}"), text())])
}

fn shared_constants(index: usize, _: usize) -> Value {
    let tag = |step: usize| json!({ "type": "string", "enum": [format!("a{index}"), format!("a{}", index + step)] });
    object(&[], [("one".to_owned(), tag(1)), ("other".to_owned(), tag(2))])
}

/// Returns the digits of a number to base two.
fn digits(index: usize) -> impl Iterator<Item = (String, bool)> {
    (0..8).map(move |digit| (format!("d{digit}"), index >> digit & 1 == 1))
}

fn optional_digits(index: usize, _: usize) -> Value {
    let constant = |is_one: bool| json!({ "type": "string", "enum": [is_one.to_string()] });
    object(&[], digits(index).map(|(name, is_one)| (name, constant(is_one))))
}

fn kind(is_one: bool) -> Value {
    json!({ "type": if is_one { "string" } else { "integer" } })
}

fn kinds(index: usize, _: usize) -> Value {
    object(&[], digits(index).map(|(name, is_one)| (name, kind(is_one))))
}

fn kinds_of_items(index: usize, _: usize) -> Value {
    let list = |is_one: bool| json!({ "type": "array", "items": kind(is_one) });
    object(&[], digits(index).map(|(name, is_one)| (name, list(is_one))))
}

fn required(index: usize, _: usize) -> Value {
    let names = [index, index + 1, index + 2, index + 3].map(|number| format!("p{number}"));
    object(&names[..2], names.iter().map(|name| (name.clone(), text())))
}

fn lists(index: usize, count: usize) -> Value {
    let item = required(index, count);
    json!({ "type": "array", "items": { "type": "array", "items": item } })
}

fn overlapping(index: usize, _: usize) -> Value {
    object(&[], (index..index + 5).map(|number| (format!("p{number}"), text())))
}
