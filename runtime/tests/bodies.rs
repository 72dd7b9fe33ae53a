//! Bodies other than JSON: forms, files and streams, over real connections.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream;
use openapi_bindings_runtime::internal::{Encoding, Parameter, PartHeader, Style};
use openapi_bindings_runtime::{Bytes, Client, ErrorKind, UnknownProperties, Upload, internal};

use crate::models::{Bank, Scan, Scans};
use crate::support::FirstScheme as _;
use crate::support::api::{operation, request};
use crate::support::clock::TestClock;
use crate::support::server::{Act, Seen, Server, json, response};
use crate::support::{client, timed};

/// A form with each kind of property.
#[derive(Clone, Default)]
pub struct Form {
    name: String,
    size: Option<i64>,
    tags: Option<Vec<String>>,
    about: Option<About>,
    place: Option<About>,
    file: Option<Upload>,
    others: Option<Vec<Upload>>,
    id: Option<String>,
    unknown: UnknownProperties,
}

internal::object! {
    Form {
        name!: "name",
        size: "size",
        tags: "tags",
        about: "about",
        place: "place",
        file: "file",
        others: "others",
        id: "id" readonly,
    }
    unknown
}

#[derive(Clone, Default)]
pub struct About {
    title: Option<String>,
    marks: Option<Vec<i64>>,
    unknown: UnknownProperties,
}

internal::object! {
    About { title: "title", marks: "marks" }
    unknown
}

operation!(SendForm, "SendForm", POST, "/bodies", Form => (), |call, body| {
    let place =
        Parameter::query("place").style(Style::DeepObject(internal::ListKeys::Indices), true);
    call.form_body(body, &[Encoding::style(place)])
});
operation!(SendParts, "SendParts", POST, "/bodies", Form => (), |call, body| {
    let encodings = &[
        Encoding::content("file", "image/png"),
        Encoding::style(Parameter::query("place").style(Style::Form, true)),
    ];
    call.multipart_body(body, "multipart/form-data", encodings)
});
operation!(SendScans, "SendScans", POST, "/bodies", Scans => (), |call, body| {
    call.multipart_body(body, "multipart/form-data", &[])
});
operation!(SendRelated, "SendRelated", POST, "/bodies", Form => (), |call, body| {
    let headers = &[
        PartHeader { name: "X-Version", value: Some("2") },
        PartHeader { name: "X-Checksum", value: None },
    ];
    let encodings = &[Encoding::new("file").headers(headers)];
    call.multipart_body(body, "multipart/related", encodings)
});
operation!(PutUpload, "PutUpload", PUT, "/bodies", Upload => (), |call, body| {
    call.upload_body(body, "application/octet-stream")
});
operation!(PostUpload, "PostUpload", POST, "/bodies", Upload => (), |call, body| {
    call.upload_body(body, "application/octet-stream")
});
operation!(PutImage, "PutImage", PUT, "/bodies", Upload => (), |call, body| {
    call.upload_body(body, "image/*")
});
operation!(SendJson, "SendJson", POST, "/bodies", Form => (), |call, body| call.json(body));
operation!(SendText, "SendText", POST, "/bodies", String => (), |call, body| {
    call.text_body(body, "text/plain")
});

impl Form {
    #[cfg(all(feature = "fs", unix))]
    pub fn with_file(file: Upload) -> Self {
        Self { file: Some(file), ..Self::default() }
    }

    pub fn with_files(files: impl Into<Vec<Upload>>) -> Self {
        Self { others: Some(files.into()), ..Self::default() }
    }
}

fn form() -> Form {
    let about =
        || About { title: Some("a & b".into()), marks: Some(vec![1, 2]), ..About::default() };
    Form {
        name: "é=1 +".into(),
        size: Some(7),
        tags: Some(vec!["x".into(), "y,z".into()]),
        about: Some(about()),
        place: Some(about()),
        id: Some("read-only".into()),
        ..Form::default()
    }
}

fn on(server: &Server) -> Client {
    client(server.url()).build().unwrap()
}

