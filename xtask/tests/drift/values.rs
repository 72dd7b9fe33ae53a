//! What `drift` says of a value is what the crate does with it.

use codegen::Source;
use codegen::diagnostics::Diagnostics;
use serde_json::{Value, json};
use traffic::{Description, Findings};

/// Checks replies with a value, of a document whose only reply has a schema.
fn found(version: &str, schemas: &Value, schema: &Value, values: &[Value]) -> Findings {
    received(200, version, schemas, schema, values)
}

fn received(
    status: u16,
    version: &str,
    schemas: &Value,
    schema: &Value,
    values: &[Value],
) -> Findings {
    let text = json!({
        "openapi": version,
        "info": { "title": "Values", "version": "1" },
        "paths": { "/value": { "get": { "responses": { "200": {
            "description": "The value.",
            "content": { "application/json": { "schema": schema } },
        }}}}},
        "components": { "schemas": schemas },
    });
    let source = Source { name: "openapi.json".to_owned(), text: text.to_string() };
    let description = Description::read(&source, &mut Diagnostics::new()).unwrap();
    let mut check = description.check(&[]);
    for value in values {
        let entry = json!({
            "request": { "method": "GET", "url": "/value" },
            "response": { "status": status, "content": {
                "mimeType": "application/json", "text": value.to_string(),
            }},
        });
        check.entry(&entry.to_string()).unwrap();
    }
    check.findings(1)
}

fn codes(findings: &Findings) -> Vec<(&'static str, &str)> {
    findings.all.iter().map(|finding| (finding.code, finding.pointer.as_str())).collect()
}

const SCHEMA: &str = "/paths/~1value/get/responses/200/content/application~1json/schema";

#[test]
fn the_rules_of_a_union_decide_its_variant() {
    let text = json!({ "type": "string" });
    let items = json!({ "type": "array", "items": {
        "type": "object", "required": ["z"], "properties": { "z": text, "y": text },
    }});
    let schemas = json!({
        "B": { "type": "object", "required": ["id"], "properties": { "id": text } },
        "C": { "type": "object", "required": ["id", "n"], "properties": {
            "id": text, "n": { "type": "integer" }, "items": items,
        }},
    });
    let union = json!({ "oneOf": [
        { "$ref": "#/components/schemas/B" }, { "$ref": "#/components/schemas/C" },
    ]});
    let value = json!({ "id": "1", "n": 3, "items": [{ "y": "q" }] });
    let findings = found("3.0.3", &schemas, &union, &[value]);
    let items = "/components/schemas/C/properties/items/items";
    assert_eq!(codes(&findings), [("missing-property", items)]);
}

#[test]
fn alternatives_win_over_a_type_that_excludes_them() {
    let union = json!({ "type": "object", "oneOf": [{ "type": "string" }, { "type": "integer" }] });
    let findings = found("3.0.3", &json!({}), &union, &[json!("hello"), json!(1)]);
    assert_eq!(codes(&findings), []);
}

#[test]
fn numbers_and_listed_values_are_those_that_the_type_holds() {
    let number = json!({ "type": "number", "format": "int32" });
    let findings = found("3.0.3", &json!({}), &number, &[json!(1.5), json!(2)]);
    assert_eq!(codes(&findings), [("format", SCHEMA)]);
    let listed = json!({ "type": "integer", "format": "int32", "enum": [1, 5_000_000_000_i64] });
    let values = [json!(1), json!(5_000_000_000_i64)];
    assert_eq!(codes(&found("3.0.3", &json!({}), &listed, &values)), []);
}

#[test]
fn the_values_of_a_map_of_objects_are_objects() {
    let schema = json!({ "type": "object", "additionalProperties": { "type": "object" } });
    let values = [json!({ "a": { "b": 1 } }), json!({ "a": "text" })];
    let place = format!("{SCHEMA}/additionalProperties");
    let found = found("3.1.0", &json!({}), &schema, &values);
    assert_eq!(codes(&found), [("other-kind", place.as_str())]);
}

#[test]
fn date_times_are_those_of_rfc_3339() {
    let time = json!({ "type": "string", "format": "date-time" });
    for text in ["2024-01-02 03:04:05Z", "2016-12-31T23:59:60Z"] {
        let findings = found("3.0.3", &json!({}), &time, &[json!(text)]);
        assert_eq!(codes(&findings), [("format", SCHEMA)], "{text}");
    }
    let findings = found("3.0.3", &json!({}), &time, &[json!("2024-01-02T03:04:05Z")]);
    assert_eq!(codes(&findings), []);
}

