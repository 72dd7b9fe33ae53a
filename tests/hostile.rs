//! Hostile texts: no text of a spec is run or rendered as HTML.

use std::path::Path;

use codegen::Source;
use serde_json::json;

use crate::support::case::Case;
use crate::support::workspace::Workspace;

/// Code that a doctest would run, in every form that Markdown allows.
const PAYLOAD: &str = "A \u{202e}text <img src=x onerror=alert(1)> of [Thing] and <https://x.example/<img onerror=y>.\n\n\
    ```\npanic!(\"executed\");\n```\n\n~~~standalone_crate\npanic!(\"executed\");\n~~~\n\n    panic!(\"executed\");\n\n\
    > ```rust\n> panic!(\"executed\");\n\nOptions:\n\n    - one\n\n*/ \"##\n```";

#[test]
fn no_text_of_a_spec_is_executed() {
    let case = Case {
        name: "hostile".to_owned(),
        source: Source { name: "openapi.json".to_owned(), text: hostile().to_string() },
    };
    let output = case.output();
    let written = output.files.iter().filter(|file| Path::new(&file.path).extension().is_some());
    for file in written {
        let hidden = |char: char| char != '\n' && (char.is_control() || char == '\u{202e}');
        assert!(!file.text.contains(hidden), "{}", file.path);
    }
    let mut workspace = Workspace::new("hostile");
    workspace.add("hostile", &output.files);
    workspace.finish();
    // The only programs are the emitter's own: one in each of the crate's examples, and one for each operation.
    let tests = workspace.output(&[
        "test",
        "--doc",
        "--no-default-features",
        "--features=client",
        "--",
        "--format=terse",
    ]);
    let messages = String::from_utf8_lossy(&tests.stdout).into_owned();
    let errors = String::from_utf8_lossy(&tests.stderr);
    assert!(messages.contains("running 4 tests"), "{messages}\n{errors}");
    assert!(tests.status.success(), "{messages}\n{errors}");
    if let Err(messages) =
        workspace.cargo(&["doc", "--no-default-features", "--features=client", "--no-deps"])
    {
        panic!("{messages}");
    }
}

/// Returns a document with the payload in every text.
fn hostile() -> serde_json::Value {
    let string = json!({ "type": "string", "title": PAYLOAD, "description": PAYLOAD });
    json!({
        "openapi": "3.1.1",
        "info": { "title": PAYLOAD, "version": PAYLOAD, "summary": PAYLOAD, "description": PAYLOAD },
        "servers": [{ "url": "https://x.example/\"##\n```\npanic!()", "description": PAYLOAD }],
        "tags": [{ "name": PAYLOAD, "description": PAYLOAD }],
        "externalDocs": { "url": "https://x.example", "description": PAYLOAD },
        "paths": {
            "/<img onerror=x>/```/[Thing]/{id}": {
                "summary": PAYLOAD,
                "description": PAYLOAD,
                "put": {
                    "operationId": "things.replace ```\n<b>",
                    "tags": [PAYLOAD],
                    "summary": PAYLOAD,
                    "description": PAYLOAD,
                    "parameters": [
                        { "name": "id", "in": "path", "required": true, "description": PAYLOAD, "schema": string },
                        { "name": "no\u{a0}break ```", "in": "query", "description": PAYLOAD, "schema": string },
                    ],
                    "requestBody": {
                        "description": PAYLOAD,
                        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } },
                    },
                    "responses": {
                        "200": {
                            "description": PAYLOAD,
                            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } },
                        },
                    },
                },
            },
            "/rows": {
                "get": {
                    "operationId": "rows.list",
                    "description": PAYLOAD,
                    "parameters": [{ "name": "page_token", "in": "query", "description": PAYLOAD, "schema": string }],
                    "responses": {
                        "200": {
                            "description": PAYLOAD,
                            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Page" } } },
                        },
                    },
                },
            },
        },
        "components": {
            "schemas": {
                "Page": {
                    "type": "object",
                    "properties": {
                        "list": { "type": "array", "items": { "$ref": "#/components/schemas/Row" } },
                        "nextPageToken": string,
                        "expanded": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "properties": { "@type": string },
                                "additionalProperties": true,
                            },
                        },
                    },
                },
                "Row": { "type": "object", "properties": { "ownerPath": string, "things": { "type": "array", "items": string } } },
                "Thing": {
                    "type": "object",
                    "title": PAYLOAD,
                    "description": PAYLOAD,
                    "properties": {
                        "a ```\n<b>": string,
                        "no\u{a0}break": string,
                        "inline": { "type": "object", "description": PAYLOAD, "properties": { "b": string } },
                        "kind": { "type": "string", "description": PAYLOAD, "enum": ["```\n<b> [Thing]", "\u{202e}"] },
                        "one": {
                            "description": PAYLOAD,
                            "oneOf": [{ "type": "object", "required": ["x"], "properties": { "x": string } }],
                        },
                    },
                },
            },
        },
    })
}
