//! Every door of an exchange: one deviation in each is found at its place, and nothing else.

use codegen::diagnostics::Diagnostics;
use codegen::{Input, Source};
use serde_json::{Value, json};
use traffic::{Description, Findings};

/// Returns a document with everything that is compared.
fn document() -> Value {
    let parameter = |place: &str, name: &str, schema: Value| json!({ "name": name, "in": place, "required": place == "path", "schema": schema });
    let required = |mut parameter: Value| {
        parameter["required"] = true.into();
        parameter
    };
    let with = |mut parameter: Value, style: &str, explode: bool| {
        parameter["style"] = style.into();
        parameter["explode"] = explode.into();
        parameter
    };
    let list = |items: Value| json!({ "type": "array", "items": items });
    let integer = json!({ "type": "integer" });
    let color = json!({ "type": "string", "enum": ["red", "blue"] });
    let page =
        json!({ "type": "object", "properties": { "page": integer, "sort": list(color.clone()) } });
    let object = json!({ "type": "object", "properties": { "n": integer } });
    let deep = json!({ "type": "object", "properties": { "n": integer, "password": integer } });
    let form = json!({ "type": "object", "properties": {
        "n": integer, "colors": list(color.clone()), "client_secret": integer, "coded": integer,
    }});
    let event = |name: &str, property: &str| {
        let schema = json!({ "type": "object", "properties": { property: integer } });
        let data = json!({
            "type": "string", "contentMediaType": "application/json", "contentSchema": schema,
        });
        json!({ "type": "object", "properties": { "event": { "const": name }, "data": data } })
    };
    let events = json!({ "oneOf": [event("added", "n"), event("removed", "m")] });
    let reply = |content: Value| json!({ "200": { "description": "", "content": content } });
    json!({
        "openapi": "3.2.0",
        "info": { "title": "Doors", "version": "1" },
        "security": [{ "key": [] }],
        "paths": {
            "/forms/{label}/{matrix}/{many}": { "post": {
                "parameters": [
                    with(parameter("path", "label", integer.clone()), "label", false),
                    with(parameter("path", "matrix", integer.clone()), "matrix", false),
                    with(parameter("path", "many", list(color.clone())), "matrix", true),
                    with(parameter("query", "deep", deep), "deepObject", true),
                ],
                "requestBody": { "content": { "application/x-www-form-urlencoded": {
                    "schema": form, "encoding": { "coded": { "style": "pipeDelimited" } },
                }}},
                "responses": { "204": { "description": "" } },
            }},
            "/doors/{id}/{color}.json": { "put": {
                "parameters": [
                    parameter("path", "id", integer.clone()),
                    parameter("path", "color", color.clone()),
                    required(parameter("query", "limit", integer.clone())),
                    parameter("query", "each", list(color.clone())),
                    with(parameter("query", "all", list(color.clone())), "form", false),
                    with(parameter("query", "pipes", list(integer.clone())), "pipeDelimited", false),
                    with(parameter("query", "spaces", list(integer.clone())), "spaceDelimited", false),
                    { "name": "json", "in": "query", "content": { "application/json": { "schema": object } } },
                    parameter("query", "page", page),
                    required(parameter("query", "token", integer.clone())),
                    required(parameter("header", "X-Trace", integer.clone())),
                    parameter("header", "X-Ids", list(integer.clone())),
                    required(parameter("header", "X-Api-Key", color.clone())),
                    required(parameter("header", "Authorization", integer.clone())),
                    required(parameter("cookie", "visit", integer.clone())),
                ],
                "requestBody": { "required": true, "content": { "application/json": { "schema": object } } },
                "responses": { "200": {
                    "description": "",
                    "headers": {
                        "X-Count": { "required": true, "schema": integer },
                        "X-Flags": { "schema": list(json!({ "type": "boolean" })) },
                        "X-Since": { "schema": { "type": "string", "format": "date-time" } },
                        "Set-Cookie": { "required": true, "schema": integer },
                    },
                    "content": { "application/json": { "schema": object } },
                }},
            }},
            "/events": { "get": { "responses": reply(json!({ "text/event-stream": { "itemSchema": events } })) } },
            "/lines": { "get": { "responses": reply(json!({ "application/jsonl": { "itemSchema": object } })) } },
        },
        "components": { "securitySchemes": { "key": { "type": "apiKey", "in": "header", "name": "X-Api-Key" } } },
    })
}

