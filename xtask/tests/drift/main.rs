//! `cargo xtask drift`: traffic against documents.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod doors;
mod faults;
mod overlay;
mod secrets;
mod values;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn case() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/drift/all")
}

fn xtask(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-bindings"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that rejects its arguments does not read the input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(case());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Checks traffic from the standard input against the document of the case; returns the code and the report.
fn checked(input: &str) -> (Option<i32>, Value) {
    let arguments = ["drift", "--spec", "openapi.yaml", "--format", "json", "-"];
    let output = xtask(&case(), &arguments, input);
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

fn codes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

/// Returns an entry with a pet as the body of the response.
fn entry(pet: &Value) -> Value {
    json!({
        "startedDateTime": "2026-11-23T10:00:00.000Z",
        "request": { "method": "GET", "url": "https://api.example.com/v1/pets/1", "headers": [] },
        "response": {
            "status": 200,
            "headers": [],
            "content": { "mimeType": "application/json; charset=utf-8", "text": pet.to_string() },
        },
    })
}

fn pet() -> Value {
    json!({ "id": "6f1f8c1e-0000-4000-8000-000000000001", "name": "Rex", "kind": "dog" })
}

#[test]
fn every_difference_is_reported_at_its_place_and_closed_by_the_overlay() {
    let folder = tempfile::tempdir().unwrap();
    let overlay = folder.path().join("overlay.yaml");
    let overlay = overlay.to_str().unwrap();
    let arguments =
        ["drift", "--verbose", "--spec", "openapi.yaml", "--overlay", overlay, "traffic.ndjson"];
    let output = xtask(&case(), &arguments, "");
    assert_eq!(output.status.code(), Some(5));
    let shown = format!("{}---\n{}", text(output.stdout), text(output.stderr));
    snapshot("report", &shown);
    let written = fs::read_to_string(overlay).unwrap();
    snapshot("overlay", &written);
    for secret in ["SECRET", "redacted-"] {
        assert!(!shown.contains(secret) && !written.contains(secret), "{secret}");
    }

    // A file that is not applied is not replaced.
    let arguments = [&arguments[..], &["--min", "1"]].concat();
    let output = xtask(&case(), &arguments, "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(output.stderr).contains("not one of the overlays that are applied"));
    assert_eq!(fs::read_to_string(overlay).unwrap(), written);
    fs::remove_file(overlay).unwrap();
    let output = xtask(&case(), &arguments, "");
    assert_eq!(output.status.code(), Some(5));
    let output = xtask(&case(), &["overlay", "openapi.yaml", overlay], "");
    let corrected = folder.path().join("corrected.yaml");
    fs::write(&corrected, &output.stdout).unwrap();
    let corrected = corrected.to_str().unwrap();
    let arguments = ["drift", "--format", "json", "--spec", corrected, "traffic.ndjson"];
    let report: Value = serde_json::from_slice(&xtask(&case(), &arguments, "").stdout).unwrap();
    // No overlay can know the template of a route.
    assert_eq!(codes(&report), ["unknown-route", "unknown-route"], "{report:#}");
    let output = xtask(&case(), &["diff", "openapi.yaml", corrected], "");
    assert!(text(output.stdout).contains("next version: 0.1.0 -> 0.2.0 (breaking"));
}

#[test]
fn all_formats_report_the_same() {
    let report = |format| {
        let arguments = ["drift", "--spec", "openapi.yaml", "--format", format, "traffic.ndjson"];
        text(xtask(&case(), &arguments, "").stdout)
    };
    let [plain, github] = ["text", "github"].map(report);
    let json: Value = serde_json::from_str(&report("json")).unwrap();
    let findings = json["findings"].as_array().unwrap();
    let [warnings, notices] = ["::warning ", "::notice title=not-compared::"].map(|start| {
        github.lines().filter_map(|line| line.strip_prefix(start)).collect::<Vec<_>>()
    });
    assert_eq!(warnings.len(), findings.len());
    assert!(notices.contains(&"invalid entries: 2"), "{notices:?}");
    assert!(notices.iter().all(|notice| plain.contains(notice)), "{notices:?}");
    for finding in findings {
        let message = finding["message"].as_str().unwrap();
        assert!(plain.contains(message) && github.contains(message), "{message}");
        let line = finding["place"].as_str().unwrap().replace("openapi.yaml:", "line=");
        assert!(github.contains(&format!("::warning file=openapi.yaml,{line},")), "{line}");
    }
}

#[test]
fn the_guide_lists_what_is_not_compared() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/drift.md");
    let guide = fs::read_to_string(path).unwrap();
    let (_, table) = guide.split_once("| not compared |\n|---|\n").unwrap();
    let rows = table.lines().map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    assert_eq!(rows.collect::<Vec<_>>(), traffic::NOT_COMPARED);
}

/// Returns a HAR file.
fn har(entries: &[Value]) -> Value {
    json!({ "log": { "version": "1.2", "creator": {}, "pages": [{}], "entries": entries } })
}

#[test]
fn browsers_write_har_files() {
    let mut base64 = entry(&pet());
    // {"id":1}
    base64["response"]["content"]["text"] = "eyJpZCI6MX0=".into();
    base64["response"]["content"]["encoding"] = "base64".into();
    base64["_initiator"] = json!({ "type": "script", "stack": { "callFrames": [] } });
    base64["request"]["headers"] = json!([{ "name": ":authority", "value": "api.example.com" }]);
    base64["response"]["headers"] = json!([{ "name": ":status", "value": "200" }, {}, null]);
    let mut blocked = entry(&pet());
    blocked["request"]["postData"] = Value::Null;
    blocked["response"] = json!({ "status": 0, "content": { "mimeType": "x-unknown" } });
    let mut without_text = entry(&pet());
    without_text["response"]["content"] = json!({ "size": 20, "mimeType": "application/json" });
    let mut unmodified = entry(&pet());
    unmodified["response"] = json!({ "status": 304, "headers": [], "content": {} });
    let mut others = [entry(&json!({ "any": 1 })), entry(&Value::Null), entry(&Value::Null)];
    others[0]["request"]["url"] = "https://fonts.example.org/v1/pets/1".into();
    others[1]["request"]["url"] = "data:image/png;base64,AAAA".into();
    others[2]["request"]["method"] = "OPTIONS".into();
    let entries = [vec![base64, blocked, json!({}), without_text, unmodified], others.to_vec()];
    let har = har(&entries.concat());
    let pretty = format!("\u{feff}{har:#}");
    let line = 1 + pretty.lines().position(|line| line == "      {},").unwrap();
    for (har, line) in [(har.to_string(), 1), (pretty, line)] {
        let (code, report) = checked(&har);
        assert_eq!(code, Some(5));
        assert_eq!(codes(&report), ["missing-property", "missing-property", "other-kind"]);
        let exchanges = ["all", "elsewhere", "unanswered", "preflights"];
        assert_eq!(
            exchanges.map(|name| report["exchanges"][name].as_u64()),
            [7, 2, 1, 1].map(Some)
        );
        let invalid = format!("stdin:{line}: log.entries[2]: it has no `request.method`");
        assert_eq!(report["invalid"]["first"], json!([invalid]));
    }
}

#[test]
fn requests_are_found_by_operation_template_or_another_address() {
    let mut entry = entry(&json!({ "id": 1 }));
    entry["request"]["url"] = "http://127.0.0.1:8080/base/pets/redacted-0011223344556677".into();
    let elsewhere = |entry: &Value, arguments: &[&str]| {
        let arguments = [&["drift", "--format", "json", "--spec", "openapi.yaml", "-"], arguments];
        let output = xtask(&case(), &arguments.concat(), &entry.to_string());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        (report["exchanges"]["elsewhere"] == 1, codes(&report).len())
    };
    assert_eq!(elsewhere(&entry, &[]), (true, 0));
    assert_eq!(elsewhere(&entry, &["--server", "http://127.0.0.1:8080/base"]), (false, 3));
    let mut named = entry.clone();
    named["_operationId"] = "pets.get".into();
    assert_eq!(elsewhere(&named, &[]), (false, 3));
    let mut templated = entry;
    templated["_urlTemplate"] = "/pets/{id}".into();
    assert_eq!(elsewhere(&templated, &[]), (false, 3));
}

#[test]
fn hostile_traffic_is_bounded() {
    let with = |body: String| {
        let mut entry = entry(&Value::Null);
        entry["response"]["content"]["text"] = body.into();
        entry
    };
    // A name of its own in each of 100,000 entries, and texts of 10 MB.
    let names = (0..100).map(|line| {
        let names = (0..1_000).map(|index| format!("\"n{line}x{index}\":{{\"m{index}\":{{}}}}"));
        with(format!("{{{}}}", names.collect::<Vec<_>>().join(",")))
    });
    let long = "x".repeat(10 << 20);
    let mut pet = pet();
    pet["kind"] = long.clone().into();
    pet[&long] = 1.into();
    let hostile = [
        with(format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000))),
        with(format!("{{\"id\":1e999,\"name\":{}}}", "9".repeat(100_000))),
        with("{\"id\":\"\0\",\"name\":\"\"}".to_owned()),
        with("{\"id\":\"\\u0000\",\"name\":\"\",\"kind\":\"\\u0000dog\"}".to_owned()),
        with(format!("{{\"id\":\"a\",\"name\":{},\"kind\":\"dog\"}}", "9".repeat(100))),
        entry(&pet),
    ];
    let lines: Vec<String> = hostile.into_iter().chain(names).map(|it| it.to_string()).collect();
    let mut input = lines.join("\n").into_bytes();
    input.extend(b"\n{\"request\":\"\xff\"}\n");
    input.extend(format!("{{\"request\":{}", "[".repeat(100_000)).into_bytes());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.ndjson");
    fs::write(&path, input).unwrap();
    let path = path.to_str().unwrap();
    let overlay = folder.path().join("overlay.yaml");
    let overlay = overlay.to_str().unwrap();
    let output = xtask(
        &case(),
        &["drift", "--spec", "openapi.yaml", "--format", "json", "--overlay", overlay, path],
        "",
    );
    assert!(output.stdout.len() < 1 << 20, "{}", output.stdout.len());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let exchanges = ["all", "beyond"].map(|name| report["exchanges"][name].as_u64());
    assert_eq!(exchanges, [106, 100_001 - 200].map(Some));
    let invalid = json!([
        format!("{path}:107: it is not UTF-8"),
        format!("{path}:108: it is not JSON, from column 138"),
    ]);
    assert_eq!(report["invalid"]["first"], invalid);
    let messages = report["findings"].as_array().unwrap().iter();
    let messages: Vec<&str> = messages.map(|it| it["message"].as_str().unwrap()).collect();
    let has = |part: &str| messages.iter().any(|message| message.contains(part));
    assert!(has("is not JSON, although its media type is"), "{messages:#?}");
    assert!(has("\"\\u0000dog\" is not a value of `Kind`"), "{messages:#?}");
    assert!(has(&format!("`{}…` is not a property of `Pet`", "x".repeat(256))));
    assert!(has(&format!("\"{}…\" is not a value of `Kind`", "x".repeat(256))));
}

