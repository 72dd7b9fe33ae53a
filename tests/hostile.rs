//! Hostile texts and names: no text of a spec is run or rendered as HTML, and no name shadows what emitted code uses.

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
    // The only programs are the emitter's own: one in each of the crate's five examples, and one for each operation.
    let tests =
        workspace.output(&["test", "--doc", "--no-default-features", "--", "--format=terse"]);
    let messages = String::from_utf8_lossy(&tests.stdout).into_owned();
    let errors = String::from_utf8_lossy(&tests.stderr);
    assert!(messages.contains("running 7 tests"), "{messages}\n{errors}");
    assert!(tests.status.success(), "{messages}\n{errors}");
    if let Err(messages) = workspace.cargo(&["doc", "--no-default-features", "--no-deps"]) {
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

/// Names of all items that emitted code uses or defines.
const NAMES: &str = "AsRef BTreeMap Box By Call Client ClientBuilder Clone Copy Core Debug Default Deserialize Display \
    Error From FromStr Internal Into IntoIterator IntoList Items Iterator Map Method Model Models None \
    Ok Operation Option Ord Output Paged Pages Param PartialEq Request Resources Response Result Runtime \
    Secret Self Sending Serialize Service Some Std String Super Timestamp UnknownProperties UnknownUnion UnknownVariant \
    UnknownValue Value Vec Wire";

#[test]
fn no_name_of_a_spec_shadows_an_item_of_emitted_code() {
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let mut schemas = serde_json::Map::new();
    let properties = NAMES.split(' ').map(|name| (name.to_lowercase(), reference(name)));
    let properties: serde_json::Map<_, _> = properties.collect();
    for name in NAMES.split(' ') {
        let schema = json!({
            "type": "object",
            "required": ["id", "value"],
            "properties": {
                "id": { "type": "string", "readOnly": true },
                "value": { "type": "array", "items": { "type": "string" } },
                "at": { "type": "string", "format": "date-time" },
                "map": { "type": "object", "additionalProperties": { "type": "string" } },
                "next": reference("Option"),
            },
        });
        schemas.insert(name.to_owned(), schema);
    }
    schemas.insert("All".to_owned(), json!({ "type": "object", "properties": properties }));
    let arguments =
        ["id", "call", "body", "value", "self", "client", "internal", "runtime", "into", "by"];
    let parameters = arguments.map(|name| {
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } })
    });
    let content = |name: &str| json!({ "application/json": { "schema": reference(name) } });
    let path = format!("/{}", arguments.map(|name| format!("{{{name}}}")).join("/"));
    let operation = |name: &str, parameters: &[serde_json::Value]| {
        json!({
            "operationId": format!("{}.{name}", name.to_lowercase()),
            "parameters": parameters,
            "requestBody": { "required": true, "content": content(name) },
            "responses": { "200": { "description": "Done.", "content": content("All") } },
        })
    };
    let mut paths = serde_json::Map::new();
    paths.insert(path, json!({ "post": operation("All", &parameters) }));
    for name in NAMES.split(' ') {
        let path = format!("/{}/{{id}}", name.to_lowercase());
        paths.insert(path, json!({ "put": operation(name, &parameters[..1]) }));
    }
    let document = json!({
        "openapi": "3.1.1",
        "info": { "title": "Names", "version": "1.0.0" },
        "paths": paths,
        "components": { "schemas": schemas },
    });
    let source = Source { name: "openapi.json".to_owned(), text: document.to_string() };
    let case = Case { name: "shadows".to_owned(), source };
    let mut workspace = Workspace::new("shadows");
    workspace.add("shadows", &case.output().files);
    workspace.finish();
    if let Err(messages) = workspace.cargo(&["clippy", "--no-default-features", "--", "-Dwarnings"])
    {
        panic!("{messages}");
    }
}