const URL: &str = "https://a.example/doors/1/red.json?limit=1&each=red&each=blue&all=red,blue&pipes=1|2\
                   &spaces=1%202&json=%7B%22n%22%3A1%7D&page=1&sort=red";

/// Returns a valid exchange of each operation. What recordings hide of credentials is not missing.
pub fn exchanges() -> [Value; 4] {
    let header = |name: &str, value: &str| json!({ "name": name, "value": value });
    let put = json!({
        "request": {
            "method": "PUT",
            "url": URL,
            "headers": [
                header("x-trace", "7"), header("x-ids", "1, 2"), header("x-ids", "3"),
                header("Cookie", "other=a; visit=5"),
            ],
            "bodySize": 7,
            "postData": { "mimeType": "application/json", "text": "{\"n\":1}" },
        },
        "response": {
            "status": 200,
            "headers": [
                header("X-Count", "+1"),
                header("x-flags", "true,false"),
                header("x-since", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ],
            "content": { "size": 7, "mimeType": "application/json", "text": "{\"n\":1}" },
        },
    });
    let stream = |path: &str, media_type: &str, text: &str| {
        json!({
            "request": { "method": "GET", "url": path },
            "response": { "status": 200, "content": { "mimeType": media_type, "text": text } },
        })
    };
    let events = "event: added\ndata: {\"n\":1}\n\n: ping\n\nevent: removed\ndata: {\"m\":1}\n\n";
    [
        put,
        stream("/events", "text/event-stream", events),
        stream("/lines", "application/jsonl", "{\"n\":1}\n{\"n\":2}\n"),
        json!({
            "request": {
                "method": "POST",
                "url": "/forms/.5/;matrix=6/;many=red;many=blue?deep[n]=7&deep[password]=a&deep[x][y]=b",
                "postData": {
                    "mimeType": "application/x-www-form-urlencoded",
                    "text": "n=8&colors=red&colors=blue&client_secret=a&coded=a|b&other=c",
                },
            },
            "response": { "status": 204 },
        }),
    ]
}

pub fn found(overlays: Vec<Source>, entries: &[Value]) -> Findings {
    let source = Source { name: "openapi.json".to_owned(), text: document().to_string() };
    let input = Input { overlays, ..Input::from(&source) };
    let description = Description::read(input, &mut Diagnostics::new()).unwrap();
    let mut check = description.check(&[]);
    for entry in entries {
        check.entry(&entry.to_string()).unwrap();
    }
    check.findings(1)
}

/// The places of the operations.
const OPERATIONS: [&str; 4] = [
    "/paths/~1doors~1{id}~1{color}.json/put",
    "/paths/~1events/get",
    "/paths/~1lines/get",
    "/paths/~1forms~1{label}~1{matrix}~1{many}/post",
];

/// A change of texts of an exchange, each with its place, and what is found: the code, and the place in the operation.
type Deviation = (usize, &'static [[&'static str; 3]], &'static str, &'static str);

const BODY: &str = "{\"n\":1}";
const URL_AT: &str = "/request/url";
const FORM_AT: &str = "/request/postData/text";
const TEXT: &str = "/response/content/text";