fn chunks(parts: &[&'static str]) -> Upload {
    let parts: Vec<_> = parts.iter().map(|part| Bytes::from_static(part.as_bytes())).collect();
    Upload::from_stream(stream::iter(parts.into_iter().map(Ok::<_, Infallible>)))
}

/// A stream whose uses are counted.
fn counted(uses: &Arc<AtomicUsize>) -> Upload {
    let uses = Arc::clone(uses);
    Upload::from_stream(stream::once(async move {
        uses.fetch_add(1, Ordering::Relaxed);
        Ok::<_, Infallible>(Bytes::from_static(b"content"))
    }))
    .with_length(7)
}

#[tokio::test]
async fn forms_are_written_by_type_and_style() {
    let server = Server::json("{}");
    request::<SendForm>(&on(&server), form()).await.unwrap();
    let seen = server.only();
    assert_eq!(seen.headers["content-type"], "application/x-www-form-urlencoded");
    assert_eq!(
        seen.body,
        "name=%C3%A9%3D1%20%2B&size=7&tags=x&tags=y%2Cz\
         &about=%7B%22title%22%3A%22a%20%26%20b%22%2C%22marks%22%3A%5B1%2C2%5D%7D\
         &place%5Btitle%5D=a%20%26%20b&place%5Bmarks%5D%5B0%5D=1&place%5Bmarks%5D%5B1%5D=2"
    );
}

#[tokio::test]
async fn a_form_without_parts_refuses_files() {
    let server = Server::json("{}");
    let form = Form { file: Some(Upload::from("x")), ..form() };
    let error = request::<SendForm>(&on(&server), form).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    assert!(error.to_string().contains("`file`"), "{error}");
    assert!(server.seen().is_empty());
}

/// A part as an independent parser reads it: name, file name, media type and content.
type Part = (String, Option<String>, Option<String>, Bytes);

async fn parts(seen: &Seen) -> Vec<Part> {
    let boundary = multer::parse_boundary(&seen.headers["content-type"]).unwrap();
    let body = Bytes::from(seen.body.clone());
    let body = stream::once(async { Ok::<_, Infallible>(body) });
    let mut multipart = multer::Multipart::new(body, boundary);
    let mut parts = Vec::new();
    while let Some(field) = multipart.next_field().await.unwrap() {
        parts.push((
            field.name().unwrap().to_owned(),
            field.file_name().map(str::to_owned),
            field.content_type().map(ToString::to_string),
            field.bytes().await.unwrap(),
        ));
    }
    parts
}

#[tokio::test]
async fn parts_are_read_by_another_implementation() {
    let server = Server::json("{}");
    let form = Form {
        file: Some(Upload::from("PNG\r\n--not a boundary").with_file_name("a.png")),
        others: Some(vec![
            chunks(&["one", "", "two"]).with_length(6).with_content_type("text/csv"),
            Upload::from(vec![b'z']).with_header("X-Part", "7"),
        ]),
        ..form()
    };
    request::<SendParts>(&on(&server), form).await.unwrap();
    let seen = server.only();
    assert!(seen.body.contains("\r\nX-Part: 7\r\n"), "{}", seen.body);
    let part = |name: &str, file: Option<&str>, media_type: Option<&str>, content: &'static str| {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        (name.to_owned(), owned(file), owned(media_type), Bytes::from_static(content.as_bytes()))
    };
    let json = "{\"title\":\"a & b\",\"marks\":[1,2]}";
    assert_eq!(
        parts(&seen).await,
        [
            part("name", None, None, "é=1 +"),
            part("size", None, None, "7"),
            part("tags", None, None, "x"),
            part("tags", None, None, "y,z"),
            part("about", None, Some("application/json"), json),
            part("title", None, None, "a & b"),
            part("marks", None, None, "1"),
            part("marks", None, None, "2"),
            part("file", Some("a.png"), Some("image/png"), "PNG\r\n--not a boundary"),
            part("others", Some("others"), Some("text/csv"), "onetwo"),
            part("others", Some("others"), Some("application/octet-stream"), "z"),
        ]
    );
}

