//! Compressed responses.

use std::io::Write as _;
use std::time::Duration;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use openapi_bindings_runtime::{ErrorKind, RetryPolicy, internal};

use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::server::{Act, Server};
use crate::support::{client, timed};

/// `{"a":1}`, by gzip.
const SMALL: &[u8] = &[
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 84, 178, 50, 172, 5, 0, 175, 172, 27, 86, 7, 0,
    0, 0,
];

/// `{"a":1}`, by brotli, without compression.
const BROTLI: &[u8] = b"\x0b\x03\x80{\"a\":1}\x03";

/// The beginning and the end of 65,536 spaces, by gzip; between them there are 63 zeros.
const BOMB: (&[u8], &[u8]) = (
    &[
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 129, 0, 0, 0, 0, 128, 32, 149, 253, 41, 23, 169,
        10,
    ],
    &[106, 148, 25, 44, 180, 0, 0, 1, 0],
);

fn gzip(body: &[u8]) -> Act {
    encoded("gzip", body)
}

fn encoded(encoding: &str, body: &[u8]) -> Act {
    encoded_as("200 OK", encoding, body)
}

/// Returns a response with a status and other headers after it.
fn encoded_as(head: &str, encoding: &str, body: &[u8]) -> Act {
    let head = format!(
        "HTTP/1.1 {head}\r\ncontent-encoding: {encoding}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    Act::Send([head.as_bytes(), body].concat())
}

/// Returns parts of a body, each of them a member (RFC 1952, section 2.2).
fn members<P: AsRef<[u8]> + ?Sized>(parts: &[&P]) -> Vec<u8> {
    let compressed = parts.iter().map(|part| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(part.as_ref()).unwrap();
        encoder.finish().unwrap()
    });
    compressed.collect::<Vec<_>>().concat()
}

#[tokio::test]
async fn bodies_are_decompressed() {
    let server = Server::new(|_, _| gzip(SMALL));
    let reply = get(&client(server.url()).build().unwrap(), "7").send_raw().await.unwrap();
    assert!(server.only().headers["accept-encoding"].contains("gzip"));
    assert_eq!(&reply.body()[..], br#"{"a":1}"#);
}

#[tokio::test]
async fn the_limit_applies_to_decompressed_bodies() {
    let bomb = [BOMB.0, &[0; 97 - 25 - 9], BOMB.1].concat();
    let server = Server::new(move |_, _| gzip(&bomb));
    let client = client(server.url()).max_response_bytes(10_000).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    let error = get(&client, "7").with_max_response_bytes(65_536).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode, "65,536 spaces are within the limit, but no JSON");
}