#[test]
fn servers_have_variables_and_routes_can_be_similar() {
    let folder = tempfile::tempdir().unwrap();
    let document = |servers: &str| {
        let operation =
            |id: &str| json!({ "operationId": id, "responses": { "200": { "description": id } } });
        let servers: Value = serde_json::from_str(servers).unwrap();
        let document = json!({
            "openapi": "3.0.3",
            "info": { "title": "Pets", "version": "1" },
            "servers": servers,
            "paths": {
                "/pets/{id}": { "get": operation("get") },
                "/pets/mine": { "get": operation("mine") },
                "/pets/{id}.json": { "get": operation("json") },
            },
        });
        fs::write(folder.path().join("openapi.json"), document.to_string()).unwrap();
    };
    let called = |url: &str| {
        let mut entry = entry(&Value::Null);
        entry["request"]["url"] = url.into();
        entry["response"]["content"] = json!({});
        let input = format!("{entry}\n{entry}");
        let arguments = ["drift", "--spec", "openapi.json", "--format", "json", "-"];
        let output = xtask(folder.path(), &arguments, &input);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let uncalled = report["coverage"]["uncalled"].to_string();
        let called =
            ["{id}\"", "mine", "{id}.json"].into_iter().filter(|it| !uncalled.contains(it));
        match (report["exchanges"]["elsewhere"].as_u64(), codes(&report).as_slice()) {
            (Some(2), []) => "elsewhere".to_owned(),
            (Some(0), []) => called.collect(),
            (Some(0), codes) => codes.join(" "),
            other => format!("{other:?}"),
        }
    };
    let cases: [(&str, &[(&str, &str)]); 5] = [
        (
            r#"[{ "url": "https://{tenant}.example.com/api", "variables": { "tenant": { "default": "a" } } }]"#,
            &[
                ("https://b.example.com/api/pets/mine", "mine"),
                ("https://b.example.com/api/pets/1", "{id}\""),
                ("https://b.example.com/api/pets/1.json", "{id}.json"),
                ("https://b.example.com/pets/1", "elsewhere"),
                ("https://example.org/api/pets/1", "elsewhere"),
                ("https://c.example.com/api/cats", "elsewhere"),
            ],
        ),
        (
            r#"[{ "url": "{base}", "variables": { "base": { "default": "https://a.example.com/v1" } } }]"#,
            &[
                ("https://b.example.org/v1/pets/1", "{id}\""),
                ("https://b.example.org/pets/1", "elsewhere"),
            ],
        ),
        (
            r#"[{ "url": "https://a.example.com/{path}", "variables": { "path": { "default": "v1", "enum": ["v1", "api/v2"] } } }]"#,
            &[
                ("https://a.example.com/v1/pets/1", "{id}\""),
                ("https://a.example.com/api/v2/pets/mine", "mine"),
                ("https://a.example.com/v1/cats", "unknown-route"),
            ],
        ),
        (
            "[]",
            &[("https://any.example.com/pets/mine", "mine"), ("/pets/mine?a=b", "unknown-query")],
        ),
        (
            r#"[{ "url": "/base" }]"#,
            &[("http://x/base/pets/1", "{id}\""), ("http://x/pets/1", "elsewhere")],
        ),
    ];
    for (servers, urls) in cases {
        document(servers);
        for (url, expected) in urls {
            assert_eq!(called(url), *expected, "{servers} {url}");
        }
    }
}