#[tokio::test]
async fn parts_have_the_headers_of_the_spec_unless_the_file_has_them() {
    let server = Server::json("{}");
    let client = on(&server);
    let with = |file| Form { file: Some(file), ..Form::default() };
    let file = || Upload::from("x").with_header("x-checksum", "7");
    request::<SendRelated>(&client, with(file())).await.unwrap();
    request::<SendRelated>(&client, with(file().with_header("x-version", "3"))).await.unwrap();
    let error = request::<SendRelated>(&client, with(Upload::from("x"))).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    assert!(error.to_string().contains("`file`") && error.to_string().contains("`X-Checksum`"));
    let [first, second] = &server.seen()[..] else { panic!("the third is not sent") };
    let content_type = &first.headers["content-type"];
    assert!(content_type.starts_with("multipart/related; boundary="), "{content_type}");
    assert!(content_type.ends_with("; type=\"text/plain\""), "{content_type}");
    assert!(!first.body.contains("form-data"), "{}", first.body);
    assert!(first.body.contains("\r\nx-checksum: 7\r\nX-Version: 2\r\n"), "{}", first.body);
    assert!(second.body.contains("\r\nx-version: 3\r\n"), "{}", second.body);
    assert!(!second.body.contains("X-Version"), "{}", second.body);
}

#[tokio::test]
async fn hostile_file_names_add_no_header() {
    let server = Server::json("{}");
    let name = "a\"; name=\"admin\r\nX-Evil: 1\r\n\r\n;é\\.txt";
    let form = Form { file: Some(Upload::from("x").with_file_name(name)), ..Form::default() };
    request::<SendParts>(&on(&server), form).await.unwrap();
    let seen = server.only();
    let line = "; filename=\"a%22; name=%22admin%0D%0AX-Evil: 1%0D%0A%0D%0A;é\\.txt\"\r\n";
    assert!(seen.body.contains(line), "{}", seen.body);
    assert_eq!(parts(&seen).await.len(), 2, "the name, and the file");
}

#[tokio::test]
async fn files_among_alternatives_are_parts() {
    let server = Server::json("{}");
    let file = || Upload::from("x");
    let bank = || Scan::Bank(Bank { iban: Some("7".to_owned()), ..Bank::default() });
    let album = Scans {
        one: Some(Scan::File(file())),
        several: Some(Scan::FileList(vec![file(), file()])),
        all: Some(vec![Scan::File(file()), bank()]),
        ..Scans::default()
    };
    request::<SendScans>(&on(&server), album).await.unwrap();
    let parts = parts(&server.only()).await;
    let names: Vec<_> = parts.iter().map(|(name, file, ..)| (&**name, file.as_deref())).collect();
    let file = |name| (name, Some(name));
    let expected = [file("one"), file("several"), file("several"), file("all"), ("all", None)];
    assert_eq!(names, expected);
    assert!(parts[..4].iter().all(|(.., content)| **content == *b"x"));
    assert_eq!(*parts[4].3, *b"{\"iban\":\"7\"}");
}

