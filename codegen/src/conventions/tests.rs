//! Settings that do not fit a document.

use std::fmt::Write as _;

use super::{Conventions, Wait};
use crate::diagnostics::render;
use crate::{Settings, Source, generate};

const DOCUMENT: &str = r##"{
    "openapi": "3.1.0",
    "info": {"title": "Tasks", "version": "1"},
    "paths": {"/tasks/{id}": {"get": {
        "operationId": "tasks.get",
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
        "responses": {"200": {
            "description": "A task.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Reply"}}}
        }}
    }}},
    "components": {"schemas": {
        "Reply": {"type": "object", "properties": {"task": {"$ref": "#/components/schemas/Task"}}},
        "Task": {"type": "object", "properties": {
            "state": {"type": "string", "enum": ["OPEN", "CLOSED"]},
            "note": {"type": "string"},
            "done": {"type": "boolean"},
            "step": {"type": "integer"},
            "labels": {"type": "array", "items": {"type": "string"}}
        }}
    }}
}"##;

/// Returns the errors of a wait in `codegen.toml`.
fn errors(operation: &str, property: &str, values: &[&str]) -> String {
    let mut file = format!("[[wait]]\noperation = {operation:?}\nproperty = {property:?}\n");
    let _ = writeln!(file, "values = {values:?}");
    let wait = Wait {
        operation: operation.to_owned(),
        property: property.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let settings = Settings {
        conventions: Conventions { waits: vec![wait], ..Conventions::default() },
        file: Some(("codegen.toml".to_owned(), file)),
        ..Settings::default()
    };
    let source = Source { name: "openapi.json".to_owned(), text: DOCUMENT.to_owned() };
    let outcome = generate(&source, &settings);
    assert_eq!(outcome.output.is_none(), outcome.diagnostics.has_errors());
    render(&outcome.diagnostics, false)
}

#[test]
fn waits_that_can_end_are_accepted() {
    for (property, values) in [
        ("task", &[][..]),
        ("task.labels", &[]),
        ("task.state", &["CLOSED", "OPEN"]),
        ("task.note", &["anything"]),
        ("task.done", &["false"]),
        ("task.step", &["-7"]),
    ] {
        assert_eq!(errors("tasks.get", property, values), "", "{property}");
    }
}

#[test]
fn waits_that_cannot_end_are_errors_with_their_place() {
    for (operation, property, values, expected) in [
        (
            "tasks.gte",
            "task",
            &[][..],
            "the document has no such operation\n --> codegen.toml:2:14",
        ),
        (
            "tasks.get",
            "task.sate",
            &[],
            "the response of `tasks.get` has no `sate`\n --> codegen.toml:3:13",
        ),
        (
            "tasks.get",
            "task.note.x",
            &[],
            "the response of `tasks.get` has no `x`\n --> codegen.toml:3:13",
        ),
        (
            "tasks.get",
            "task.state",
            &["CLOSED", "CLOSD"],
            "`task.state` is never `CLOSD`\n --> codegen.toml:4:22",
        ),
        ("tasks.get", "task.done", &["yes"], "`task.done` is never `yes`\n --> codegen.toml:4:12"),
        ("tasks.get", "task.step", &["7.5"], "`task.step` is never `7.5`\n --> codegen.toml:4:12"),
        ("tasks.get", "task", &["{}"], "`task` is never `{}`\n --> codegen.toml:4:12"),
        ("tasks.get", "task.labels", &["a"], "`task.labels` is never `a`\n --> codegen.toml:4:12"),
    ] {
        let errors = errors(operation, property, values);
        assert!(errors.starts_with(&format!("error[convention]: {expected}")), "{errors}");
    }
}

/// The name in Rust means nothing, neither of the mask nor of another property.
#[test]
fn update_masks_are_found_by_their_name_on_the_wire() {
    for (properties, expected) in [
        (
            r#""updateMask": {"type": "string", "x-rust-name": "fields"}"#,
            "BodyText(\"updateMask\")",
        ),
        (
            r#""field_mask": {"type": "array", "items": {"type": "string"}, "x-rust-name": "fields"}"#,
            "BodyList(\"field_mask\")",
        ),
        (
            r#""taskUpdateMask": {"type": "object", "properties": {
                "paths": {"type": "array", "items": {"type": "string"}, "x-rust-name": "names"}
            }}"#,
            "BodyPaths(\"taskUpdateMask\")",
        ),
        (r#""fields": {"type": "string", "x-rust-name": "update_mask"}"#, ""),
    ] {
        let body =
            format!(r##"{{"task": {{"$ref": "#/components/schemas/Task"}}, {properties}}}"##);
        let body = format!(r#"{{"type": "object", "properties": {body}}}"#);
        let text = DOCUMENT.replacen(
            r#""get": {"#,
            &format!(
                r#""patch": {{
                    "operationId": "tasks.update",
                    "requestBody": {{"content": {{"application/json": {{"schema": {body}}}}}}},
                    "responses": {{"204": {{"description": "Updated."}}}}
                }}, "get": {{"#
            ),
            1,
        );
        let source = Source { name: "openapi.json".to_owned(), text };
        let output = generate(&source, &Settings::default()).output;
        let files = output.into_iter().flat_map(|output| output.files);
        let places: Vec<String> = files
            .filter(|file| file.path.starts_with("src/resources/"))
            .flat_map(|file| {
                let places = file.text.split("MaskPlace::").skip(1);
                places
                    .filter_map(|place| Some(place.split(',').next()?.to_owned()))
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(places.concat(), expected, "{properties}");
    }
}
