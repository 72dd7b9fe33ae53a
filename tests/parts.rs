//! The types of the parts of forms, and of bodies by their media types.

use codegen::{Kept, Output, Settings, Source};
use serde_json::{Value, json};

/// Returns the items of a document with this content of its request body, and the messages of its warnings.
fn emitted(content: &Value, schemas: &Value) -> (String, Vec<String>) {
    let document = json!({
        "openapi": "3.1.1",
        "info": { "title": "Parts", "version": "1" },
        "paths": { "/parts": {
            "post": {
                "operationId": "send",
                "requestBody": { "required": true, "content": content },
                "responses": { "204": { "description": "Done." } },
            },
            "get": {
                "operationId": "get",
                "responses": { "200": { "description": "OK", "content": { "application/json": {
                    "schema": { "type": "array", "items": { "oneOf": [
                        { "$ref": "#/components/schemas/Item" }, { "type": "integer" },
                    ] } },
                } } } },
            },
        } },
        "components": { "schemas": schemas },
    });
    let source = Source { name: "openapi.json".to_owned(), text: document.to_string() };
    let settings = Settings { package: "parts".to_owned(), kept: Kept::All, ..Settings::default() };
    let outcome = codegen::generate(&source, &settings);
    let warnings = outcome.diagnostics.iter().map(|it| it.message.clone()).collect();
    let Output { public_api, .. } = outcome.output.unwrap();
    (public_api.to_string(), warnings)
}

fn file() -> Value {
    json!({ "type": "string", "format": "binary" })
}

#[track_caller]
fn assert_lines(api: &str, expected: &[&str]) {
    for line in expected {
        assert!(api.lines().any(|it| it.trim() == *line), "{line} is not in\n{api}");
    }
}

#[test]
fn files_of_a_form_are_uploads_wherever_they_are() {
    let form = json!({
        "type": "object",
        "properties": {
            "many": { "anyOf": [file(), { "type": "array", "items": file() }] },
            "other": { "oneOf": [file(), { "$ref": "#/components/schemas/Item" }] },
            "item": { "type": "array", "items": { "oneOf": [file(), { "type": "integer" }] } },
            "text": { "oneOf": [file(), { "type": "string", "format": "uri" }] },
            "nested": { "type": "array", "items": { "type": "array", "items": file() } },
        },
        "oneOf": [
            { "required": ["a"], "properties": { "a": file() } },
            { "required": ["b"], "properties": { "b": { "type": "string" } } },
        ],
        "additionalProperties": file(),
    });
    let content = json!({ "multipart/form-data": { "schema": form } });
    let (api, warnings) = emitted(&content, &json!({ "Item": { "type": "object" } }));
    assert_lines(
        &api,
        &[
            "FileList(Vec<runtime::Upload>)",
            "text: Option<runtime::Upload> as \"text\"",
            "A(runtime::Upload) as \"a\"",
            "additional_properties: BTreeMap<String, runtime::Upload> as additional",
        ],
    );
    assert_eq!(api.matches("    File(runtime::Upload)\n").count(), 3, "{api}");
    let of_parts: Vec<_> = warnings.iter().filter(|it| it.starts_with("the part")).collect();
    assert_eq!(
        of_parts,
        [
            "the part `nested` has files within a value, which are sent as text",
            "the part `text` is a file or a text, and is sent as a file",
        ]
    );
    let either = json!({ "oneOf": [
        { "type": "object", "required": ["file"], "properties": { "file": file(), "note": { "type": "string" } } },
        { "type": "object", "required": ["url"], "properties": { "url": { "type": "string" } } },
    ] });
    let content = json!({ "multipart/form-data": { "schema": either } });
    let (api, _) = emitted(&content, &json!({ "Item": { "type": "object" } }));
    assert_lines(&api, &["file: runtime::Upload as \"file\" required"]);
    let map = json!({ "type": "object", "additionalProperties": file() });
    let content = json!({ "multipart/form-data": { "schema": map } });
    let (api, _) = emitted(&content, &json!({ "Item": { "type": "object" } }));
    assert_lines(&api, &["body BTreeMap<String, runtime::Upload>"]);
}

#[test]
fn a_component_keeps_its_types_in_json_if_a_form_needs_others() {
    let item = json!({ "type": "object", "required": ["any", "at"], "properties": {
        "any": {}, "at": { "type": "object", "properties": { "x": { "type": "integer" } } },
    } });
    let union = json!({ "oneOf": [{ "$ref": "#/components/schemas/Item" }, { "type": "object", "required": ["url"], "properties": { "url": {} } }] });
    let content = json!({ "multipart/form-data": {
        "schema": { "$ref": "#/components/schemas/Form" },
        "encoding": { "at": { "contentType": "application/xml" } },
    } });
    let (api, warnings) = emitted(&content, &json!({ "Item": item, "Form": union }));
    assert_lines(
        &api,
        &[
            "any: Value as \"any\" required",
            "at: models::ItemAt as \"at\" required",
            "url: runtime::Upload as \"url\" required",
            "any: runtime::Upload as \"any\" required",
            "at: String as \"at\" required",
        ],
    );
    assert!(
        warnings
            .contains(&"the part `at` has a media type that the crate cannot encode".to_owned()),
        "{warnings:?}"
    );
}