#[tokio::test]
async fn invalid_headers_of_parts_fail_the_call() {
    let server = Server::json("{}");
    for file in [
        Upload::from("x").with_content_type("text/plain\r\nX-Evil: 1"),
        Upload::from("x").with_header("X Y", "1"),
        Upload::from("x").with_header("X-Y", "1\n2"),
        Upload::from("x").with_header("content-type", "text/html"),
        Upload::from("x").with_header("Content-Disposition", "form-data; name=\"admin\""),
    ] {
        let form = Form { file: Some(file), ..Form::default() };
        let error = request::<SendParts>(&on(&server), form).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Request, "{error}");
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn json_with_content_that_is_not_text_fails_the_call() {
    let server = Server::json("{}");
    let with = |file| Form { file: Some(file), ..Form::default() };
    request::<SendJson>(&on(&server), with(Upload::from("a text"))).await.unwrap();
    for file in [Upload::from(b"\xff"), chunks(&["a"])] {
        let error = request::<SendJson>(&on(&server), with(file)).await.unwrap_err();
        assert!(error.to_string().contains("JSON cannot hold"), "{error}");
    }
    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    assert!(seen[0].body.contains(r#""file":"a text""#), "{}", seen[0].body);
}

#[tokio::test]
async fn contents_are_sent_with_their_types() {
    let server = Server::json("{}");
    let client = on(&server);
    request::<SendText>(&client, "é".to_owned()).await.unwrap();
    request::<PutUpload>(&client, Upload::from(b"bytes")).await.unwrap();
    let csv = chunks(&["a,", "b"]).with_length(3).with_content_type("text/csv");
    request::<PostUpload>(&client, csv).await.unwrap();
    let seen = server.seen();
    let seen = seen.iter().map(|seen| (seen.headers["content-type"].as_str(), seen.body.as_str()));
    let expected =
        [("text/plain", "é"), ("application/octet-stream", "bytes"), ("text/csv", "a,b")];
    assert_eq!(seen.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_range_needs_the_media_type_of_the_content() {
    let server = Server::json("{}");
    let client = on(&server);
    let untyped = request::<PutImage>(&client, Upload::from(b"png")).await.unwrap_err();
    assert_eq!(untyped.kind(), ErrorKind::Request);
    assert!(untyped.to_string().contains("`image/*`"), "{untyped}");
    let image = Upload::from(b"png").with_content_type("image/png");
    request::<PutImage>(&client, image).await.unwrap();
    assert_eq!(server.only().headers["content-type"], "image/png");
}

#[tokio::test]
async fn a_stream_that_does_not_have_its_length_fails_the_call() {
    let server = Server::json("{}");
    for length in [3, 5] {
        let upload = chunks(&["ab", "cd"]).with_length(length);
        let error = request::<PutUpload>(&on(&server), upload).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Request, 1), "{error}");
        assert!(error.to_string().contains("than its length"), "{error}");
    }
    assert!(server.seen().is_empty(), "no request was complete");
}

#[tokio::test]
async fn an_error_of_a_stream_ends_the_call() {
    let server = Server::json("{}");
    let upload = Upload::from_stream(stream::iter([Ok(Bytes::from("a")), Err("disk on fire")]));
    let error = request::<PutUpload>(&on(&server), upload.with_length(9)).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Request, 1), "{error}");
    assert!(error.to_string().contains("disk on fire"), "{error}");
}

#[tokio::test]
async fn a_stream_is_never_sent_twice() {
    let acts: [fn() -> Act; 4] = [
        || response(503, &[("retry-after", "0")], ""),
        || response(429, &[("retry-after", "0")], ""),
        || Act::Reset(Vec::new()),
        || Act::Close(Vec::new()),
    ];
    for act in acts {
        let clock = TestClock::new();
        let server = Server::new(move |_, _| act());
        let uses = Arc::new(AtomicUsize::new(0));
        let client = timed(client(server.url()), &clock).build().unwrap();
        let error = request::<PutUpload>(&client, counted(&uses)).await.unwrap_err();
        assert_eq!((error.attempts(), uses.load(Ordering::Relaxed)), (1, 1), "{error}");
        assert!(error.to_string().contains("not retried: its body is a stream"), "{error}");
    }
}

#[tokio::test]
async fn a_stream_is_not_sent_again_with_another_token() {
    let server = Server::new(|number, seen| match seen.target.as_str() {
        "/token" => json(200, &format!(r#"{{"access_token":"t{number}"}}"#)),
        _ => json(401, "{}"),
    });
    let client = client(server.url()).client_credentials("/token", "me", "x").build().unwrap();
    let uses = Arc::default();
    let error = request::<PutUpload>(&client, counted(&uses)).await.unwrap_err();
    assert_eq!((error.status(), error.attempts()), (Some(401), 1));
    assert!(error.to_string().contains("its body is a stream"), "{error}");
    assert_eq!(uses.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn bytes_are_sent_again() {
    let clock = TestClock::new();
    let server = Server::new(|number, _| match number {
        0 => response(503, &[], ""),
        1 => Act::Reset(Vec::new()),
        _ => json(200, "{}"),
    });
    let client = timed(client(server.url()), &clock).build().unwrap();
    request::<PutUpload>(&client, Upload::from("content")).await.unwrap();
    let bodies: Vec<_> = server.seen().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies, ["content"; 3]);
}

#[tokio::test]
async fn a_stream_that_was_not_read_is_retried() {
    let clock = TestClock::new();
    let uses = Arc::new(AtomicUsize::new(0));
    let builder = timed(client(crate::support::server::unused_port()), &clock);
    let error = request::<PostUpload>(&builder.build().unwrap(), counted(&uses)).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Connect, 4), "{error}");
    assert_eq!(uses.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_clone_of_a_request_cannot_send_the_stream_of_the_other() {
    let server = Server::json("{}");
    let first = request::<PostUpload>(&on(&server), counted(&Arc::default()));
    let second = first.clone();
    first.await.unwrap();
    let error = second.await.unwrap_err();
    assert_eq!((error.kind(), server.seen().len()), (ErrorKind::Request, 1), "{error}");
    assert!(error.to_string().contains("already sent"), "{error}");
}

#[cfg(feature = "fs")]
#[tokio::test]
async fn files_are_opened_for_each_attempt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b.txt");
    std::fs::write(&path, "from disk").unwrap();
    let clock = TestClock::new();
    let server =
        Server::new(|number, _| if number == 0 { json(503, "{}") } else { json(200, "{}") });
    let client = timed(client(server.url()), &clock).build().unwrap();
    request::<PutUpload>(&client, Upload::from_path(&path)).await.unwrap();
    let bodies: Vec<_> = server.take().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies, ["from disk"; 2]);
    let form = Form { file: Some(Upload::from_path(&path)), ..Form::default() };
    request::<SendParts>(&client, form).await.unwrap();
    let parts = parts(&server.only()).await;
    assert_eq!((parts[1].1.as_deref(), &parts[1].3[..]), (Some("a b.txt"), &b"from disk"[..]));
    let missing = Upload::from_path(folder.path().join("missing"));
    let error = request::<PutUpload>(&client, missing).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Request, 1), "{error}");
    assert!(error.to_string().contains("missing`"), "{error}");
}