#[tokio::test]
async fn gzip_has_two_names_in_any_case_and_any_number_of_members() {
    for encoding in ["gzip", "x-gzip", "GZIP", "X-Gzip", "identity , gzip", ", gzip,,"] {
        for parts in [&[r#"{"a":1}"#][..], &[r#"{"a""#, ":", "1}"]] {
            let body = members(parts);
            let server = Server::new(move |_, _| encoded(encoding, &body));
            let client = client(server.url()).build().unwrap();
            let reply = get(&client, "7")
                .send_raw()
                .await
                .unwrap_or_else(|error| panic!("{encoding}: {error}"));
            assert_eq!(&reply.body()[..], br#"{"a":1}"#, "{encoding}");
            assert!(!reply.headers().contains_key("content-encoding"), "{encoding}");
            assert!(!reply.headers().contains_key("content-length"), "{encoding}");
        }
    }
}

/// The codings of all lines are one list (RFC 9110, section 5.3), in the order in which they were applied.
#[tokio::test]
async fn what_is_encoded_several_times_is_decoded_as_often() {
    let deflated = |body: &[u8]| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    };
    let gzipped = |body: &[u8]| members(&[body]);
    let plain = br#"{"a":1}"#.as_slice();
    for (encoding, body) in [
        ("Deflate", deflated(plain)),
        ("BR", BROTLI.to_vec()),
        ("gzip, gzip", gzipped(&gzipped(plain))),
        ("deflate\r\ncontent-encoding: deflate", deflated(&deflated(plain))),
        ("br\r\ncontent-encoding: gzip, identity", gzipped(BROTLI)),
        ("deflate,gzip\r\ncontent-encoding: x-gzip", gzipped(&gzipped(&deflated(plain)))),
    ] {
        let server = Server::new(move |_, _| encoded(encoding, &body));
        let client = client(server.url()).build().unwrap();
        for _ in 0..2 {
            let reply = get(&client, "7").send_raw().await;
            let reply = reply.unwrap_or_else(|error| panic!("{encoding}: {error}"));
            assert_eq!(&reply.body()[..], plain, "{encoding}");
            assert!(!reply.headers().contains_key("content-encoding"), "{encoding}");
        }
    }
}

/// Servers add the coding to responses without content, too.
#[tokio::test]
async fn an_empty_body_is_not_encoded() {
    for encoding in ["gzip", "br", "deflate"] {
        for length in ["content-length: 0\r\n\r\n", "transfer-encoding: chunked\r\n\r\n0\r\n\r\n"] {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-encoding: {encoding}\r\n{length}");
            let server = Server::new(move |_, _| Act::Send(head.clone().into_bytes()));
            let reply = get(&client(server.url()).build().unwrap(), "7").send_raw().await;
            let reply = reply.unwrap_or_else(|error| panic!("{encoding}, {length}: {error}"));
            assert!(reply.body().is_empty(), "{encoding}, {length}");
        }
    }
}

#[tokio::test]
async fn codings_that_are_not_decoded_are_named() {
    for encoding in ["zstd", "gzip, zstd", "compress", "br, br, br, br, br", "gzip, \u{e9}"] {
        let server = Server::new(move |_, _| encoded(encoding, b"\x28\xb5\x2f\xfd"));
        let error = get(&client(server.url()).build().unwrap(), "7").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
        let text = format!("the response is encoded as `{encoding}`, which was not decoded");
        assert!(error.to_string().contains(&text), "{error}");
    }
}

/// A range counts the bytes of the encoded body (RFC 9110, section 14.1.2).
#[tokio::test]
async fn a_part_is_requested_without_a_coding() {
    let server = Server::new(|_, _| {
        encoded_as("206 Part\r\ncontent-range: bytes 3-26/27", "gzip", &SMALL[3..])
    });
    let client = client(server.url()).build().unwrap();
    let error = internal::open(get(&client, "7"), (&[200], "*/*")).resume_at(3).await.unwrap_err();
    assert_eq!(server.take()[0].headers["accept-encoding"], "identity");
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.to_string().contains("a part of it cannot be"), "{error}");
    let accepts = get(&client, "7").with_header("accept-encoding", "gzip");
    let mut stream = internal::open(accepts, (&[200], "*/*")).resume_at(3).await.unwrap();
    assert_eq!(stream.try_next().await.unwrap().unwrap(), SMALL[3..]);
    assert_eq!(server.take()[0].headers["accept-encoding"], "gzip");
}

/// The parts of a list are whole bodies.
#[tokio::test]
async fn a_part_of_something_else_than_bytes_is_decompressed() {
    let server =
        Server::new(|_, _| encoded_as("206 Part\r\ncontent-range: items 0-1/9", "gzip", SMALL));
    let reply = get(&client(server.url()).build().unwrap(), "7").send_raw().await.unwrap();
    assert_eq!(&reply.body()[..], br#"{"a":1}"#);
}

#[tokio::test]
async fn broken_gzip_is_a_broken_body_by_any_name() {
    let whole = members(&[r#"{"a":1}"#]);
    let mut broken = whole.clone();
    broken[12] ^= 0xff;
    for encoding in ["gzip", "x-gzip"] {
        let (cut, other) = (&whole[..whole.len() - 9], b"{\"not\":\"gzip\"}".as_slice());
        // A wrong checksum at the end of a body can be that of one that was cut.
        for (body, attempts) in [(cut, 4), (&broken, 4), (other, 1)] {
            let body = body.to_vec();
            let server = Server::new(move |_, _| encoded(encoding, &body));
            let client = timed(client(server.url()), &TestClock::new()).build().unwrap();
            let error = get(&client, "7").await.unwrap_err();
            let found = (error.kind(), error.attempts());
            assert_eq!(found, (ErrorKind::Interrupted, attempts), "{encoding}: {error}");
        }
    }
}

/// The parts of such a body take time to decode, and its connection always has the next one.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_decodes_to_nothing_ends_at_the_timeout() {
    let server = Server::new(|_, _| Act::Flood {
        head: b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n".to_vec(),
        chunk: members(&[""]).repeat(10_000),
    });
    let client = client(server.url()).timeout(Duration::from_millis(100));
    let call = get(&client.retry(RetryPolicy::never()).build().unwrap(), "7");
    assert!(call.await.unwrap_err().is_timeout());
}

#[tokio::test]
async fn the_limit_applies_by_any_name() {
    let bomb = [BOMB.0, &[0; 97 - 25 - 9], BOMB.1].concat();
    let server = Server::new(move |_, _| encoded("x-gzip", &bomb));
    let client = client(server.url()).max_response_bytes(10_000).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
}
