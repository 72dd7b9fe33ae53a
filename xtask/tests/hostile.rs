//! Documents and traffic of strangers: what is printed or written has no character that a terminal executes, that hides
//! or reorders others, or that begins a command for a runner of CI.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Characters of all kinds, without those that paths cannot contain.
const IN_PATHS: &str =
    "\u{202e}a\u{61c}\u{200b}\u{200e}\u{2028}\u{2029}\u{2060}\u{2066}\u{feff}\u{fff9}\u{e0001}b";

/// Commands for a runner: at the start of a line, and anywhere in a line.
const COMMANDS: [&str; 2] = ["::add-mask::", "##[add-mask]"];

/// Returns a text with characters of all kinds, and with commands.
fn hostile() -> String {
    let controls = "\0\u{7}\u{1b}[31m\r\u{7f}\u{85}\u{9b}";
    let [first, second] = COMMANDS;
    format!("x{controls}{IN_PATHS}\n{first}x\n  {first}y\r{first}z {second}x")
}

fn is_hidden(char: char) -> bool {
    char != '\n' && (char.is_control() || IN_PATHS.contains(char) && !char.is_ascii())
}

/// Returns a document with hostile names and texts; `number` makes a difference to another.
fn document(number: usize) -> Value {
    let text = format!("{}{number}", hostile());
    let path = format!("/pets/{IN_PATHS}{number}/{{id}}");
    let gone = format!("gone{text}");
    let schema = json!({
        "title": text,
        "description": text,
        "type": "object",
        "required": [text],
        "properties": {
            &text: { "type": "string", "enum": [text, "a"], "description": text },
            &gone: { "type": "integer", "description": text },
            "kind": { "type": if number == 0 { "string" } else { "integer" } },
        },
    });
    let operation = json!({
        "operationId": "get",
        "tags": ["pets"],
        "summary": text,
        "description": text,
        "parameters": [
            { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
            { "name": text, "in": "query", "description": text, "schema": { "type": "string" } },
        ],
        "responses": { "200": {
            "description": text,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } },
        }},
    });
    json!({
        "openapi": "3.1.1",
        "info": { "title": text, "version": text, "description": text },
        "servers": [{ "url": "https://api.example.com", "description": text }],
        "tags": [{ "name": "pets", "description": text }],
        "paths": { path: { "get": operation } },
        "components": { "schemas": { "Pet": schema } },
    })
}

/// Returns traffic with hostile names and values.
fn traffic() -> String {
    let text = hostile();
    let entry = |query: &str, body: &Value| {
        json!({
            "startedDateTime": "2026-11-23T10:00:00.000Z",
            "request": {
                "method": "GET",
                "url": format!("https://api.example.com/pets/{IN_PATHS}0/1{query}"),
            },
            "response": {
                "status": 200,
                "headers": [{ "name": text, "value": text }],
                "content": { "mimeType": "application/json", "text": body.to_string() },
            },
        })
    };
    let body = json!({ &text: text, "other": { &text: [text] }, format!("{text}2"): 1 });
    let mut media_type = entry("", &body);
    media_type["response"]["content"]["mimeType"] = format!("text/{text}").into();
    let mut route = entry("", &body);
    route["request"]["method"] = text.clone().into();
    let entries = [entry(&format!("?{text}2=1"), &body), media_type, route, text.into()];
    entries.map(|entry| format!("{entry}\n")).concat()
}

/// Fails if a text has a hidden character, or a line that a runner executes.
fn assert_harmless(what: &str, text: &str) {
    let hidden: Vec<char> = text.chars().filter(|char| is_hidden(*char)).collect();
    assert!(hidden.is_empty(), "{what}: {hidden:?}\n{text}");
    let [first, second] = COMMANDS;
    let is_command = |line: &str| line.trim_start().starts_with(first) || line.contains(second);
    let command = text.lines().find(|line| is_command(line));
    assert_eq!(command, None, "{what}\n{text}");
}

/// Runs a command, and returns what it prints.
fn run(folder: &Path, arguments: &[&str], input: &str) -> [String; 2] {
    let mut command = Command::new(env!("CARGO_BIN_EXE_openapi-bindings"));
    command.args(arguments).current_dir(folder).env_remove("CARGO");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that rejects its arguments does not read the input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    for text in &printed {
        assert_harmless(&arguments.join(" "), text);
    }
    printed
}

fn assert_files_harmless(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert_files_harmless(&path);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            let hidden: Vec<char> = text.chars().filter(|char| is_hidden(*char)).collect();
            assert!(hidden.is_empty(), "{}: {hidden:?}", path.display());
        }
    }
}