#[cfg(feature = "test-util")]
#[tokio::test]
async fn the_fake_shows_fields_and_parts() {
    use openapi_bindings_runtime::testing::FakeTransport;

    use crate::support::api::Request;

    let fake = FakeTransport::new();
    fake.reply::<Request<SendForm>>(()).reply::<Request<SendParts>>(());
    let client = client("http://127.0.0.1").transport(fake.clone()).build().unwrap();
    let media_type = "application/x-www-form-urlencoded; charset=utf-8";
    let sent = request::<SendForm>(&client, form()).with_header("content-type", media_type);
    sent.await.unwrap();
    let file = chunks(&["x", "y"]).with_file_name("q\"\r\n.bin");
    let form = Form { file: Some(file), ..form() };
    request::<SendParts>(&client, form).await.unwrap();
    let requests = fake.requests();
    assert_eq!(requests[0].form("name"), Some("é=1 +"));
    assert_eq!(requests[0].form("place[marks][1]"), Some("2"));
    assert!(requests[0].parts.is_empty() && requests[1].form.is_empty());
    let file = requests[1].part("file").unwrap();
    assert_eq!((file.file_name.as_deref(), &file.content[..]), (Some("q\"\r\n.bin"), &b"xy"[..]));
    assert_eq!(file.content_type(), Some("image/png"));
    assert_eq!(requests[1].part("size").unwrap().text(), Some("7"));
    assert_eq!(requests[1].parts.len(), 9);
    let shown = format!("{requests:?}");
    assert!(!shown.contains("é=1") && !shown.contains("q\\\""), "no values: {shown}");
    fake.verify();
}
