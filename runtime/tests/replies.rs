//! Successful replies of every form.

use openapi_bindings_runtime::internal::{self, Endpoint, FromReply, Received};
use openapi_bindings_runtime::{
    Bytes, DriftKind, Error, ErrorKind, Map, RawReply, ReplyHeader, Secret, Timestamp, Value,
};
use std::sync::{Arc, Mutex};

use crate::support::api::request;
use crate::support::client;
use crate::support::server::{Act, Server, response};

/// Declares an operation with its output, its format and its statuses.
macro_rules! operation {
    ($name:ident, $output:ty, $format:ty, $statuses:expr, $empty:expr, $accept:expr) => {
        pub struct $name;

        impl Endpoint for $name {
            type Body = ();
            type Output = $output;
            type Format = $format;
            const OPERATION: &'static internal::Operation =
                &internal::Operation { id: "reports.get", method: "GET", path: "/reports" };
            const STATUSES: &'static [u16] = $statuses;
            const EMPTY: &'static [u16] = $empty;
            const ACCEPT: Option<&'static str> = $accept;
        }
    };
}

operation!(Text, String, internal::Text, &[200], &[], Some("text/plain, text/csv"));
operation!(Binary, Bytes, internal::Binary, &[200], &[], Some("image/png"));
operation!(Optional, Option<Map>, internal::Optional<internal::Json>, &[200], &[204], None);
operation!(Any, Option<Map>, internal::Optional<internal::Json>, &[2], &[200, 204, 304], None);
operation!(NoOption, Option<Map>, internal::Optional<internal::Json>, &[200], &[304], None);
operation!(OrNull, Option<Map>, internal::Json, &[200], &[], None);
operation!(OptionalOrNull, Option<Map>, internal::OptionalOrNull, &[200], &[204], None);
operation!(Nothing, (), internal::Empty, &[200], &[], None);
operation!(Deleted, (), internal::Empty, &[200], &[204, 3], None);
operation!(Created, Map, internal::Json, &[201, 202], &[], None);
operation!(Several, Reply, internal::Several, &[200], &[204], None);

#[derive(Debug, PartialEq)]
pub enum Reply {
    Ok(Map),
    Accepted(String),
    NoContent,
    Other(RawReply),
}

impl FromReply for Reply {
    fn from_reply(reply: &Received<'_>) -> Result<Self, Error> {
        match reply.status() {
            200 => reply.json().map(Self::Ok),
            202 => reply.text().map(Self::Accepted),
            204 => Ok(Self::NoContent),
            _ => reply.other().map(Self::Other),
        }
    }
}

/// Calls an operation of a server with one reply.
async fn call<E: Endpoint<Body = ()>>(
    status: u16,
    media_type: &'static str,
    body: &'static str,
) -> (Result<E::Output, Error>, String) {
    let headers = [("content-type", media_type)];
    let server = Server::new(move |_, _| response(status, &headers, body));
    let client = client(server.url()).build().unwrap();
    let reply = request::<E>(&client, ()).await;
    (reply, server.only().headers["accept"].clone())
}

#[tokio::test]
async fn texts_and_bytes_are_what_was_sent() {
    let (text, accept) = call::<Text>(200, "text/plain; charset=iso-8859-1", "a").await;
    assert_eq!((text.unwrap().as_str(), accept.as_str()), ("a", "text/plain, text/csv"));
    let (bytes, accept) = call::<Binary>(200, "image/png", "PNG").await;
    assert_eq!((bytes.unwrap(), accept.as_str()), (Bytes::from("PNG"), "image/png"));
    let (text, _) = call::<Text>(200, "text/plain; charset=klingon", "a").await;
    let error = text.unwrap_err();
    assert_eq!((error.kind(), error.body()), (ErrorKind::Decode, &b"a"[..]));
}

/// Encoded content has not the media type of the reply (RFC 9110, section 8.4). Every text is one of Latin-1.
#[tokio::test]
async fn encoded_texts_and_bytes_are_errors() {
    let latin = ("content-type", "text/plain; charset=iso-8859-1");
    for codings in [&["zstd"][..], &["Compress"], &["zstd, gzip"], &["identity", "zstd"]] {
        let codings = codings.iter().map(|coding| ("content-encoding", *coding));
        let headers: Vec<_> = codings.chain([latin]).collect();
        let server = Server::new(move |_, _| response(200, &headers, "coded"));
        let client = client(server.url()).build().unwrap();
        for error in [
            request::<Text>(&client, ()).await.unwrap_err(),
            request::<Binary>(&client, ()).await.unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.body()), (ErrorKind::Decode, &b"coded"[..]));
            assert!(error.to_string().contains("which was not decoded"), "{error}");
        }
        let raw = request::<Binary>(&client, ()).send_raw().await.unwrap();
        assert_eq!(raw.body(), "coded");
    }
    // A name that is no coding changes nothing.
    for coding in ["identity", "utf-8", "aws-chunked"] {
        let headers = [("content-encoding", coding), ("content-type", "image/png")];
        let server = Server::new(move |_, _| response(200, &headers, "PNG"));
        let client = client(server.url()).build().unwrap();
        assert_eq!(request::<Binary>(&client, ()).await.unwrap(), "PNG");
    }
}

