//! Replies that continue others, and parts of contents.

use openapi_bindings_runtime::internal::{self, Binary, Text};
use openapi_bindings_runtime::{Bytes, Error, ErrorKind, Opening};

use crate::streams::pet;
use crate::support::api::{GetPet, Request, get};
use crate::support::client;
use crate::support::server::{Act, Server, response};

const TAG: &str = "\"v1\"";
const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

/// Something that reads the body of a reply, and returns its length.
type Door = (&'static str, fn(Request<GetPet>) -> Result<usize, Error>);

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

async fn read(opening: Opening) -> Result<usize, Error> {
    let mut stream = opening.await?;
    let mut length = 0;
    while let Some(piece) = stream.try_next().await? {
        length += piece.len();
    }
    Ok(length)
}

/// Everything that reads bodies.
const DOORS: &[Door] = &[
    ("stream", |pet| run(read(internal::open(pet, (&[200], "*/*"))))),
    #[cfg(feature = "blocking")]
    ("into_blocking", |pet| {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let stream = runtime.block_on(async { internal::open(pet, (&[200], "*/*")).await })?;
        stream.into_blocking().map(|piece| piece.map(|piece| piece.len())).sum()
    }),
    #[cfg(feature = "fs")]
    ("save", |pet| {
        run(async {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file");
            let saved = internal::open(pet, (&[200], "*/*")).await?.save(&path).await;
            assert_eq!(path.exists(), saved.is_ok());
            Ok(usize::try_from(saved?).unwrap())
        })
    }),
    ("bytes", |pet| {
        Ok(run(internal::send_as::<Bytes, Binary>(pet, (&[200], "*/*")).into_future())?.len())
    }),
    ("text", |pet| {
        Ok(run(internal::send_as::<String, Text>(pet, (&[200], "*/*")).into_future())?.len())
    }),
];

/// Returns a response with a part, without the length of its body.
fn unannounced(range: &str, body: &str) -> Act {
    let size = body.len();
    Act::Send(
        format!(
            "HTTP/1.1 206 Part\r\ncontent-range: {range}\r\ntransfer-encoding: chunked\r\n\r\n\
             {size:x}\r\n{body}\r\n0\r\n\r\n"
        )
        .into_bytes(),
    )
}

#[test]
fn a_part_has_the_bytes_of_its_range() {
    let cases: &[(&str, &str, bool)] = &[
        ("bytes 3-6/7", "tent", true),
        ("bytes 3-6/*", "tent", true),
        ("BYTES 3-6/7", "tent", true),
        ("bytes 3-8/*", "te", false),
        ("bytes 3-8/2", "te", false),
        ("bytes 3-8/8", "tent..", false),
        ("bytes 3-6/6", "tent", false),
        ("bytes 3-5/7", "tent", false),
        ("bytes 6-3/7", "tent", false),
        ("bytes */7", "tent", false),
        ("bytes +3-6/7", "tent", false),
        ("bytes 3-6", "tent", false),
        ("bytes 3-/7", "tent", false),
        ("bytes=3-6/7", "tent", false),
        ("bytes 3-6/7\r\ncontent-range: bytes 0-3/7", "tent", false),
        ("bytes 3-18446744073709551616/*", "tent", false),
        ("bytes 0-18446744073709551615/*", "tent", false),
    ];
    for (range, body, is_valid) in cases {
        for is_announced in [true, false] {
            let server = Server::new(move |_, _| {
                if is_announced {
                    return response(206, &[("content-range", range)], body);
                }
                unannounced(range, body)
            });
            for (door, open) in DOORS {
                let found = open(pet(&server).with_header("range", "bytes=3-"));
                let found = found.map_err(|error| error.kind());
                let place = format!("{door}: {range}, announced: {is_announced}");
                match found {
                    Ok(length) => assert!(*is_valid && length == body.len(), "{place}"),
                    Err(ErrorKind::Decode) => assert!(!is_valid, "{place}"),
                    // A body that is too short may be cut.
                    Err(kind) => {
                        assert_eq!(
                            (kind, *is_valid, is_announced),
                            (ErrorKind::Interrupted, false, false),
                            "{place}"
                        );
                    }
                }
            }
            let raw = run(pet(&server).with_header("range", "bytes=3-").send_raw()).unwrap();
            assert_eq!(raw.body(), body.as_bytes(), "it is not interpreted");
        }
    }
}

#[test]
fn a_part_that_was_not_requested_is_no_content() {
    let server = Server::new(|_, _| response(206, &[("content-range", "bytes 3-6/7")], "tent"));
    for (door, open) in DOORS {
        let error = open(pet(&server)).unwrap_err();
        assert_eq!((error.kind(), error.status()), (ErrorKind::Decode, Some(206)), "{door}");
        // As a default header of the client, it is requested.
        let asks = client(server.url()).default_header("range", "bytes=3-").build().unwrap();
        assert_eq!(open(get(&asks, "7")).unwrap(), 4, "{door}");
    }
}

/// Without the header, half of an old content and half of a new one would be taken for one.
#[test]
fn only_the_same_version_is_continued() {
    const NONE: &str = "";
    const OTHER: &str = "\"v2\"";
    let part = |status: u16, name: &'static str, value: &'static str| {
        Server::new(move |_, _| {
            let range = if status == 206 { "bytes 3-6/7" } else { "bytes */7" };
            let header = if value.is_empty() { ("x-none", "1") } else { (name, value) };
            let body = if status == 206 { "tent" } else { "another" };
            response(status, &[("content-range", range), header], body)
        })
    };
    let kind = |server: &Server, validator: &str| {
        let opening =
            internal::open(pet(server), (&[200], "*/*")).resume_at(3).if_unchanged(validator);
        let found = run(read(opening)).map_err(|error| error.kind());
        let seen = server.only();
        assert_eq!((&*seen.headers["if-range"], &*seen.headers["range"]), (validator, "bytes=3-"));
        found
    };
    let cases = [
        (206, "etag", TAG, TAG, Ok(4)),
        (206, "etag", OTHER, TAG, Err(ErrorKind::Changed)),
        (206, "etag", "W/\"v1\"", TAG, Err(ErrorKind::Changed)),
        (206, "etag", NONE, TAG, Err(ErrorKind::Changed)),
        (206, "last-modified", DATE, DATE, Ok(4)),
        (206, "last-modified", NONE, DATE, Ok(4)),
        (206, "last-modified", "Sun, 06 Nov 1994 08:49:38 GMT", DATE, Err(ErrorKind::Changed)),
        (200, "etag", OTHER, TAG, Err(ErrorKind::Changed)),
        (200, "etag", NONE, TAG, Err(ErrorKind::Changed)),
        // The server sends no parts.
        (200, "etag", TAG, TAG, Err(ErrorKind::Decode)),
        (200, "last-modified", DATE, DATE, Err(ErrorKind::Decode)),
    ];
    for (status, name, sent, validator, expected) in cases {
        let found = kind(&part(status, name, sent), validator);
        assert_eq!(found, expected, "{status} with {name} {sent:?} for {validator:?}");
    }
}

/// `If-Range` is not sent without `Range` (RFC 9110, section 13.1.5), and both in any order.
#[tokio::test]
async fn the_version_of_a_whole_reply_is_checked_without_a_range() {
    let server = Server::new(|_, _| response(200, &[("etag", TAG)], "content"));
    let mut stream = internal::open(pet(&server), (&[200], "*/*")).if_unchanged(TAG).await.unwrap();
    assert_eq!(stream.validator(), Some(TAG));
    assert_eq!(stream.try_next().await.unwrap().unwrap(), "content");
    assert!(!server.take()[0].headers.contains_key("if-range"));
    let other = internal::open(pet(&server), (&[200], "*/*")).if_unchanged("\"v2\"");
    let error = other.await.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Changed, false));
    server.take();
    let _ = internal::open(pet(&server), (&[200], "*/*")).if_unchanged(TAG).resume_at(3).await;
    assert_eq!(server.only().headers["if-range"], TAG);
}