/// Returns what is found in a request with a query and a merge patch.
fn found_in_request(version: &str, parameters: &Value, query: &str, body: &Value) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let owner = json!({
        "required": ["id"],
        "properties": { "id": { "type": "string" }, "email": { "type": "string" } },
    });
    let shape = |name: &str, property: &str| {
        let properties = json!({ "shape": { "const": name }, property: { "type": "integer" } });
        json!({ "type": "object", "required": ["shape", property], "properties": properties })
    };
    let thing = json!({ "type": "object", "required": ["name"], "properties": {
        "name": { "type": "string" },
        "owner": owner.clone(),
        "owners": { "type": "array", "items": owner },
        "toy": { "oneOf": [shape("ball", "radius"), shape("rope", "length")] },
    }});
    let patch = json!({
        "parameters": parameters,
        "requestBody": { "content": { "application/merge-patch+json": { "schema": thing } } },
        "responses": { "204": { "description": "Changed." } },
    });
    let document = json!({
        "openapi": version,
        "info": { "title": "Things", "version": "1" },
        "servers": [{ "url": "https://api.example.com" }],
        "paths": { "/things": { "patch": patch } },
    });
    fs::write(folder.path().join("openapi.json"), document.to_string()).unwrap();
    let text = if body.is_null() { String::new() } else { body.to_string() };
    let entry = json!({
        "request": {
            "method": "PATCH",
            "url": format!("https://api.example.com/things{query}"),
            "postData": { "mimeType": "application/merge-patch+json", "text": text },
        },
        "response": { "status": 204 },
    });
    let arguments = ["drift", "--spec", "openapi.json", "--format", "json", "-"];
    let output = xtask(folder.path(), &arguments, &entry.to_string());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["exchanges"]["all"], 1);
    let findings = report["findings"].as_array().unwrap().iter();
    findings.map(|finding| finding["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn exploded_objects_are_found_as_their_properties() {
    let pageable = json!({ "allOf": [
        { "type": "object", "properties": { "page": { "type": "integer" } } },
        { "oneOf": [
            { "properties": { "sort": { "type": "array", "items": { "type": "string" } } } },
            { "properties": { "order": { "type": "string" } } },
        ]},
    ]});
    let found = |version: &str, parameter: Value, query: &str| {
        let messages = found_in_request(version, &json!([parameter]), query, &Value::Null);
        let names = messages.iter().map(|message| message.split('`').nth(3).unwrap().to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    let query = |schema: &Value| json!({ "name": "by", "in": "query", "schema": schema });
    let sent = "?page=1&sort=name&sort=id&order=up&by=x&other=1";
    assert_eq!(found("3.1.1", query(&pageable), sent), "by other");
    let mut in_one = query(&pageable);
    in_one["explode"] = false.into();
    assert_eq!(found("3.1.1", in_one, sent), "order other page sort");
    let mut deep = query(&pageable);
    deep["style"] = "deepObject".into();
    assert_eq!(found("3.1.1", deep, "?by%5Bpage%5D=1&page=1"), "page");
    let or_text = json!({ "anyOf": [pageable, { "type": "string" }] });
    assert_eq!(found("3.1.1", query(&or_text), sent), "other");
    for open in [
        json!({ "type": "object" }),
        json!({ "properties": { "page": {} }, "additionalProperties": { "type": "string" } }),
    ] {
        assert_eq!(found("3.1.1", query(&open), sent), "", "{open}");
    }
    let list = json!({ "type": "array", "items": { "type": "string" } });
    assert_eq!(found("3.1.1", query(&list), sent), "order other page sort");

    let whole = |media_type: &str| {
        let content = json!({ media_type: { "schema": pageable } });
        json!({ "name": "by", "in": "querystring", "content": content })
    };
    assert_eq!(found("3.2.0", whole("application/x-www-form-urlencoded"), sent), "by other");
    assert_eq!(found("3.2.0", whole("application/json"), "?%7B%22page%22%3A1%7D"), "");
}

#[test]
fn merge_patches_remove_properties_by_null_and_leave_out_others() {
    let found = |body: Value| found_in_request("3.1.1", &json!([]), "", &body);
    let nothing: [&str; 0] = [];
    assert_eq!(found(json!({ "name": null, "owner": { "email": "a@b" } })), nothing);
    assert_eq!(found(json!({ "owner": null, "owners": null, "toy": null })), nothing);
    assert_eq!(found(json!({ "owner": { "id": null, "other": null } })), nothing);
    assert_eq!(found(json!({ "toy": { "length": 1 } })), nothing);
    assert_eq!(found(json!({ "toy": { "length": null } })), nothing);
    // What a patch sets is described, and lists are replaced as a whole.
    assert_eq!(
        found(json!({ "name": 1, "size": 2, "owners": [{ "id": null }, { "email": "a@b" }] })),
        [
            "an element of `owners` of the request of `PATCH /things` requires `id`, which is missing",
            "`id` of an element of `owners` of the request of `PATCH /things` is null, which is not allowed",
            "`name` of the request of `PATCH /things` is of the type `integer`",
            "`size` is not a property of the request of `PATCH /things`",
        ]
    );
}
