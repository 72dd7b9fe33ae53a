//! The documentation of emitted crates shows what their operations have.

use codegen::Source;
use serde_json::json;

use crate::support::case::{Case, documents};

#[test]
fn examples_of_errors_and_edits_are_those_of_the_crate() {
    for path in documents("cases") {
        let case = Case::read(&path);
        let files = case.output().files;
        let count = |path: &str, text: &str| -> usize {
            let files = files.iter().filter(|file| file.path.starts_with(path));
            files.map(|file| file.text.matches(text).count()).sum()
        };
        let is_failing = count("src/resources/", "FailingEndpoint for") > 0;
        assert_eq!(count("src/lib.rs", "failure::<") > 0, is_failing, "{}", case.name);
        let [edits, examples] =
            ["EditEndpoint for", ".set_mask([models::"].map(|text| count("src/resources/", text));
        assert_eq!(edits, examples, "{}", case.name);
    }
}

/// The crate sends what it is given: only the documentation of what requests carry says what servers accept.
#[test]
fn the_limits_of_values_are_documented_in_one_line() {
    for (schema, expected) in [
        (json!({ "type": "integer", "minimum": 1, "maximum": 100 }), "From 1 to 100."),
        (json!({ "type": "integer", "minimum": 3 }), "At least 3."),
        (
            json!({ "type": "number", "minimum": 0, "multipleOf": 0.01 }),
            "At least 0. A multiple of `0.01`.",
        ),
        (json!({ "type": "integer", "multipleOf": 1 }), ""),
        (
            json!({ "type": "integer", "format": "uint32", "minimum": 0, "maximum": 9 }),
            "At most 9.",
        ),
        (json!({ "type": "integer", "minimum": -2_147_483_648, "maximum": 2_147_483_647 }), ""),
        (
            json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 0.5 }),
            "More than 0, at most 0.5.",
        ),
        (
            json!({ "type": "integer", "default": 5, "example": 7 }),
            "For example `7`. The default is `5`.",
        ),
        (json!({ "type": "integer", "default": 5, "example": 5 }), "The default is `5`."),
        (json!({ "type": "string", "minLength": 1 }), "At least 1 character."),
        (json!({ "type": "string", "minLength": 2, "maxLength": 2 }), "Exactly 2 characters."),
        (
            json!({ "type": "string", "minLength": 0, "maxLength": 5, "pattern": "^[a-z]+$", "examples": ["abc"] }),
            "At most 5 characters. Matches `^[a-z]+$`. For example `abc`.",
        ),
        // There is no room for the example.
        (
            json!({ "type": "string", "pattern": "a".repeat(70), "example": "b".repeat(20) }),
            &format!("Matches `{}`.", "a".repeat(70)),
        ),
        (
            json!({ "type": "array", "items": { "type": "string" }, "maxItems": 1 }),
            "At most 1 item.",
        ),
        (json!({ "$ref": "#/components/schemas/Size" }), "From 1 to 9."),
        (json!({ "type": "string", "enum": ["a"], "maxLength": 5, "example": "a" }), ""),
        (
            json!({ "type": "string", "format": "password", "minLength": 8, "example": "b", "default": "c" }),
            "At least 8 characters.",
        ),
        (
            json!({ "type": "integer", "minimum": 1, "maximum": 10, "description": "1 to 10." }),
            "1 to 10.",
        ),
        (json!({ "type": "integer", "maximum": 10, "description": "V10." }), "V10. At most 10."),
    ] {
        let schemas = json!({
            "Model": { "type": "object", "properties": { "it": schema } },
            "Received": { "type": "object", "properties": { "it": schema } },
            "Size": { "type": "integer", "minimum": 1, "maximum": 9 },
        });
        let content = |name: &str| {
            let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
            json!({ "application/json": { "schema": schema } })
        };
        let parameter = json!({ "name": "it", "in": "query", "schema": schema });
        let replies =
            json!({ "200": { "description": "A reply.", "content": content("Received") } });
        let operation = json!({ "tags": ["all"], "parameters": [parameter], "responses": replies });
        let body = json!({ "content": content("Model") });
        let sending = json!({ "tags": ["all"], "requestBody": body, "responses": replies });
        let text = json!({
            "openapi": "3.1.1",
            "info": { "title": "Limits", "version": "1" },
            "paths": { "/all": { "get": operation, "put": sending } },
            "components": { "schemas": schemas },
        });
        let source = Source { name: "openapi.json".to_owned(), text: text.to_string() };
        let files = Case { name: "limits".to_owned(), source }.output().files;
        let default = schema["default"].as_u64().map(|it| format!("The default is `{it}`."));
        let described = schema["description"].as_str().map(str::to_owned);
        let received = described.into_iter().chain(default).collect::<Vec<_>>().join(" ");
        for (path, item, expected) in [
            ("src/models/model.rs", "pub it:", expected),
            ("src/models/received.rs", "pub it:", &received),
            ("src/resources/all.rs", "pub fn it(", expected),
        ] {
            let text = &files.iter().find(|file| file.path == path).unwrap().text;
            let lines = text.split_once(item).unwrap().0.trim_end().lines().rev();
            let docs = lines
                .skip_while(|line| line.trim().starts_with("#["))
                .map_while(|line| line.trim().strip_prefix("///"));
            let mut docs: Vec<_> = docs.map(str::trim).filter(|line| !line.is_empty()).collect();
            docs.reverse();
            assert_eq!(docs.join(" "), expected, "{path}: {schema}");
        }
    }
}