const DEVIATIONS: [Deviation; 35] = [
    (3, &[[URL_AT, "/.5", "/.a"]], "other-kind", "/parameters/0/schema"),
    (3, &[[URL_AT, "=6", "=a"]], "other-kind", "/parameters/1/schema"),
    (3, &[[URL_AT, "=blue", "=green"]], "unknown-value", "/parameters/2/schema/items"),
    (3, &[[URL_AT, "=7", "=a"]], "other-kind", "/parameters/3/schema/properties/n"),
    (
        3,
        &[[FORM_AT, "n=8", "n=a"]],
        "other-kind",
        "/requestBody/content/application~1x-www-form-urlencoded/schema/properties/n",
    ),
    (
        3,
        &[[FORM_AT, "blue", "gr%65en"]],
        "unknown-value",
        "/requestBody/content/application~1x-www-form-urlencoded/schema/properties/colors/items",
    ),
    (
        0,
        &[[URL_AT, "%3A1%7D", "%3Atrue%7D"]],
        "other-kind",
        "/parameters/7/content/application~1json/schema/properties/n",
    ),
    (
        0,
        &[["/request/headers/3/value", "visit=5", "visit=a"]],
        "other-kind",
        "/parameters/14/schema",
    ),
    (0, &[[URL_AT, "/1/red", "/x/red"]], "other-kind", "/parameters/0/schema"),
    (0, &[[URL_AT, "/1/red", "/1/green"]], "unknown-value", "/parameters/1/schema"),
    (0, &[[URL_AT, "limit=1&", "limit=1.5&"]], "other-kind", "/parameters/2/schema"),
    (0, &[[URL_AT, "limit=1&", ""]], "missing-parameter", "/parameters/2"),
    (0, &[[URL_AT, "each=blue", "each=a"]], "unknown-value", "/parameters/3/schema/items"),
    (0, &[[URL_AT, "all=red,", "all=red%2Ca,"]], "unknown-value", "/parameters/4/schema/items"),
    (0, &[[URL_AT, "1|2", "1%7Ca"]], "other-kind", "/parameters/5/schema/items"),
    (0, &[[URL_AT, "1%202", "1+a"]], "other-kind", "/parameters/6/schema/items"),
    (0, &[[URL_AT, "page=1", "page=a"]], "other-kind", "/parameters/8/schema/properties/page"),
    (
        0,
        &[[URL_AT, "sort=red", "sort=a"]],
        "unknown-value",
        "/parameters/8/schema/properties/sort/items",
    ),
    (0, &[[URL_AT, "page=1", "pages=1"]], "unknown-query", ""),
    (0, &[["/request/headers/0/value", "7", "a"]], "other-kind", "/parameters/10/schema"),
    (0, &[["/request/headers/0/name", "x-trace", "accept"]], "missing-parameter", "/parameters/10"),
    (
        0,
        &[["/request/headers/1/value", "1, 2", "1, a"]],
        "other-kind",
        "/parameters/11/schema/items",
    ),
    (
        0,
        &[["/request/postData/text", ":1", ":true"]],
        "other-kind",
        "/requestBody/content/application~1json/schema/properties/n",
    ),
    (
        0,
        &[["/request/bodySize", "7", "0"], ["/request/postData/text", BODY, ""]],
        "missing-body",
        "/requestBody",
    ),
    (
        0,
        &[["/response/headers/0/value", "+1", "1.5"]],
        "other-kind",
        "/responses/200/headers/X-Count/schema",
    ),
    (
        0,
        &[["/response/headers/0/name", "X-Count", "Date"]],
        "missing-header",
        "/responses/200/headers/X-Count",
    ),
    (
        0,
        &[["/response/headers/1/value", "false", "no"]],
        "other-kind",
        "/responses/200/headers/X-Flags/schema/items",
    ),
    (
        0,
        &[["/response/headers/2/value", "1994", "year"]],
        "format",
        "/responses/200/headers/X-Since/schema",
    ),
    (
        0,
        &[[TEXT, ":1", ":true"]],
        "other-kind",
        "/responses/200/content/application~1json/schema/properties/n",
    ),
    (
        0,
        &[["/response/content/size", "7", "0"], [TEXT, BODY, ""]],
        "missing-body",
        "/responses/200",
    ),
    (
        1,
        &[[TEXT, "m\":1", "m\":true"]],
        "other-kind",
        "/responses/200/content/text~1event-stream/itemSchema/oneOf/1/properties/data/contentSchema/properties/m",
    ),
    (
        1,
        &[[TEXT, "removed", "moved"]],
        "unknown-variant",
        "/responses/200/content/text~1event-stream",
    ),
    (1, &[[TEXT, "data: {\"m", "data: \"m"]], "not-json", "/responses/200"),
    (
        2,
        &[[TEXT, "n\":2", "n\":true"]],
        "other-kind",
        "/responses/200/content/application~1jsonl/itemSchema/properties/n",
    ),
    (2, &[[TEXT, "{\"n\":2", "\"n\":2"]], "not-json", "/responses/200"),
];

