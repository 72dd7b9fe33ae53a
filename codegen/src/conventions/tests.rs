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

/// Returns the file of the model `Reply`, with waits for `tasks.get` and for `tasks.list`, which returns the same model.
fn reply(ends: &[(&str, &str)], document: &str) -> String {
    let wait = |(operation, value): &(&str, &str)| Wait {
        operation: (*operation).to_owned(),
        property: "task.state".to_owned(),
        values: vec![(*value).to_owned(), "OPEN".to_owned()],
    };
    let waits = ends.iter().map(wait).collect();
    let settings = Settings {
        conventions: Conventions { waits, ..Conventions::default() },
        ..Settings::default()
    };
    let list = r##""/tasks": {"get": {"operationId": "tasks.list", "responses": {"200": {"description": "All.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Reply"}}}}}}}, "/tasks/{id}""##;
    let text = document.replacen(r#""/tasks/{id}""#, list, 1);
    let outcome = generate(&Source { name: "openapi.json".to_owned(), text }, &settings);
    let files = outcome.output.map(|output| output.files).unwrap_or_default();
    let file = files.into_iter().find(|file| file.path == "src/models/reply.rs");
    file.map(|file| file.text).unwrap_or_default()
}

#[test]
fn replies_tell_whether_a_wait_has_ended() {
    let of_one = reply(&[("tasks.get", "CLOSED")], DOCUMENT);
    assert!(of_one.contains("/// Returns whether `task.state` is `CLOSED` or `OPEN`, which ends"));
    let of_two = reply(&[("tasks.get", "CLOSED"), ("tasks.list", "CLOSED")], DOCUMENT);
    assert_eq!(of_two.matches("pub fn is_finished(&self) -> bool").count(), 1);
    let different = reply(&[("tasks.get", "CLOSED"), ("tasks.list", "OPEN")], DOCUMENT);
    assert!(different.contains("pub struct Reply") && !different.contains("is_finished"));
    let taken = DOCUMENT.replacen(
        r#""properties": {"#,
        r#""properties": {"isFinished": {"type": "boolean"},"#,
        1,
    );
    let own = reply(&[("tasks.get", "CLOSED")], &taken);
    assert!(own.contains("is_finished: Option<bool>") && !own.contains("-> bool"), "{own}");
}