#[test]
fn no_output_executes_hides_or_reorders_anything() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let name = format!("hostile{IN_PATHS}.json");
    for (path, number) in [(name.as_str(), 0), ("new.json", 1)] {
        fs::write(folder.join(path), document(number).to_string()).unwrap();
    }
    let mut invalid = document(0);
    invalid[hostile()] = json!({ "$ref": hostile() });
    invalid["components"]["schemas"][hostile()] = json!({ "$ref": hostile(), "type": hostile() });
    invalid["components"]["schemas"]["Pet"]["properties"][hostile()] = json!({ "type": hostile() });
    invalid["paths"][format!("/{}", hostile())] = json!({});
    fs::write(folder.join("invalid.json"), invalid.to_string()).unwrap();

    // Generated crates: README.md, Cargo.toml, api.txt and sources.
    let out = ["codegen", "--verbose", "--out", "out", "--package", "hostile", "--spec"];
    let [printed, errors] = run(folder, &[&out[..], &[&name]].concat(), "");
    assert!(printed.contains("files written"), "{printed}\n{errors}");
    assert_files_harmless(&folder.join("out"));
    let api = fs::read_to_string(folder.join("out/api.txt")).unwrap();
    assert!(api.contains("operation GET /pets/\\u{202e}a\\u{61c}"), "{api}");
    let [stale, _] = run(folder, &[&out[..], &["new.json", "--check"]].concat(), "");
    assert!(stale.contains("changed"), "{stale}");
    let [_, errors] = run(folder, &[&out[..], &["invalid.json"]].concat(), "");
    assert!(errors.contains("\\u{1b}[31m") && errors.contains("error["), "{errors}");
    run(folder, &[&out[..], &["invalid.json", "--keep-going"]].concat(), "");

    // The report of changes, whose Markdown is that of the changelog.
    for format in ["text", "json", "markdown", "github", "upgrade"] {
        for verbose in [&["--verbose"][..], &[]] {
            let arguments = [&["diff", &name, "new.json", "--format", format], verbose].concat();
            let [report, errors] = run(folder, &arguments, "");
            assert!(report.contains("\\u") && report.contains("202e"), "{report}\n{errors}");
            if format == "json" {
                let report: Value = serde_json::from_str(&report).unwrap();
                assert_eq!(report["spec_version"]["old"], format!("{}0", hostile()));
            }
        }
    }

    // The report on traffic, and the overlay.
    for format in ["text", "json", "github"] {
        for file in ["overlay.yaml", "other.yaml"] {
            let options = ["--format", format, "--min", "1", "--overlay", file, "--verbose", "-"];
            let arguments = [&["drift", "--spec", &name], &options[..]].concat();
            let [report, errors] = run(folder, &arguments, &traffic());
            assert!(report.contains("unknown-property"), "{report}\n{errors}");
            match format {
                "json" => {
                    let report: Value = serde_json::from_str(&report).unwrap();
                    let messages = report["findings"].as_array().unwrap().iter();
                    let mut messages = messages.filter_map(|it| it["message"].as_str());
                    assert!(messages.any(|it| it.contains(&hostile())), "{report:#}");
                }
                "github" => {
                    let starts = ["::warning file=", "::notice title=not-compared::"];
                    let is_own = |line: &str| starts.iter().any(|it| line.starts_with(it));
                    assert!(report.lines().all(is_own), "{report}");
                }
                _ => assert!(report.contains("\\u{1b}[31m"), "{report}"),
            }
            let overlay = fs::read_to_string(folder.join(file)).unwrap();
            assert_harmless(file, &overlay);
            let [corrected, errors] = run(folder, &["overlay", &name, file], "");
            assert!(errors.is_empty() && corrected.contains("\\u202e"), "{errors}");
            fs::write(folder.join("corrected.yaml"), &corrected).unwrap();
            let arguments = ["drift", "--spec", "corrected.yaml", "--format", "json", "-"];
            let [report, errors] = run(folder, &arguments, &traffic());
            assert!(!report.contains("unknown-property"), "{report}\n{errors}");
            fs::remove_file(folder.join(file)).unwrap();
        }
    }
    // Arguments in messages.
    let argument = hostile().replace('\0', "");
    for command in ["", "codegen", "diff", "explain", "init", "migrate", "overlay", "release"] {
        let arguments: Vec<&str> =
            [command, &argument].into_iter().filter(|it| !it.is_empty()).collect();
        let [_, errors] = run(folder, &arguments, "");
        assert!(errors.contains("\\u{1b}[31m"), "{command}: {errors}");
    }
    // Names of files in messages, and traffic without a valid entry.
    run(folder, &["drift", "--spec", &name, &format!("no{}", hostile().replace('\0', ""))], "");
    run(folder, &["drift", "--spec", "invalid.json", "-"], &hostile());
}
