//! Traffic with entries and bodies that cannot be read.

use std::fs;

use serde_json::{Value, json};

use super::{case, checked, codes, entry, har, pet, text, xtask};

#[test]
fn bad_lines_end_nothing() {
    let good = entry(&pet()).to_string();
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
fn a_file_without_a_valid_entry_is_an_error() {
    let mut unanswered = entry(&pet());
    unanswered.as_object_mut().unwrap().remove("response");
    let unanswered = har(&[unanswered]).to_string();
    let cut = &har(&[entry(&pet())]).to_string()[..200];
    let empty = har(&[]).to_string();
    for (input, reason) in [
        ("", ""),
        ("\n\n", ""),
        (&empty, ""),
        ("hello\nworld\n", "stdin:1: it is not JSON, from column 1\n  stdin:2: it is not JSON"),
        ("{\"a\":1}", "stdin:1: it has no `request.method`"),
        (&unanswered, "stdin:1: log.entries[0]: it has no `response`"),
        (cut, "stdin:1: it is cut off"),
    ] {
        let output = xtask(&case(), &["drift", "--spec", "openapi.yaml", "-"], input);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{input}");
        let shown = text(output.stderr);
        let separator = if reason.is_empty() { "\nhelp: " } else { "\n  " };
        let expected = format!("error: cannot read `-`: it has no valid entry{separator}{reason}");
        assert!(shown.starts_with(&expected), "{shown}");
    }
    // Each file is one, also next to others.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.ndjson");
    fs::write(&path, "no").unwrap();
    let arguments = ["drift", "--spec", "openapi.yaml", "-", path.to_str().unwrap()];
    let output = xtask(&case(), &arguments, &format!("{}{}", "no\n".repeat(20), entry(&pet())));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(output.stderr).contains("empty.ndjson:1: it is not JSON"));
}

#[test]
fn a_check_of_nothing_fails() {
    let mut elsewhere = entry(&pet());
    elsewhere["request"]["url"] = "https://api.example.org/v1/pets/1".into();
    let mut preflight = entry(&Value::Null);
    preflight["request"]["method"] = "OPTIONS".into();
    let answered = |status: &str| {
        let mut entry = entry(&pet());
        entry["response"]["status"] = serde_json::from_str(status).unwrap();
        entry
    };
    let other_servers = "with other servers (`--server` names one of this API): 2";
    for (entries, reason) in [
        ([&elsewhere, &elsewhere], other_servers),
        ([&preflight, &preflight], "preflight requests of browsers: 2"),
        ([&answered("0"), &answered("-1")], "without a response: 2"),
        ([&answered("0"), &answered("\"200\"")], "without a response: 1\n  invalid entries: 1\n"),
    ] {
        let input = entries.map(|entry| format!("{entry}\n")).concat();
        for format in ["text", "json", "github"] {
            let arguments = ["drift", "--spec", "openapi.yaml", "--format", format, "-"];
            let output = xtask(&case(), &arguments, &input);
            assert_eq!(output.status.code(), Some(1), "{reason}");
            let shown = text(output.stderr);
            let expected = "error: nothing was compared with the spec, of ";
            assert!(shown.starts_with(expected) && shown.contains(reason), "{shown}");
        }
    }
    // Next to an exchange that is compared, all of these are only counted.
    let input = [&entry(&pet()), &elsewhere, &preflight, &answered("0")];
    let (code, report) = checked(&input.map(|entry| format!("{entry}\n")).concat());
    assert_eq!((code, &report["exchanges"]["compared"]), (Some(0), &json!(1)));
}

#[test]
fn a_status_is_an_integer_of_three_digits() {
    for status in ["\"200\"", "1000", "99", "200.5", "null", "true", "[200]"] {
        let mut entry = entry(&pet());
        entry["response"]["status"] = serde_json::from_str(status).unwrap();
        let (code, report) = checked(&format!("{}\n{entry}", self::entry(&pet())));
        let reason = "stdin:2: its `response.status` is not an integer from 100 to 999";
        assert_eq!(report["invalid"]["first"], json!([reason]), "{status}");
        assert_eq!((code, &report["exchanges"]["all"]), (Some(0), &json!(1)));
        let output = xtask(&case(), &["drift", "--spec", "openapi.yaml", "-"], &entry.to_string());
        assert_eq!(output.status.code(), Some(1), "{status}");
    }
}