#[test]
fn a_schema_that_only_equal_forms_use_has_one_type() {
    let form = json!({ "type": "object", "required": ["file"], "properties": { "file": {} } });
    let schemas = json!({ "Item": { "type": "object" }, "Form": form });
    let reference = json!({ "schema": { "$ref": "#/components/schemas/Form" } });
    let json_part = json!({ "file": { "contentType": "application/json" } });
    let mut other = reference.clone();
    other["encoding"] = json_part;
    let place = "#/paths/~1parts/post/requestBody/content/application~1json/schema";
    for (content, types) in [
        (json!({ "multipart/form-data": reference, "multipart/mixed": reference }), 1),
        (json!({ "multipart/form-data": reference, "multipart/mixed": other }), 2),
        (json!({ "multipart/form-data": reference, "application/json": reference }), 2),
        (
            json!({
                "multipart/form-data": { "schema": { "$ref": place } },
                "application/json": { "schema": form },
            }),
            3,
        ),
    ] {
        let (api, _) = emitted(&content, &schemas);
        assert_lines(&api, &["file: runtime::Upload as \"file\" required"]);
        assert_eq!(api.matches(" as \"file\" required").count(), types, "{api}");
    }
}

#[test]
fn files_are_bytes_in_any_media_type() {
    let schemas = json!({ "Item": { "type": "object" } });
    for (media_type, schema, expected) in [
        ("image/svg+xml", json!({ "type": "string" }), "runtime::Upload"),
        ("text/plain", file(), "runtime::Upload"),
        ("application/xml", file(), "runtime::Upload"),
        ("application/atom+xml", json!({ "type": "string" }), "String"),
    ] {
        let (api, _) = emitted(&json!({ media_type: { "schema": schema } }), &schemas);
        assert!(api.contains(&format!("body {expected}\n")), "{media_type}: {api}");
    }
}

#[test]
fn a_required_part_that_may_be_null_is_an_argument() {
    let item = json!({ "type": "object", "required": ["count", "at"], "properties": {
        "count": { "type": ["number", "null"] },
        "at": { "type": "object", "required": ["x"], "properties": { "x": { "type": ["number", "null"] } } },
    } });
    for media_type in ["multipart/form-data", "application/x-www-form-urlencoded"] {
        let form = json!({ media_type: { "schema": { "$ref": "#/components/schemas/Item" } } });
        let (api, _) = emitted(&form, &json!({ "Item": item }));
        assert_lines(
            &api,
            &[
                "count: f64 as \"count\" required",
                "count: Option<f64> as \"count\" required",
                "x: Option<f64> as \"x\" required",
            ],
        );
        assert!(api.contains("count: f64 as body \"count\" required"), "{api}");
    }
}

#[test]
fn what_the_crate_cannot_encode_is_passed_as_it_is_sent() {
    let object = json!({ "type": "object", "properties": { "x": { "type": "integer" } } });
    let types = ["application/xml", "text/plain", "text/csv", "application/x-www-form-urlencoded"];
    let bytes = ["application/yaml", "application/x-ndjson"];
    for (types, expected) in [(&types[..], "String"), (&bytes[..], "runtime::Upload")] {
        for media_type in types {
            let content = json!({ "multipart/form-data": {
                "schema": { "type": "object", "required": ["x"], "properties": { "x": object } },
                "encoding": { "x": { "contentType": media_type } },
            } });
            let (api, warnings) = emitted(&content, &json!({ "Item": object }));
            assert_lines(&api, &[&format!("x: {expected} as \"x\" required")]);
            let warning = "the part `x` has a media type that the crate cannot encode";
            assert!(warnings.iter().any(|it| it == warning), "{media_type}: {warnings:?}");
        }
    }
    let content = json!({ "text/plain": { "schema": object } });
    let (_, warnings) = emitted(&content, &json!({ "Item": object }));
    assert!(
        warnings.iter().any(|it| it == "bodies of the type `text/plain` are sent as text"),
        "{warnings:?}"
    );
}

#[test]
fn media_types_of_json_keep_their_names() {
    let of = |name: &str| json!({ "type": "object", "required": [name], "properties": { name: { "type": "string" } } });
    let content = json!({
        "application/json; version=1": { "schema": of("a") },
        "application/json; version=2": { "schema": of("b") },
        "text/json; charset=UTF-8": { "schema": of("c") },
        "application/*+json": { "schema": of("c") },
    });
    let (api, _) = emitted(&content, &json!({ "Item": {} }));
    for name in ["application/json; version=1", "application/json; version=2", "application/json"] {
        assert!(api.contains(name), "{name} is not in\n{api}");
    }
    assert_eq!(api.matches("operation POST /parts ").count(), 3, "{api}");
}

#[test]
fn secrets_of_any_json_retain_null() {
    let item = json!({ "type": "object", "properties": { "key": { "format": "password" } } });
    let content =
        json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Item" } } });
    let (api, _) = emitted(&content, &json!({ "Item": item }));
    assert_lines(&api, &["key: Option<Secret<Value>> as \"key\" or null"]);
}
