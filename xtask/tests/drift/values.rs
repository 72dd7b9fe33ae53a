//! What `drift` says of a value is what the crate does with it.

use codegen::Source;
use codegen::diagnostics::Diagnostics;
use serde_json::{Value, json};
use traffic::{Description, Findings};

/// Checks replies with values, of a document whose only reply has a schema.
fn found(status: u16, schema: &Value, values: &[Value]) -> Findings {
    let text = json!({
        "openapi": "3.0.3",
        "info": { "title": "Values", "version": "1" },
        "paths": { "/value": { "get": { "responses": { "200": {
            "description": "The value.",
            "content": { "application/json": { "schema": schema } },
        }}}}},
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

fn codes(schema: &Value, values: &[Value]) -> Vec<&'static str> {
    found(200, schema, values).all.iter().map(|finding| finding.code).collect()
}

#[test]
fn alternatives_win_over_a_type_that_excludes_them() {
    let of_types = json!([{ "type": "string" }, { "type": "integer" }]);
    let union = json!({ "type": "object", "oneOf": of_types });
    let nothing: [&str; 0] = [];
    assert_eq!(codes(&union, &[json!("hello"), json!(1)]), nothing);
    assert_eq!(codes(&union, &[json!({})]), ["other-kind"]);
}

#[test]
fn numbers_are_those_that_the_type_holds_or_the_enum_lists() {
    let number = json!({ "type": "number", "format": "int32" });
    assert_eq!(codes(&number, &[json!(1.5), json!(2), json!(2.0)]), ["format"]);
    let listed = json!({ "type": "integer", "format": "int32", "enum": [1, 5_000_000_000_i64] });
    let nothing: [&str; 0] = [];
    assert_eq!(codes(&listed, &[json!(1), json!(5_000_000_000_i64)]), nothing);
}

#[test]
fn date_times_are_those_of_rfc_3339() {
    let time = json!({ "type": "string", "format": "date-time" });
    for text in ["2024-01-02 03:04:05Z", "2016-12-31T23:59:60Z"] {
        assert_eq!(codes(&time, &[json!(text)]), ["format"], "{text}");
    }
    let nothing: [&str; 0] = [];
    assert_eq!(codes(&time, &[json!("2024-01-02T03:04:05Z")]), nothing);
}

#[test]
fn a_status_that_no_document_can_declare_is_not_in_the_overlay() {
    let findings = found(600, &json!({}), &[json!({})]);
    assert_eq!(findings.all[0].code, "unknown-status");
    assert_eq!(findings.overlay(), None);
    assert!(found(599, &json!({}), &[json!({})]).overlay().is_some());
}
