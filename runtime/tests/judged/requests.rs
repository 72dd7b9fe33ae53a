//! Random values in every style, and forms in parts, as the runtime sends them.

use fastrand::Rng;
use openapi_bindings_runtime::internal::{self, Encoding, ListKeys, Parameter, Style, call};
use openapi_bindings_runtime::{Client, Map, UnknownProperties, Upload, Value};
use serde_json::json;

use crate::support::api::{operation, request, request_of};
use crate::support::client;
use crate::support::server::{Server, response};

/// The values of each row.
const VALUES: usize = 20;

/// The properties of objects, in the order in which they are sent.
const KEYS: [&str; 3] = ["B", "G", "R"];

/// Places, styles with their names, and the values of `explode` that they have.
const STYLES: [(&str, &str, Style, &[bool]); 9] = [
    ("path", "simple", Style::Simple, &[false, true]),
    ("path", "label", Style::Label, &[false, true]),
    ("path", "matrix", Style::Matrix, &[false, true]),
    ("query", "form", Style::Form, &[false, true]),
    ("query", "spaceDelimited", Style::SpaceDelimited, &[false]),
    ("query", "pipeDelimited", Style::PipeDelimited, &[false]),
    ("query", "deepObject", Style::DeepObject(ListKeys::Indices), &[true]),
    ("header", "simple", Style::Simple, &[false, true]),
    ("cookie", "form", Style::Form, &[false, true]),
];

operation!(InPath, "judged.inPath", GET, "/{color}/end", Map => ());
operation!(Elsewhere, "judged.elsewhere", GET, "/", Map => ());
operation!(SendParts, "judged.sendParts", POST, "/", Form => (), |call, body| {
    let encodings = &[Encoding::content("logo", "image/png")];
    call.multipart_body(body, "multipart/form-data", encodings)
});

#[derive(Clone, Default)]
pub struct Form {
    name: String,
    tags: Vec<String>,
    logo: Option<Upload>,
    files: Vec<Upload>,
    unknown: UnknownProperties,
}

internal::object! {
    Form { name!: "name", tags!: "tags", logo: "logo", files!: "files" }
    unknown
}

fn text(random: &mut Rng) -> String {
    const PIECES: [&str; 14] =
        ["a", "b", "Z", "0", "c", ";", "=", "&", "/", " ", "%41", "é", "\u{1f4a9}", "+"];
    (0..random.usize(1..5)).map(|_| PIECES[random.usize(..PIECES.len())]).collect()
}

fn value(kind: &str, random: &mut Rng) -> Value {
    let count = random.usize(1..4);
    match kind {
        "text" => text(random).into(),
        "list" => (0..count).map(|_| text(random)).collect(),
        _ => {
            let names = KEYS.iter().take(count).map(|name| (*name).to_owned());
            Value::Object(names.map(|name| (name, text(random).into())).collect())
        }
    }
}

fn schema(kind: &str) -> Value {
    let text = json!({"type": "string"});
    match kind {
        "text" => text,
        "list" => json!({"type": "array", "items": text}),
        _ => json!({"type": "object", "properties": {"B": text, "G": text, "R": text}}),
    }
}

/// Sends a value, and returns the part of the request that has it.
async fn send(
    client: &Client,
    server: &Server,
    parameter: Parameter,
    place: &str,
    value: Value,
) -> String {
    if place == "path" {
        let call = call::<InPath>(client).value(parameter, value);
        request_of::<InPath>(call, None).await.unwrap();
    } else {
        let call = call::<Elsewhere>(client).value(parameter, value);
        request_of::<Elsewhere>(call, None).await.unwrap();
    }
    let seen = server.take().remove(0);
    let header = |name| seen.headers.get(name).cloned().unwrap_or_default();
    match place {
        "path" => seen.target.trim_start_matches('/').trim_end_matches("/end").to_owned(),
        "query" => seen.target.split_once('?').unwrap_or_default().1.to_owned(),
        "header" => header("color"),
        _ => header("cookie"),
    }
}