#[test]
#[ignore = "part of `cargo ci --all`: it reads 70 MB byte by byte"]
fn a_har_file_is_read_in_whatever_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.har");
    let mut unread = entry(&pet());
    unread["_unread"] = "x".repeat(35 << 20).into();
    let text = har(&[unread.clone(), unread]).to_string();
    for text in [text.clone(), format!("\n \n{text}"), text.replacen('[', "[\n", 1)] {
        fs::write(&path, text).unwrap();
        let arguments = ["drift", "--spec", "openapi.yaml", "--format", "json"];
        let arguments = [&arguments[..], &[path.to_str().unwrap()]].concat();
        let report: Value = serde_json::from_slice(&xtask(&case(), &arguments, "").stdout).unwrap();
        assert_eq!(report["exchanges"]["compared"], 2, "{report:#}");
    }
}

#[test]
fn nearest_values_are_read_as_the_crate_reads_them() {
    // In the JSON of a body, as a number there, and in a text of the entry itself.
    for (body, expected) in [
        (r#"{"id":"1","name":"\ud800","kind":"dog"}"#, vec!["format", "format"]),
        (
            r#"{"id":"1","name":"Rex","kind":"dog","n":1e400}"#,
            vec!["format", "unknown-property", "format"],
        ),
        (r#"{"id":"1","name":"SURROGATE","kind":"dog"}"#, vec!["format"]),
    ] {
        let mut entry = entry(&pet());
        entry["response"]["content"]["text"] = body.into();
        for text in [entry.to_string(), har(&[entry.clone()]).to_string()] {
            let (_, report) = checked(&text.replace("SURROGATE", r"\udfff"));
            assert_eq!(report["exchanges"]["compared"], 1, "{body}: {report:#}");
            assert_eq!(codes(&report), expected, "{body}: {report:#}");
        }
    }
}

#[test]
fn bodies_that_are_not_json_are_findings() {
    let with = |media_type: &str, text: &str| {
        let mut entry = entry(&Value::Null);
        let text = if text.is_empty() { "eyJpZCI6".into() } else { text.to_owned() };
        let encoding = if text == "eyJpZCI6" { "base64" } else { "" };
        entry["response"]["content"] =
            json!({ "mimeType": media_type, "text": text, "encoding": encoding });
        entry.to_string()
    };
    let json = "application/json";
    // The recorder of the emitted crate replaces a text, also where JSON should be.
    let bodies = ["{\"id\":", "redacted-0011223344556677", ""].map(|text| with(json, text));
    let (code, report) = checked(&bodies.join("\n"));
    assert_eq!((code, codes(&report)), (Some(5), vec!["not-json"]), "{report:#}");
    let finding = &report["findings"][0];
    let message = "the response 200 of `GET /pets/{id}` is not JSON, although its media type is";
    assert_eq!((&finding["message"], &finding["count"]), (&json!(message), &json!(3)));
    assert_eq!(finding["example"], "\"{\"aa\":\"");
    let (code, _) = checked(&with(json, &format!("\u{feff}{}", pet())));
    assert_eq!(code, Some(0));
    let (_, report) = checked(&with("text/html", "<html>"));
    assert_eq!(codes(&report), ["unknown-media-type"]);
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
fn files_that_are_cut_or_no_har_end_nothing() {
    let entries = [entry(&json!({ "id": 1 })), entry(&pet())];
    let pretty = format!("{:#}", har(&entries));
    let cut = pretty.rfind("\"status\"").unwrap();
    let line = pretty[..cut].lines().count();
    for (text, invalid) in [
        (&pretty[..cut], format!("stdin:{line}: it is cut off")),
        (
            &format!("{}]{}", &pretty[..cut], &pretty[cut..]),
            format!("stdin:{line}: it is not JSON, from column 11; the rest is not read"),
        ),
        (
            &format!("{pretty}\n\n{{"),
            format!(
                "stdin:{}: it is not JSON, from column 1; the rest is not read",
                pretty.lines().count() + 2
            ),
        ),
    ] {
        let (code, report) = checked(text);
        assert_eq!((code, codes(&report).len()), (Some(5), 3), "{report:#}");
        assert_eq!(report["invalid"]["first"], json!([invalid]));
    }
    let (code, report) = checked(&format!("\u{feff}{}\n", entries[0]));
    assert_eq!((code, &report["invalid"]["count"]), (Some(5), &json!(0)));
    for text in
        ["{\"log\": {}}", "{\n\"log\": {\"entries\": 1}}", "{\"log\": \"password=hunter2\"}"]
    {
        let output = xtask(&case(), &["drift", "--spec", "openapi.yaml", "-"], text);
        let shown = [output.stdout, output.stderr].map(self::text).concat();
        assert!(shown.contains("it has no list `log.entries`"), "{text}: {shown}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