#[test]
fn an_alternative_next_to_null_has_a_format() {
    for format in ["date-time", "email"] {
        let text = json!({ "type": "string", "format": format });
        let nullable = json!({ "anyOf": [text, { "type": "null" }] });
        let findings = found("3.1.0", &json!({}), &nullable, &[json!("no"), json!(null)]);
        assert_eq!(codes(&findings), [("format", format!("{SCHEMA}/anyOf/0").as_str())]);
        assert!(findings.overlay().unwrap().contains("format"));
    }
}

/// Returns the schemas of a union whose variants a constant names.
fn events() -> (Value, Value) {
    let event = |name: &str, property: &str| {
        json!({ "type": "object", "required": ["type", property], "properties": {
            "type": { "type": "string", "enum": [name] }, property: { "type": "string" },
        }})
    };
    let schemas = json!({ "Login": event("login", "user"), "Payment": event("payment", "amount") });
    let union = json!({ "oneOf": [
        { "$ref": "#/components/schemas/Login" }, { "$ref": "#/components/schemas/Payment" },
    ]});
    (schemas, union)
}

#[test]
fn a_new_variant_is_a_branch_of_its_own() {
    let (schemas, union) = events();
    let refund = json!({ "type": "refund", "reason": "late" });
    let findings = found("3.1.0", &schemas, &union, std::slice::from_ref(&refund));
    assert_eq!(codes(&findings), [("unknown-variant", SCHEMA)]);
    let overlay = findings.overlay().unwrap();
    assert!(!overlay.contains("components") && overlay.contains("- refund"), "{overlay}");

    let mut with = union.clone();
    let branch = json!({ "type": "object", "required": ["reason", "type"], "properties": {
        "type": { "type": "string", "enum": ["refund"] }, "reason": { "type": "string" },
    }});
    with["oneOf"].as_array_mut().unwrap().push(branch);
    let values = [refund, json!({ "type": "login", "user": "a" })];
    assert_eq!(codes(&found("3.1.0", &schemas, &with, &values)), []);
}

#[test]
fn a_variant_that_a_discriminator_would_name_is_not_in_the_overlay() {
    let (schemas, mut union) = events();
    union["discriminator"] = json!({ "propertyName": "type", "mapping": {
        "login": "#/components/schemas/Login", "payment": "#/components/schemas/Payment",
    }});
    let findings = found("3.0.3", &schemas, &union, &[json!({ "type": "refund" })]);
    assert_eq!(codes(&findings), [("unknown-variant", SCHEMA)]);
    assert_eq!(findings.overlay(), None);
}

#[test]
fn another_kind_changes_the_reference_and_not_the_component() {
    for version in ["3.0.3", "3.1.0"] {
        let user = json!({ "type": "object", "properties": { "id": { "type": "string" } } });
        let reference = json!({ "$ref": "#/components/schemas/User" });
        let values = [json!([{ "id": "1" }])];
        let findings = found(version, &json!({ "User": user }), &reference, &values);
        assert_eq!(codes(&findings), [("other-kind", SCHEMA)]);
        let overlay = findings.overlay().unwrap();
        assert!(!overlay.contains("\"components\"") && overlay.contains("anyOf"), "{overlay}");
    }
}

#[test]
fn a_status_that_no_document_can_declare_is_not_in_the_overlay() {
    let received = |status| received(status, "3.0.3", &json!({}), &json!({}), &[json!({})]);
    assert_eq!(received(600).all[0].code, "unknown-status");
    assert_eq!(received(600).overlay(), None);
    assert!(received(599).overlay().is_some());
}

/// In OpenAPI 3.0, `nullable` has no effect next to alternatives.
#[test]
fn a_null_next_to_another_kind_is_allowed_by_an_alternative() {
    for (schema, values) in [
        (json!({ "type": "array", "items": {} }), [json!(null), json!({})]),
        (json!({ "type": "array", "items": {}, "nullable": true }), [json!([]), json!({})]),
    ] {
        let overlay = found("3.0.3", &json!({}), &schema, &values).overlay().unwrap();
        let alternatives = "anyOf:\n    - type: array\n      nullable: true\n    - type: object";
        assert!(overlay.contains(alternatives), "{overlay}");
    }
}
