//! Bodies that are sequences: lines of JSON, and lists of parts.

use openapi_bindings_runtime::internal::{Encoding, PartHeader};
use openapi_bindings_runtime::{Map, Upload, Value, internal};
use serde_json::json;

use crate::support::api::{operation, request};
use crate::support::client;
use crate::support::server::{Seen, Server};

operation!(Lines, "logs.lines", POST, "/lines", Vec<Map> => (), |call, body| {
    call.lines_body(body, "application/jsonl")
});
operation!(Records, "logs.records", POST, "/records", Vec<Map> => (), |call, body| {
    call.lines_body(body, "application/json-seq")
});
operation!(Parts, "logs.parts", POST, "/parts", Vec<Value> => (), |call, body| {
    let first = const { &[PartHeader { name: "X-Kind", value: Some("first") }] };
    call.multipart_body(body, "multipart/mixed", &[
        Encoding::json("0", "application/vnd.first+json").headers(first),
        Encoding::json("*", "application/vnd.line+json"),
    ])
});
operation!(Photos, "logs.photos", POST, "/photos", Vec<Upload> => (), |call, body| {
    let size = const { &[PartHeader { name: "X-Size", value: None }] };
    let encodings = [Encoding::content("*", "image/png").headers(size)];
    call.multipart_body(body, "multipart/mixed", &encodings)
});

fn line(text: &str) -> Map {
    Map::from_iter([("text".to_owned(), json!(text))])
}

/// Returns the parts of a body, without the boundary.
fn parts(seen: &Seen) -> Vec<String> {
    let media_type = &seen.headers["content-type"];
    let (kind, boundary) = media_type.split_once("; boundary=").unwrap();
    assert_eq!(kind, "multipart/mixed");
    let delimiter = format!("--{boundary}");
    let body = seen.body.strip_suffix(&format!("{delimiter}--\r\n")).unwrap();
    body.split(&delimiter).skip(1).map(str::to_owned).collect()
}

#[tokio::test]
async fn each_element_is_a_line_or_a_record() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    request::<Lines>(&client, vec![line("a\nb"), line("ü")]).await.unwrap();
    request::<Lines>(&client, Vec::new()).await.unwrap();
    request::<Records>(&client, vec![line("a"), line("b")]).await.unwrap();
    let seen = server.seen();
    assert_eq!(seen[0].headers["content-type"], "application/jsonl");
    assert_eq!(seen[0].body, "{\"text\":\"a\\nb\"}\n{\"text\":\"ü\"}\n");
    assert_eq!(seen[1].body, "");
    assert_eq!(seen[2].headers["content-type"], "application/json-seq");
    assert_eq!(seen[2].body, "\u{1e}{\"text\":\"a\"}\n\u{1e}{\"text\":\"b\"}\n");
}

#[tokio::test]
async fn parts_are_encoded_by_position_and_have_no_names() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let values = [json!({"a": 1}), json!([1, 2]), json!("text")];
    request::<Parts>(&client, values.to_vec()).await.unwrap();
    let others = "\r\nContent-Type: application/vnd.line+json\r\n\r\n";
    assert_eq!(
        parts(&server.only()),
        [
            "\r\nContent-Type: application/vnd.first+json\r\nX-Kind: first\r\n\r\n{\"a\":1}\r\n"
                .to_owned(),
            format!("{others}[1,2]\r\n"),
            format!("{others}\"text\"\r\n"),
        ]
    );
}

#[tokio::test]
async fn files_of_a_list_have_their_names_and_headers() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let named = Upload::from("one").with_file_name("a.png").with_header("X-Size", "3");
    let plain = Upload::from("two").with_header("X-Size", "3").with_content_type("image/gif");
    request::<Photos>(&client, vec![named.clone(), plain]).await.unwrap();
    assert_eq!(
        parts(&server.only()),
        [
            "\r\nContent-Disposition: attachment; filename=\"a.png\"\r\nContent-Type: image/png\r\nX-Size: 3\r\n\r\none\r\n",
            "\r\nContent-Type: image/gif\r\nX-Size: 3\r\n\r\ntwo\r\n",
        ]
    );
    let error = request::<Photos>(&client, vec![named, Upload::from("three")]).await.unwrap_err();
    assert!(error.to_string().contains("X-Size"), "{error}");
}
