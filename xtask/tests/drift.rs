//! `cargo xtask drift`: traffic against documents.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

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
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
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

    let output = xtask(&case(), &[&arguments[..], &["--min", "1"]].concat(), "");
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
    assert_eq!(github.lines().count(), findings.len());
    for finding in findings {
        let message = finding["message"].as_str().unwrap();
        assert!(plain.contains(message) && github.contains(message), "{message}");
        let line = finding["place"].as_str().unwrap().replace("openapi.yaml:", "line=");
        assert!(github.contains(&format!("::warning file=openapi.yaml,{line},")), "{line}");
    }
}

#[test]
fn bad_lines_end_nothing() {
    let good = entry(&pet()).to_string();
    assert_eq!(checked("").0, Some(0));
    assert_eq!(checked(&good).0, Some(0));
    let cut = &good[..good.len() - 5];
    let (code, report) = checked(&format!("nonsense\n{good}\r\n\n[1]\n{good}\n{{}}\n{cut}"));
    assert_eq!((code, &report["exchanges"]["all"]), (Some(0), &json!(2)));
    let invalid = json!({ "count": 4, "first": [
        "stdin:1: it is not JSON, from column 2",
        "stdin:4: it has no `request.method`",
        "stdin:6: it has no `request.method`",
        "stdin:7: it is cut off",
    ]});
    assert_eq!(report["invalid"], invalid);
}

#[test]
fn lines_over_the_limit_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.ndjson");
    let good = entry(&pet()).to_string();
    let long = "x".repeat((64 << 20) + 1);
    fs::write(&path, format!("{good}\n{long}\n{good}\n")).unwrap();
    let path = path.to_str().unwrap();
    let arguments = ["drift", "--spec", "openapi.yaml", "--format", "json", path];
    let report: Value = serde_json::from_slice(&xtask(&case(), &arguments, "").stdout).unwrap();
    assert_eq!(report["exchanges"]["all"], 2);
    assert_eq!(report["invalid"]["first"], json!([format!("{path}:2: it is longer than 64 MiB")]));
}

#[test]
fn browsers_write_har_files() {
    let mut base64 = entry(&pet());
    // {"id":1}
    base64["response"]["content"]["text"] = "eyJpZCI6MX0=".into();
    base64["response"]["content"]["encoding"] = "base64".into();
    let mut blocked = entry(&pet());
    blocked["response"] = json!({ "status": 0, "content": { "mimeType": "x-unknown" } });
    let mut without_text = entry(&pet());
    without_text["response"]["content"] = json!({ "size": 20, "mimeType": "application/json" });
    let mut other = entry(&json!({ "any": 1 }));
    other["request"]["url"] = "https://fonts.example.org/v1/pets/1".into();
    let entries = json!([base64, blocked, {}, without_text, other]);
    let har = json!({ "log": { "version": "1.2", "creator": {}, "entries": entries } });
    for har in [har.to_string(), format!("\u{feff}{har:#}")] {
        let (code, report) = checked(&har);
        assert_eq!(code, Some(5));
        assert_eq!(codes(&report), ["missing-property", "missing-property", "other-kind"]);
        let exchanges = &report["exchanges"];
        assert_eq!(
            [&exchanges["all"], &exchanges["elsewhere"], &exchanges["unanswered"]],
            [4, 1, 1]
        );
        let invalid = "stdin:3: log.entries: it has no `request.method`";
        assert_eq!(report["invalid"]["first"], json!([invalid]));
    }
    let output = xtask(&case(), &["drift", "--spec", "openapi.yaml", "-"], "{\"log\": {}}");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(output.stderr).contains("it has no `log.entries`"));
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
