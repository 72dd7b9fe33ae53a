//! Properties that are described other than by their names: next to others, and of unions.

use codegen::Source;
use serde_json::{Value, json};

use crate::support::case::{Case, rendered};

#[test]
fn properties_by_pattern_are_a_map_next_to_the_others() {
    let id = || json!({ "id": { "type": "integer" } });
    let text = || json!({ "type": "string" });
    let texts = || json!({ "^x-": { "type": "string" } });
    let of_texts = Some("BTreeMap<String, String>");
    for (model, expected) in [
        (json!({ "properties": id(), "patternProperties": texts() }), of_texts),
        (
            json!({ "properties": id(), "patternProperties": texts(), "additionalProperties": false }),
            of_texts,
        ),
        (
            json!({ "properties": id(), "patternProperties": texts(), "unevaluatedProperties": false }),
            of_texts,
        ),
        (
            json!({ "properties": id(), "patternProperties": texts(), "additionalProperties": text() }),
            of_texts,
        ),
        (
            json!({ "properties": id(), "patternProperties": texts(), "additionalProperties": { "type": "integer" } }),
            Some("BTreeMap<String, ModelValue>"),
        ),
        (
            json!({ "properties": id(), "patternProperties": { "^a": text(), "^b": { "type": "integer" } } }),
            Some("BTreeMap<String, ModelValue>"),
        ),
        (
            json!({ "properties": id(), "patternProperties": texts(), "additionalProperties": true }),
            Some("runtime::Map"),
        ),
        (json!({ "properties": id(), "patternProperties": { "^x-": {} } }), Some("runtime::Map")),
        (json!({ "properties": id(), "patternProperties": { "^x-": false } }), None),
        (
            json!({ "allOf": [{ "$ref": "#/components/schemas/Base" }, { "properties": id() }] }),
            Some("BTreeMap<String, BaseValue>"),
        ),
        (
            json!({ "allOf": [{ "patternProperties": texts() }, { "properties": id(), "additionalProperties": text() }] }),
            of_texts,
        ),
        (
            json!({ "allOf": [{ "properties": id(), "patternProperties": texts() }, { "patternProperties": { "^n": { "type": "integer" } } }] }),
            Some("BTreeMap<String, ModelValue>"),
        ),
    ] {
        let (text, _) = emitted(&model);
        let field = text.split_once("pub additional_properties: ");
        let ty = field.map(|(_, rest)| {
            rest.split_once(",\n").unwrap().0.trim_start_matches("std::collections::")
        });
        assert_eq!(ty, expected, "{model}");
    }
}

#[test]
fn a_union_lists_what_objects_of_another_variant_may_have() {
    let branch = |name: &str| json!({ "type": "object", "required": [name], "properties": { name: { "type": "string" } } });
    let closed = || json!({ "type": "object", "required": ["b"], "properties": { "b": {} }, "additionalProperties": false });
    let integers = || json!({ "type": "integer" });
    let siblings = Some(r#""a" | "b""#);
    for (model, expected) in [
        (json!({ "anyOf": [branch("a"), branch("b")] }), siblings),
        (json!({ "properties": { "id": {} }, "anyOf": [branch("a"), branch("b")] }), siblings),
        (json!({ "anyOf": [branch("a"), branch("b"), { "type": "string" }] }), siblings),
        (json!({ "anyOf": [branch("a"), closed()] }), None),
        (json!({ "oneOf": [branch("a"), branch("b")] }), None),
        (json!({ "anyOf": [branch("a"), { "type": "string" }] }), None),
        (json!({ "anyOf": [branch("a"), branch("b")], "unevaluatedProperties": false }), siblings),
        (
            json!({ "anyOf": [branch("a"), branch("b")], "unevaluatedProperties": integers() }),
            Some("any"),
        ),
        (
            json!({ "oneOf": [branch("a"), branch("b")], "additionalProperties": integers() }),
            Some("any"),
        ),
        (json!({ "oneOf": [branch("a"), branch("b")], "additionalProperties": true }), Some("any")),
        (
            json!({ "oneOf": [branch("a"), branch("b")], "patternProperties": { "^x-": integers() } }),
            Some("any"),
        ),
        (
            json!({ "properties": { "id": {} }, "anyOf": [branch("a"), branch("b")], "unevaluatedProperties": integers() }),
            Some("any"),
        ),
    ] {
        let (text, messages) = emitted(&model);
        let others =
            text.split_once("    others ").map(|(_, rest)| rest.split_once(",\n").unwrap().0);
        assert_eq!(others, expected, "{model}");
        let is_typed = model.to_string().contains(":{\"type\":\"integer\"}");
        assert_eq!(messages.contains("next to a union"), is_typed, "{model}");
    }
}

/// Returns the file of a model, and the diagnostics.
fn emitted(model: &Value) -> (String, String) {
    let base = json!({ "properties": { "name": { "type": "string" } },
        "patternProperties": { "^a": { "type": "object", "properties": { "size": { "type": "integer" } } } } });
    let text = json!({ "openapi": "3.1.1", "info": { "title": "Others", "version": "1" },
        "components": { "schemas": { "Model": model, "Base": base } } });
    let source = Source { name: "openapi.json".to_owned(), text: text.to_string() };
    let outcome = Case { name: "others".to_owned(), source }.generate();
    let messages = rendered(&outcome);
    let files = outcome.output.unwrap().files;
    let model = files.into_iter().find(|file| file.path.ends_with("models/model.rs"));
    (model.unwrap().text, messages)
}
