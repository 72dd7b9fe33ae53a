//! Where lists have their items, and how they are continued.

use codegen::diagnostics::Code;
use codegen::{Input, Outcome, Settings, Source};
use serde_json::{Value, json};

#[test]
fn items_are_found_in_the_objects_of_a_reply() {
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let integer = || json!({ "type": "integer" });
    let cursor = || object(json!({ "next_cursor": { "type": "string" } }));
    let enveloped = || object(json!({ "total": integer(), "list": texts() }));
    let links = || object(json!({ "next": { "type": "string", "format": "uri" } }));
    let either =
        || json!({ "anyOf": [texts(), { "type": "array", "items": { "type": "object" } }] });
    let by_page =
        |list: &str, total: &str| format!("{list} by page in query \"page\" from 1{total}");
    for (reply, expected) in [
        (
            json!({ "code": integer(), "data": enveloped() }),
            by_page("data.list", " to \"data.total\""),
        ),
        (json!({ "page": enveloped() }), by_page("page.list", " to \"page.total\"")),
        (
            json!({ "errors": texts(), "data": enveloped() }),
            by_page("data.list", " to \"data.total\""),
        ),
        (json!({ "rows": texts(), "data": enveloped() }), by_page("rows", "")),
        (
            json!({ "meta": cursor(), "result": object(json!({ "members": texts() })) }),
            "result.members in query \"cursor\"".to_owned(),
        ),
        // Only the settings say which of two lists it is.
        (json!({ "data": object(json!({ "a": texts(), "b": texts() })) }), String::new()),
        (
            json!({ "data": object(json!({ "a": texts(), "set": texts() })) }),
            by_page("data.set", ""),
        ),
        (
            json!({ "rows": texts(), "data": object(json!({ "set": texts() })) }),
            by_page("data.set", ""),
        ),
        (json!({ "content": texts(), "sort": texts() }), by_page("content", "")),
        (json!({ "data": texts(), "rows": texts() }), by_page("data", "")),
        (
            json!({ "data": texts(), "nextPageToken": { "type": "string" } }),
            "data no parameter takes the token of the next page in `nextPageToken`".to_owned(),
        ),
        // A list of messages has no items, unless the path says so.
        (json!({ "data": { "type": "object" }, "errors": texts() }), String::new()),
        (json!({ "warnings": texts() }), String::new()),
        (json!({ "data": either(), "errors": texts() }), String::new()),
        (json!({ "data": either(), "rows": texts() }), String::new()),
        (json!({ "included": texts(), "things": texts() }), by_page("things", "")),
        (json!({ "all": texts(), "links": texts() }), by_page("all", "")),
    ] {
        assert_eq!(paging("/all", "integer", &reply), expected, "{reply}");
    }
    let reply = json!({ "links": links(), "profile": object(json!({ "roles": texts() })) });
    assert_eq!(paging("/me", "string", &reply), "");
    let reply = json!({ "links": links(), "errors": texts(), "profile": object(json!({ "roles": texts() })) });
    assert_eq!(paging("/me", "string", &reply), "");
    let reply = json!({ "errors": texts() });
    assert_eq!(paging("/errors", "integer", &reply), by_page("errors", ""));
}

#[test]
fn pages_can_be_counted_by_numbers_of_any_type() {
    let reply = json!({ "data": { "type": "array", "items": {} } });
    assert_eq!(paging("/all", "number", &reply), "data by page in query \"page\" from 1");
    assert_eq!(paging("/all", "string", &reply), "");
}

#[test]
fn pages_are_continued_by_links_in_lists_and_objects() {
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    let text = || json!({ "type": "string" });
    let links = |relation: &str, url: &str, kind: Value| {
        let link = json!({ "type": "object", "properties": { relation: kind, url: text() } });
        json!({ "type": "array", "items": link })
    };
    let by = |list: &str, url: &str| format!("{list} by URL in {url:?}");
    let by_page = |list: &str| format!("{list} by page in query \"page\" from 1");
    let known = |value: &str| json!({ "enum": ["self", value] });
    let link = json!({ "oneOf": [{ "type": "object", "properties": { "href": text() } }, text()] });
    let of_link = json!({ "type": "object", "properties": { "next": link } });
    let rel = || links("rel", "href", text());
    for (reply, expected) in [
        (json!({ "links": rel(), "features": texts() }), by("features", "links[rel=next].href")),
        (
            json!({ "link": links("relation", "url", known("next")), "entry": texts() }),
            by("entry", "link[relation=next].url"),
        ),
        (
            json!({ "meta": { "properties": { "links": rel() } }, "all": texts() }),
            by("all", "meta.links[rel=next].href"),
        ),
        (json!({ "links": of_link, "data": texts() }), by("data", "links.next.href")),
        (json!({ "links": links("rel", "href", known("up")), "rows": texts() }), by_page("rows")),
        // Only the settings say that these links, and that the next one, are about pages.
        (
            json!({ "edges": links("name", "to", text()), "tags": texts() }),
            by("tags", "edges[name=more].to"),
        ),
        (json!({ "edges": rel(), "rows": texts() }), by_page("rows")),
        // What has links to other resources is no page of its lists.
        (json!({ "links": rel(), "tags": texts() }), by_page("tags")),
    ] {
        assert_eq!(paging("/all", "integer", &reply), expected, "{reply}");
    }
    let reply = json!({ "links": rel(), "items": texts() });
    assert_eq!(paging("/all/{id}", "integer", &reply), by_page("items"));
}