#[tokio::test]
async fn a_body_or_nothing_is_an_option() {
    let map = || Map::from_iter([("a".to_owned(), Value::from(1))]);
    for (status, body, value) in [
        (200, r#"{"a":1}"#, Ok(Some(map()))),
        (204, "", Ok(None)),
        (202, "", Err(ErrorKind::Decode)),
        (200, "", Err(ErrorKind::Decode)),
        (202, r#"{"a":1}"#, Err(ErrorKind::Decode)),
    ] {
        let (reply, accept) = call::<Optional>(status, "application/json", body).await;
        assert_eq!(reply.map_err(|error| error.kind()), value, "{status} {body}");
        assert_eq!(accept, "application/json");
    }
    let some = || Ok(Some(map()));
    for (status, body, value) in [
        (201, r#"{"a":1}"#, some()),
        (200, r#"{"a":1}"#, some()),
        (200, "", Ok(None)),
        (204, "", Ok(None)),
        (304, "", Ok(None)),
        (202, "", Err(ErrorKind::Decode)),
    ] {
        let (reply, _) = call::<Any>(status, "application/json", body).await;
        assert_eq!(reply.map_err(|error| error.kind()), value, "{status} {body}");
    }
}

/// A null is no value only where the spec allows it. It is not the absence of a body.
#[tokio::test]
async fn a_body_that_may_be_null_is_an_option() {
    let map = || Ok(Some(Map::from_iter([("a".to_owned(), Value::from(1))])));
    let failed = || Err(ErrorKind::Decode);
    for (status, body, or_null, optional, optional_or_null) in [
        (200, r#"{"a":1}"#, map(), map(), map()),
        (200, " null\n", Ok(None), failed(), Ok(None)),
        (200, "", failed(), failed(), failed()),
        (204, "", failed(), Ok(None), Ok(None)),
        (202, "null", failed(), failed(), failed()),
    ] {
        let kind = |error: Error| error.kind();
        let replies = [
            call::<OrNull>(status, "application/json", body).await.0.map_err(kind),
            call::<Optional>(status, "application/json", body).await.0.map_err(kind),
            call::<OptionalOrNull>(status, "application/json", body).await.0.map_err(kind),
        ];
        assert_eq!(replies, [or_null, optional, optional_or_null], "{status} {body}");
    }
}

/// Any successful status is the success of an operation that returns nothing, whatever it contains.
#[tokio::test]
async fn an_ignored_body_can_have_any_status_and_form() {
    for (status, body) in [(200, "{"), (201, "no JSON"), (204, ""), (207, "[1]"), (299, "")] {
        call::<Nothing>(status, "application/json", body).await.0.unwrap();
    }
}

/// An ignored body is no reason to be silent about a status.
#[tokio::test]
async fn an_undeclared_status_of_nothing_is_drift() {
    for (status, is_declared) in [(204, true), (302, true), (200, false), (202, false)] {
        for is_strict in [false, true] {
            let server = Server::new(move |_, _| response(status, &[("location", "/")], ""));
            let found = Arc::new(Mutex::new(Vec::new()));
            let report = Arc::clone(&found);
            let client = client(server.url());
            let client = if is_strict { client.strict() } else { client };
            let client = client.on_drift(move |it| report.lock().unwrap().push(it.to_string()));
            let reply = request::<Deleted>(&client.build().unwrap(), ()).await;
            assert_eq!(reply.is_ok(), is_declared || !is_strict, "{status} {is_strict}");
            assert_eq!(found.lock().unwrap().is_empty(), is_declared, "{status}");
            assert_eq!(server.seen().len(), 1);
        }
    }
}

/// Replies that have no content by their method or their status (RFC 9110, section 6.4.1), whatever their headers say.
#[tokio::test]
async fn replies_without_content_have_no_body() {
    struct Head;

    impl Endpoint for Head {
        type Body = ();
        type Output = ();
        type Format = internal::Empty;
        const OPERATION: &'static internal::Operation =
            &internal::Operation { id: "reports.head", method: "HEAD", path: "/reports" };
    }

    let server = |head: &'static str| {
        Server::new(move |_, _| Act::Close(format!("HTTP/1.1 {head}\r\n\r\n").into_bytes()))
    };
    let head =
        server("200 OK\r\ncontent-length: 999999999999\r\ncontent-encoding: gzip\r\nx-total: 7");
    let client_of = |server: &Server| client(server.url()).build().unwrap();
    let reply = request::<Head>(&client_of(&head), ()).send_raw().await.unwrap();
    assert_eq!((reply.headers()["x-total"].as_bytes(), reply.body().len()), (&b"7"[..], 0));
    reply.decode().unwrap();
    for status in [201, 202] {
        call::<Created>(status, "application/json", "{}").await.0.unwrap();
    }
    for status in [200, 204, 206] {
        let body = if status == 204 { "" } else { "{}" };
        let server = Server::new(move |_, _| response(status, &[], body));
        let found = Arc::new(Mutex::new(Vec::new()));
        let report = Arc::clone(&found);
        let client = client(server.url()).on_drift(move |drift| {
            let findings = drift.findings.iter().map(|it| (it.kind, it.name.clone()));
            report.lock().unwrap().extend(findings);
        });
        let client = client.build().unwrap();
        let error = request::<Created>(&client, ()).await.unwrap_err();
        assert_eq!((error.kind(), error.body()), (ErrorKind::Decode, body.as_bytes()));
        assert_eq!(*found.lock().unwrap(), [(DriftKind::UnknownStatus, status.to_string())]);
    }
    let server = Server::new(|_, _| response(203, &[], "{}"));
    let client = client(server.url()).strict().build().unwrap();
    assert!(request::<Several>(&client, ()).await.unwrap_err().is_decode());
}

/// A status that is declared without a body has none, whatever its head says and whatever follows it.
#[tokio::test]
async fn statuses_without_a_body_have_no_content_at_any_door() {
    struct Download;

    impl Endpoint for Download {
        type Body = ();
        type Output = Option<Bytes>;
        type Format = internal::Optional<internal::Binary>;
        const OPERATION: &'static internal::Operation =
            &internal::Operation { id: "files.get", method: "GET", path: "/file" };
        const STATUSES: &'static [u16] = &[200];
        const EMPTY: &'static [u16] = &[202, 302, 304];
        const ACCEPT: Option<&'static str> = Some("image/png");
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.png");
    std::fs::write(&path, "old").unwrap();
    for (status, sent) in [
        (304, "304 Not Modified\r\ncontent-length: 1000\r\n\r\n"),
        (304, "304 Not Modified\r\ncontent-length: 999999999999\r\n\r\n"),
        (304, "304 Not Modified\r\ncontent-encoding: zstd\r\n\r\n"),
        (302, "302 Found\r\nlocation: /x\r\ncontent-length: 13\r\n\r\n<html></html>"),
        (302, "302 Found\r\ncontent-encoding: zstd\r\ncontent-length: 3\r\n\r\n<p>"),
        (202, "202 Accepted\r\ncontent-length: 9\r\n\r\n{\"job\":1}"),
    ] {
        let server = Server::new(move |_, _| Act::Send(format!("HTTP/1.1 {sent}").into_bytes()));
        let client = client(server.url()).build().unwrap();
        let request = || request::<Download>(&client, ());
        let awaited = request().await.map_err(|error| error.kind());
        let expected = if status == 202 { Err(ErrorKind::Decode) } else { Ok(None) };
        assert_eq!(awaited, expected, "{sent}");
        let open = || internal::open(request(), (&[200], "image/png"));
        let mut stream = open().await.unwrap();
        assert_eq!((stream.status(), stream.length()), (status, None), "{sent}");
        assert_eq!(stream.try_next().await.unwrap(), None, "{sent}");
        #[cfg(feature = "fs")]
        assert!(open().await.unwrap().save(&path).await.unwrap_err().is_decode(), "{sent}");
        assert_eq!(std::fs::read(&path).unwrap(), b"old", "{sent}");
        let events =
            internal::events::<Value, internal::Json>(request(), (&[200], "text/event-stream"));
        assert!({ events }.try_next().await.unwrap().is_none(), "{sent}");
        let lines =
            internal::lines::<Value, internal::Json>(request(), (&[200], "application/jsonl"));
        assert!({ lines }.try_next().await.unwrap().is_none(), "{sent}");
    }
}

#[tokio::test]
async fn headers_have_their_types() {
    const COUNT: ReplyHeader<i32> = ReplyHeader::new("x-count");
    const IS_LAST: ReplyHeader<bool> = ReplyHeader::new("x-last");
    const RATIO: ReplyHeader<f64> = ReplyHeader::new("x-ratio");
    const AT: ReplyHeader<Timestamp> = ReplyHeader::new("x-at");
    const MODIFIED: ReplyHeader<Timestamp> = ReplyHeader::new("last-modified");
    const KEY: ReplyHeader<Secret<String>> = ReplyHeader::new("x-key");
    const TAGS: ReplyHeader<Vec<String>> = ReplyHeader::new("x-tags");
    const COOKIES: ReplyHeader<Vec<String>> = ReplyHeader::new("set-cookie");
    const PAGES: ReplyHeader<Vec<u32>> = ReplyHeader::new("x-pages");
    const ABSENT: ReplyHeader<String> = ReplyHeader::new("x-absent");
    let headers = [
        ("X-Count", " 7 "),
        ("X-Last", "true"),
        ("X-Ratio", "0.5"),
        ("X-At", "2026-01-02T03:04:05Z"),
        ("Last-Modified", "Fri, 02 Jan 2026 03:04:05 GMT"),
        ("X-Key", "hunter2"),
        ("X-Tags", "a, b"),
        ("X-Tags", "c,,"),
        ("Set-Cookie", "a=b; Expires=Wed, 09 Jun 2021 10:18:14 GMT"),
        ("Set-Cookie", "c=d"),
        ("X-Pages", "1,x"),
    ];
    for status in [200, 404] {
        let server = Server::new(move |_, _| response(status, &headers, "[]"));
        let client = client(server.url()).build().unwrap();
        let reply = request::<Text>(&client, ()).send_raw().await;
        let error = reply.as_ref().err();
        macro_rules! header {
            ($header:expr) => {
                match &reply {
                    Ok(reply) => reply.header($header),
                    Err(error) => error.header($header),
                }
            };
        }
        assert_eq!(error.is_some(), status == 404);
        assert_eq!(
            (header!(COUNT), header!(IS_LAST), header!(RATIO)),
            (Some(7), Some(true), Some(0.5))
        );
        assert_eq!(header!(AT), Some("2026-01-02T03:04:05Z".parse().unwrap()));
        assert_eq!(header!(MODIFIED), header!(AT));
        assert_eq!(header!(KEY).unwrap().expose(), "hunter2");
        assert_eq!(header!(TAGS), Some(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]));
        let cookies = ["a=b; Expires=Wed, 09 Jun 2021 10:18:14 GMT", "c=d"];
        assert_eq!(header!(COOKIES).unwrap(), cookies, "commas do not separate cookies");
        assert_eq!((header!(PAGES), header!(ABSENT)), (None, None), "not the type, and not there");
        let other: ReplyHeader<i64> = ReplyHeader::new("x-tags");
        assert_eq!(header!(other), None, "a text is no integer");
        assert_eq!(format!("{COUNT:?}"), r#"ReplyHeader("x-count")"#);
    }
}

#[tokio::test]
async fn headers_that_do_not_have_their_type_have_no_value() {
    let headers = [("X-Tags", "a"), ("X-Tags", "\u{e9}"), ("X-Ratio", "nan"), ("X-Last", "inf")];
    let server = Server::new(move |_, _| response(200, &headers, "[]"));
    let client = client(server.url()).build().unwrap();
    let reply = request::<Text>(&client, ()).send_raw().await.unwrap();
    assert_eq!(reply.header(ReplyHeader::<Vec<String>>::new("x-tags")), None);
    assert_eq!(reply.header(ReplyHeader::<f64>::new("x-ratio")), None);
    assert_eq!(reply.header(ReplyHeader::<f64>::new("x-last")), None);
}

#[tokio::test]
async fn all_forms_of_an_http_date_are_timestamps() {
    for (text, expected) in [
        ("Sun, 06 Nov 1994 08:49:37 GMT", Some("1994-11-06T08:49:37Z")),
        ("Sunday, 06-Nov-94 08:49:37 GMT", Some("1994-11-06T08:49:37Z")),
        ("Sun Nov  6 08:49:37 1994", Some("1994-11-06T08:49:37Z")),
        ("Monday, 06 Nov 1994 08:49:37 GMT", Some("1994-11-06T08:49:37Z")),
        ("Sun, 06 Nov 1994 08:49:37 CET", None),
    ] {
        let server = Server::new(move |_, _| response(200, &[("Expires", text)], "[]"));
        let client = client(server.url()).build().unwrap();
        let reply = request::<Text>(&client, ()).send_raw().await.unwrap();
        let expires = reply.header(ReplyHeader::<Timestamp>::new("expires"));
        assert_eq!(expires.map(|it| it.to_string()).as_deref(), expected, "{text}");
    }
}