#[tokio::test]
async fn a_text_that_identifies_no_bytes_is_no_validator() {
    let server = Server::json("{}");
    for text in ["W/\"v1\"", "v1", "", "\"", "\"v\"1\"", "\"v 1\"", "\"v\r\n1\"", "yesterday"] {
        let opening = internal::open(pet(&server), (&[200], "*/*")).resume_at(3).if_unchanged(text);
        let error = opening.await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Request, "{text}");
        let is_weak = error.to_string().contains("a weak entity tag");
        assert_eq!(is_weak, text.starts_with('W'), "{error}");
    }
    assert!(server.seen().is_empty());
}

/// A date is strong if the content did not change in the second of the reply (RFC 9110, section 8.8.2.2).
#[tokio::test]
async fn a_reply_has_the_validator_that_continues_it() {
    const MODIFIED: (&str, &str) = ("last-modified", DATE);
    const LATER: (&str, &str) = ("date", "Sun, 06 Nov 1994 08:49:38 GMT");
    let cases = [
        (vec![("etag", TAG), MODIFIED, LATER], Some(TAG)),
        (vec![("etag", "W/\"v1\""), MODIFIED, LATER], None),
        (vec![MODIFIED, LATER], Some(DATE)),
        (vec![MODIFIED, ("date", DATE)], None),
        (vec![MODIFIED], None),
        (vec![LATER], None),
    ];
    for (headers, expected) in cases {
        let sent = headers.clone();
        let server = Server::new(move |_, _| response(200, &sent, "content"));
        let stream = internal::open(pet(&server), (&[200], "*/*")).await.unwrap();
        assert_eq!(stream.validator(), expected, "{headers:?}");
    }
}

/// Downloads are redirected to other hosts, to which the range alone would be half of the condition.
#[tokio::test]
async fn a_redirect_keeps_the_condition_of_the_range() {
    let range = [("content-range", "bytes 3-6/7"), ("etag", TAG)];
    let elsewhere = Server::new(move |_, _| response(206, &range, "tent"));
    let target = elsewhere.url();
    let server = Server::new(move |_, _| response(302, &[("location", &target)], ""));
    let client = client(server.url()).follow_redirects_to_other_origins().build().unwrap();
    let opening = internal::open(get(&client, "7"), (&[200], "*/*")).resume_at(3).if_unchanged(TAG);
    assert_eq!(read(opening).await.unwrap(), 4);
    assert_eq!(elsewhere.only().headers["if-range"], TAG);
}