/// Returns whether a style has values of a kind.
fn has(style: Style, kind: &str) -> bool {
    match style {
        Style::DeepObject(_) => kind == "object",
        Style::SpaceDelimited | Style::PipeDelimited => kind != "text",
        _ => true,
    }
}

/// Returns a form with its parts, as the runtime sends it.
async fn form(client: &Client, server: &Server, random: &mut Rng) -> Value {
    let name = text(random);
    let tags = vec![text(random), text(random)];
    let content = format!("{}\r\n--\r\n{}", text(random), text(random));
    let file = text(random).replace('%', "\"");
    let part = |name: &str, file: Option<&str>, media: Option<&str>, content: &str| json!({"name": name, "file": file, "type": media, "content": content.as_bytes()});
    let bytes = Some("application/octet-stream");
    let parts = [
        part("name", None, None, &name),
        part("tags", None, None, &tags[0]),
        part("tags", None, None, &tags[1]),
        part("logo", Some(&file), Some("image/png"), &content),
        part("files", Some("files"), bytes, "x"),
        part("files", Some("files"), bytes, "\0é"),
    ];
    let logo = Some(Upload::from(content).with_file_name(&file));
    let files = vec!["x".into(), "\0é".into()];
    let form = Form { name, tags, logo, files, ..Form::default() };
    request::<SendParts>(client, form).await.unwrap();
    let seen = server.take().remove(0);
    json!({"type": seen.headers["content-type"], "body": seen.body.as_bytes(), "parts": parts})
}

#[tokio::test]
#[ignore = "`cargo xtask conformance --judges` judges the requests"]
async fn random_requests_are_sent() {
    let server = Server::new(|_, _| response(204, &[], ""));
    let client = client(server.url()).build().unwrap();
    let random = &mut Rng::with_seed(6570);
    let mut rows = Vec::new();
    let mut paths = Map::new();
    for (place, name, style, explodes) in STYLES {
        let kinds = ["text", "list", "object"].into_iter().filter(|kind| has(style, kind));
        for (kind, explode) in kinds.flat_map(|kind| explodes.iter().map(move |it| (kind, *it))) {
            let parameter = || match place {
                "path" => Parameter::path("color"),
                "query" => Parameter::query("color"),
                "header" => Parameter::header("color"),
                _ => Parameter::cookie("color"),
            };
            let id = format!("{place}-{name}-{explode}-{kind}");
            let path =
                if place == "path" { format!("/{id}/{{color}}/end") } else { format!("/{id}") };
            let described = json!({
                "name": "color", "in": place, "style": name, "explode": explode, "required": true,
                "schema": schema(kind),
            });
            let responses = json!({"200": {"description": "The value."}});
            let operation =
                json!({"operationId": id, "parameters": [described], "responses": responses});
            paths.insert(path, json!({"get": operation}));
            for _ in 0..VALUES {
                let mut value = value(kind, random);
                // Headers are not encoded: servers trim them, and not all read more than ASCII.
                if place == "header" {
                    let plain =
                        |char: char| if char.is_ascii() && char != ' ' { char } else { 'x' };
                    let plain: String = value.to_string().chars().map(plain).collect();
                    value = serde_json::from_str(&plain).unwrap();
                }
                let parameter = parameter().style(style, explode);
                let sent = send(&client, &server, parameter, place, value.clone()).await;
                rows.push(json!({
                    "id": id, "in": place, "style": name, "explode": explode, "kind": kind,
                    "value": value, "sent": sent,
                }));
            }
        }
    }
    let mut forms = Vec::new();
    for _ in 0..VALUES {
        forms.push(form(&client, &server, random).await);
    }
    let document = json!({
        "openapi": "3.0.3", "info": {"title": "Judged", "version": "1"},
        "servers": [{"url": "http://localhost"}], "paths": paths,
    });
    super::write("requests", &json!({"document": document, "rows": rows, "forms": forms}));
}
