//! Integers that are strings in JSON: the operations of `as-text/` send and receive them so at every place.

use std::path::Path;

use codegen::SourceFile;
use fake_tenant::server::bytes;
use fake_tenant::{Act, Server};

use crate::support::case::Case;
use crate::support::workspace::Workspace;

/// The runtime has the features of the other programs of tests, so that it is compiled once.
const MANIFEST: &str = "[package]\nname = \"as-text-calls\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
    case-as-text = { path = \"../as-text\", default-features = false, features = [\"client\"] }\n\
    tokio = { version = \"1\", default-features = false, features = [\"rt\"] }\n";

const MAP: &str = r#"{"a":"18446744073709551615"}"#;

/// The replies, by the start of the request and what is in it.
const REPLIES: [(&str, &str, u16, &str); 12] = [
    ("GET /number", "x-fail", 409, r#"["1","2"]"#),
    ("GET /number", "", 200, r#""9007199254740993""#),
    ("GET /list", "", 200, r#"["1","9007199254740993"]"#),
    ("GET /map", "", 200, MAP),
    ("POST /lines", "", 200, "\"1\"\n\"9007199254740993\"\n"),
    (
        "GET /events",
        "",
        200,
        "event: number\ndata: \"9007199254740993\"\n\nevent: map\ndata: {\"a\":\"18446744073709551615\"}\n\n",
    ),
    ("GET /several", "", 201, MAP),
    ("GET /empty", "", 200, r#""7""#),
    ("PUT /union", "true", 200, r#"{"note":"n","a":"18446744073709551615"}"#),
    ("PUT /union", "", 200, r#""5""#),
    ("GET /colors", "", 200, r#"["red","blue"]"#),
    ("GET /color", "", 200, r#""blue""#),
];

/// The bodies that are sent, in order; of forms, the contents of their parts.
const SENT: [&str; 13] = [
    r#"PUT /number "9007199254740993""#,
    r#"PUT /optional "5""#,
    r#"PATCH /patch {"a":"18446744073709551615"}"#,
    r#"PUT /list ["1","9007199254740993"]"#,
    r#"PUT /map {"a":"18446744073709551615"}"#,
    r#"POST /lines "1" "2""#,
    r#"POST /parts "1" "2""#,
    r#"POST /form "1" "2" "3" {"a":"18446744073709551615"} ["4"] "5" "6""#,
    "GET /parameters?number=%221%22&list=%5B%222%22%2C%223%22%5D&plain=4",
    r#"x-map {"a":"18446744073709551615"}"#,
    r#"PUT /union "5""#,
    "PUT /union true",
    r#"PUT /union {"a":"18446744073709551615","note":"n"}"#,
];

#[test]
fn integers_are_strings_at_every_place() {
    let server = Server::new(|_, seen| {
        let request = format!("{} {}", seen.method, seen.target);
        let has = |part: &str| seen.headers.contains_key(part) || seen.body.contains(part);
        let reply = REPLIES
            .iter()
            .find(|(start, part, ..)| request == *start && (part.is_empty() || has(part)));
        let (status, body) = reply.map_or((204, ""), |(_, _, status, body)| (*status, *body));
        Act::Close(bytes(status, &[], body))
    });
    run(&server.url().replace("http://", ""));
    let mut sent = Vec::new();
    for seen in server.take() {
        if !seen.body.is_empty() || seen.target.contains('?') {
            let lines = seen.body.lines().filter(|line| {
                let is_head = line.starts_with("--") || line.to_lowercase().starts_with("content-");
                !line.is_empty() && !is_head
            });
            let parts = [seen.method.as_str(), seen.target.as_str()].into_iter().chain(lines);
            sent.push(parts.collect::<Vec<_>>().join(" "));
        }
        sent.extend(seen.headers.get("x-map").map(|map| format!("x-map {map}")));
    }
    assert_eq!(sent, SENT);
}

/// Runs the program that makes the calls.
fn run(address: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let case = Case::read(&folder.join("as-text/openapi.yaml"));
    let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
    let files = [
        file("Cargo.toml", MANIFEST),
        file("src/main.rs", include_str!("as-text/program.rs.in")),
        file("src/transport.rs", include_str!("support/transport.rs.in")),
    ];
    let mut workspace = Workspace::new("as-text");
    workspace.add("as-text", &case.output().files);
    workspace.add("as-text-calls", &files);
    workspace.finish();
    let arguments = ["run", "--quiet", "--package", "as-text-calls", "--", address];
    workspace.cargo(&arguments).unwrap();
}
