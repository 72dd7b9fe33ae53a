//! The data of server-sent events, by the schemas of the events.

use std::fmt::Write as _;

use codegen::Source;
use serde_json::{Value, json};

use crate::support::case::Case;

/// Returns the type of the events that a schema describes, and the variants of their data.
fn emitted(keyword: &str, item: &Value) -> String {
    let content = json!({ "text/event-stream": { keyword: item } });
    let responses = json!({ "200": { "description": "Events.", "content": content } });
    let schemas = json!({
        "Login": { "type": "object", "properties": { "user": { "type": "string" } } },
        "Named": { "required": ["event"], "properties": { "event": { "type": "string" } } },
        "Note": { "properties": { "event": { "const": "note" }, "data": { "type": "string" } } },
        "Event": { "oneOf": [
            { "$ref": "#/components/schemas/LoginEvent" }, { "$ref": "#/components/schemas/LogoutEvent" },
        ] },
        "LoginEvent": {
            "allOf": [{ "$ref": "#/components/schemas/Event" }],
            "properties": { "event": { "const": "login" }, "data": { "$ref": "#/components/schemas/Login" } },
        },
        "LogoutEvent": {
            "allOf": [{ "$ref": "#/components/schemas/Event" }],
            "properties": { "event": { "const": "logout" }, "data": { "type": "integer" } },
        },
        "Notes": { "anyOf": [{ "$ref": "#/components/schemas/Note" }] },
    });
    let text = json!({
        "openapi": "3.2.0",
        "info": { "title": "Events", "version": "1" },
        "paths": { "/events": { "get": { "operationId": "watch", "responses": responses } } },
        "components": { "schemas": schemas },
    });
    let source = Source { name: "openapi.json".to_owned(), text: text.to_string() };
    let files = Case { name: "events".to_owned(), source }.output().files;
    let api = &files.iter().find(|file| file.path == "api.txt").unwrap().text;
    let (_, method) = api.split_once("fn events(self) -> runtime::").unwrap();
    let mut shown = method.lines().next().unwrap().replace("models::", "");
    let data = api.split_once("EventData: Clone").map(|(_, data)| data);
    let variants = data.into_iter().flat_map(|data| data.lines().skip(1));
    for variant in variants.take_while(|line| line.starts_with(' ') && line.contains(" as ")) {
        write!(shown, ", {}", variant.trim().replace("models::", "")).unwrap();
    }
    shown
}

#[test]
fn the_names_of_events_decide_the_types_of_their_data() {
    let login = || json!({ "$ref": "#/components/schemas/Login" });
    let event = |name: Value, data: Value| json!({ "properties": { "event": name, "data": data } });
    let named = |name: &str, data: Value| event(json!({ "const": name }), data);
    let unnamed = |data: Value| json!({ "properties": { "data": data } });
    let text = || json!({ "type": "string" });
    let content =
        |media_type: &str| json!({ "contentMediaType": media_type, "contentSchema": login() });
    let one_of = |alternatives: &[Value]| json!({ "oneOf": alternatives });
    let base = || event(text(), json!({}));
    let with_base = |parts: Vec<Value>, mut own: Value| {
        own["allOf"] = parts.into();
        own
    };
    for (item, expected) in [
        (unnamed(login()), "Events<Login>"),
        (unnamed(json!({ "enum": ["on", "off"] })), "Events<String>"),
        (unnamed(json!({ "type": "string", "contentSchema": login() })), "Events<Login>"),
        (unnamed(content("text/plain")), "Events<String>"),
        (one_of(&[named("a", login()), named("b", login())]), "Events<Login>"),
        (one_of(&[unnamed(login()), unnamed(json!({ "const": "[DONE]" }))]), "Events<Login>"),
        (one_of(&[named("a", login()), named("a", text())]), "Events<String>"),
        (one_of(&[unnamed(login()), unnamed(text())]), "Events<String>"),
        (one_of(&[unnamed(login()), named("message", text())]), "Events<String>"),
        (
            one_of(&[named("a", login()), unnamed(text())]),
            "Events<WatchEventData>, A(Login) as \"a\", Message(String) as \"message\"",
        ),
        (
            one_of(&[
                event(json!({ "enum": ["a", "b"] }), login()),
                named("c", json!({ "format": "int64" })),
            ]),
            "Events<WatchEventData>, A(Login) as \"a\", B(Login) as \"b\", C(String) as \"c\"",
        ),
        (
            json!({
                "allOf": [{ "$ref": "#/components/schemas/Named" }],
                "oneOf": [named("a.b", content("application/json")), { "$ref": "#/components/schemas/Notes" }],
            }),
            "Events<WatchEventData>, AB(Login) as \"a.b\", Note(String) as \"note\"",
        ),
        // What a base says less of its events replaces nothing, wherever it is.
        (
            one_of(&[
                with_base(vec![base()], named("a", login())),
                with_base(vec![named("b", text()), base()], json!({})),
            ]),
            "Events<WatchEventData>, A(Login) as \"a\", B(String) as \"b\"",
        ),
        // The branches of a union can extend it.
        (
            json!({ "$ref": "#/components/schemas/Event" }),
            "Events<EventData>, Login(Login) as \"login\", Logout(i64) as \"logout\"",
        ),
    ] {
        assert_eq!(emitted("itemSchema", &item), expected, "{item}");
    }
}

/// The `schema` of an older document describes events if most alternatives have no other properties, and else their data.
#[test]
fn events_of_older_documents_have_few_other_properties() {
    let event = |name: &str, ty: &str, other: &str| json!({ "properties": { "event": { "const": name }, "data": { "type": ty }, other: {} } });
    for (others, expected) in [
        (
            ["id", "id", "on"],
            "Events<WatchEventData>, A(i64) as \"a\", B(bool) as \"b\", C(i64) as \"c\"",
        ),
        (["id", "on", "on"], "Events<WatchEvent>"),
    ] {
        let [a, b, c] = others;
        let events = [event("a", "integer", a), event("b", "boolean", b), event("c", "integer", c)];
        assert_eq!(emitted("schema", &json!({ "oneOf": events })), expected, "{others:?}");
    }
}

/// Parts that have several alternatives each do not multiply them without end.
#[test]
fn the_alternatives_of_events_are_limited() {
    let part = |part: usize| {
        let event = |number: usize| json!({ "properties": { "event": { "const": format!("{part}-{number}") } } });
        json!({ "oneOf": (0..20).map(event).collect::<Vec<_>>() })
    };
    let data = json!({ "data": { "type": "integer" } });
    let item = json!({ "properties": data, "allOf": (0..20).map(part).collect::<Vec<_>>() });
    assert_eq!(emitted("itemSchema", &item), "Events<i64>");
}