/// The options of a setting were its pages, because its reply has links to what describes it.
#[test]
fn one_object_with_links_is_no_page() {
    let reply = |list: &str| json!({ list: { "type": "array", "items": {} } });
    assert_eq!(paging("/all/{link}", "string", &reply("tags")), "");
    assert_eq!(paging("/all/{link}", "string", &reply("results")), "results by header \"Link\"");
    assert_eq!(paging("/all?link", "string", &reply("tags")), "tags by header \"Link\"");
}

#[test]
fn lists_that_are_no_items_are_noted() {
    let list = |items: &str| json!({ "type": "array", "items": { "type": items } });
    let either = json!({ "oneOf": [list("string"), list("object")] });
    let notes = |reply: &Value| {
        let diagnostics = generated("/all", "integer", reply).diagnostics;
        diagnostics.iter().map(|it| it.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        notes(&json!({ "data": either, "errors": list("string") })),
        ["the items of a page are in one of several lists: `data`"]
    );
    assert_eq!(
        notes(&json!({ "a": list("string"), "b": list("string") })),
        ["several lists can be the items of a page: `a`, `b`"]
    );
    assert_eq!(notes(&json!({ "errors": list("string") })), [""; 0]);
}

/// Returns how the reply of a GET is continued, and where it has its items.
fn paging(path: &str, ty: &str, properties: &Value) -> String {
    let Outcome { output, diagnostics, .. } = generated(path, ty, properties);
    let notes = diagnostics.iter().filter(|it| it.code == Code::Paging);
    let items = output.unwrap().public_api.to_string();
    let shown = items.lines().filter_map(|line| {
        let of_items = line.trim().strip_prefix("items ").and_then(|it| it.split_once(" as "));
        let items = of_items.map(|(_, fields)| fields.split(" by ").next().unwrap());
        line.trim().strip_prefix("setting page-token = ").or(items)
    });
    shown.chain(notes.map(|it| it.message.as_str())).collect::<Vec<_>>().join(" ")
}

/// Generates a GET with this reply. Parameters have a type; a path can say that there is a header with links. The settings
/// name the list `data.set`, and the link `edges[name=more].to`.
fn generated(path: &str, ty: &str, properties: &Value) -> Outcome {
    let parameter = |name: &str, location: &str, schema: Value| {
        let required = location == "path";
        json!({ "name": name, "in": location, "required": required, "schema": schema })
    };
    let mut parameters = vec![
        parameter("cursor", "query", json!({ "type": "string" })),
        parameter("page", "query", json!({ "type": ty, "minimum": 1 })),
        parameter("limit", "query", json!({ "type": ty })),
    ];
    if let Some((_, name)) = path.trim_end_matches('}').split_once('{') {
        parameters.push(parameter(name, "path", json!({ "type": "string" })));
    }
    let link = json!({ "Link": { "schema": { "type": "string" } } });
    let headers = if path.contains("link") { link } else { json!({}) };
    let schema = json!({ "type": "object", "properties": properties });
    let content = json!({ "application/json": { "schema": schema } });
    let reply = json!({ "description": "A reply.", "headers": headers, "content": content });
    let operation = json!({ "parameters": parameters, "responses": { "200": reply } });
    let paths = json!({ path.trim_end_matches("?link"): { "get": operation } });
    let info = json!({ "title": "Pages", "version": "1" });
    let text = json!({ "openapi": "3.1.1", "info": info, "paths": paths }).to_string();
    let source = Source { name: "openapi.json".to_owned(), text };
    let settings = Settings {
        package: "pages".to_owned(),
        version: "1.0.0".to_owned(),
        page_items: Some("data.set".to_owned()),
        next_link: Some("edges[name=more].to".to_owned()),
        ..Settings::default()
    };
    codegen::generate(Input::from(&source), &settings)
}