#[test]
fn a_deviation_in_each_door_is_found_at_its_place_and_nothing_else() {
    let nothing = found(Vec::new(), &exchanges()).all;
    assert!(nothing.is_empty(), "{nothing:#?}");
    for (exchange, edits, code, place) in DEVIATIONS {
        let mut changed = exchanges()[exchange].clone();
        for [at, from, to] in edits {
            let at = changed.pointer_mut(at).unwrap();
            let text = at.as_str().map_or_else(|| at.to_string(), str::to_owned);
            assert!(text.contains(from), "{edits:?}");
            let text = text.replacen(from, to, 1);
            *at = if at.is_string() { text.into() } else { text.parse().unwrap() };
        }
        let findings = found(Vec::new(), std::slice::from_ref(&changed));
        let all: Vec<_> = findings.all.iter().map(|it| (it.code, it.pointer.as_str())).collect();
        let place = format!("{}{place}", OPERATIONS[exchange]);
        assert_eq!(all, [(code, place.as_str())], "{edits:?} {:#?}", findings.all);
        let finding = &findings.all[0];
        assert_eq!(finding.origin.contains("item 2 of"), matches!(exchange, 1 | 2), "{finding:#?}");
        let has_overlay = !matches!(code, "unknown-variant" | "not-json")
            && place != format!("{}/responses/200", OPERATIONS[0]);
        assert_eq!(finding.is_closed, has_overlay, "{finding:#?}");
        let overlay =
            findings.overlay().map(|text| Source { name: "overlay.yaml".to_owned(), text });
        let left = found(overlay.into_iter().collect(), &[changed]);
        assert_eq!(left.all.is_empty(), has_overlay, "{edits:?} {:#?}", left.all);
    }
}

#[test]
fn what_a_recording_hides_is_no_finding() {
    for (at, hidden) in [
        ("/request/headers", json!([])),
        ("/response/headers", json!([])),
        ("/request/url", URL.replace("limit=1", "limit=redacted-0011223344556677").into()),
        ("/request/url", URL.replace("/1/red", "/redacted-0011223344556677/red").into()),
        ("/request/headers/0/value", "redacted-0011223344556677".into()),
        ("/response/headers/0/value", "redacted-0011223344556677".into()),
        ("/request/bodySize", json!(-1)),
        ("/request/postData", Value::Null),
        ("/response/content", json!({ "size": -1, "mimeType": "application/json" })),
        ("/response/content", json!({ "size": 0, "comment": "not recorded" })),
    ] {
        let mut entry = exchanges()[0].clone();
        *entry.pointer_mut(at).unwrap() = hidden;
        let findings = found(Vec::new(), &[entry]).all;
        assert!(findings.is_empty(), "{at} {findings:#?}");
    }
    let mut stream = exchanges()[1].clone();
    stream["response"]["content"]["text"] = "redacted-0011223344556677".into();
    let findings = found(Vec::new(), &[stream]).all;
    assert!(findings.is_empty(), "{findings:#?}");
}
