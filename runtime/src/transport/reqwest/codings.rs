//! Content codings (RFC 9110, section 8.4).
//!
//! Unlike reqwest's decoders, these read all members of gzip, know names in any case and `x-gzip`, and decode what was
//! encoded several times.

use std::io;
use std::mem;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZlibDecoder};
use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::io::{AsyncBufRead, BufReader, empty};
use tokio::task::coop::consume_budget;
use tokio_util::io::StreamReader;

use super::incoming::Incoming;
use crate::transport::error::TransportError;

/// Maximum number of bytes that are decoded before other tasks can have their turn.
const MAX_STEP: usize = 4 << 10;

/// Maximum number of codings that are decoded: each takes memory.
const MAX_CODINGS: usize = 4;

/// The content codings that are decoded.
const ACCEPTED: HeaderValue = HeaderValue::from_static("gzip, br, deflate");

/// Asks for an encoded response, unless the request has its own `Accept-Encoding`.
pub(super) fn accept(headers: &mut HeaderMap) {
    headers.entry(header::ACCEPT_ENCODING).or_insert(ACCEPTED);
}

type Reader = Pin<Box<dyn AsyncBufRead + Send>>;

/// Decodes one coding, to the end of the body: a connection whose response is not read to its end is closed.
type Decoder = fn(Reader) -> Reader;

/// Defines the function that decodes a coding.
macro_rules! decoder {
    ($name:ident, $decoder:ident) => {
        fn $name(encoded: Reader) -> Reader {
            let mut decoder = $decoder::new(encoded);
            decoder.multiple_members(true);
            Box::pin(BufReader::new(decoder))
        }
    };
}

decoder!(gzip, GzipDecoder);
decoder!(brotli, BrotliDecoder);
decoder!(deflate, ZlibDecoder);

/// Removes the content codings, with the length of the encoded body, and returns their decoders in the order in which the
/// codings were applied; `None` if one is unknown, or for a part of an encoded body.
pub(super) fn take(status: StatusCode, headers: &mut HeaderMap) -> Option<Vec<Decoder>> {
    let range =
        headers.get(header::CONTENT_RANGE).filter(|_| status == StatusCode::PARTIAL_CONTENT);
    let is_part = range.is_some_and(|range| range.as_bytes().starts_with(b"bytes "));
    let lines = headers.get_all(header::CONTENT_ENCODING).iter();
    let names = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
    let names = names.map(|name| name.trim_ascii().to_ascii_lowercase());
    let decoders = names
        .filter(|name| !matches!(&name[..], b"" | b"identity"))
        .map(|name| match &name[..] {
            b"gzip" | b"x-gzip" => Some(gzip as Decoder),
            b"br" => Some(brotli as Decoder),
            b"deflate" => Some(deflate as Decoder),
            _ => None,
        })
        .collect::<Option<Vec<Decoder>>>()
        .filter(|all| (1..=MAX_CODINGS).contains(&all.len()) && !is_part)?;
    headers.remove(header::CONTENT_ENCODING);
    headers.remove(header::CONTENT_LENGTH);
    Some(decoders)
}

/// The body of a response that is decoded while it is read.
pub(crate) struct Decoded {
    reader: Reader,
    /// The decoders, before the first byte: an empty body is not encoded, whatever its head says.
    decoders: Vec<Decoder>,
    has_begun: bool,
}

impl Decoded {
    pub(super) fn new(incoming: Incoming, decoders: Vec<Decoder>) -> Self {
        let reader = Box::pin(StreamReader::new(Encoded { incoming, rest: Bytes::new() }));
        Self { reader, decoders, has_begun: false }
    }

    /// Returns the error of a body. One that does not begin as its coding never does.
    fn error(&self, error: io::Error) -> TransportError {
        let is_other = !self.has_begun && error.kind() != io::ErrorKind::UnexpectedEof;
        let broken = |it: io::Error| TransportError::interrupted(it).lasting_if(is_other);
        error.downcast().unwrap_or_else(broken)
    }
}

impl Stream for Decoded {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            let chunk = ready!(this.reader.as_mut().poll_fill_buf(context)).map(<[u8]>::to_vec);
            let chunk = chunk.map_err(|error| this.error(error))?;
            let decoders = mem::take(&mut this.decoders);
            if chunk.is_empty() || decoders.is_empty() {
                this.has_begun = true;
                this.reader.as_mut().consume(chunk.len());
                return Poll::Ready((!chunk.is_empty()).then(|| Ok(chunk.into())));
            }
            let encoded = mem::replace(&mut this.reader, Box::pin(empty()));
            this.reader = decoders.into_iter().rev().fold(encoded, |reader, decode| decode(reader));
        }
    }
}

/// The encoded bytes in small steps, with the errors of a reader.
struct Encoded {
    incoming: Incoming,
    /// The rest of the last chunk.
    rest: Bytes,
}

impl Stream for Encoded {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        // Members without content take time, too, in which decoders do not return.
        ready!(pin!(consume_budget()).poll(context));
        while self.rest.is_empty() {
            match ready!(Pin::new(&mut self.incoming).poll_next(context)) {
                Some(chunk) => self.rest = chunk.map_err(io::Error::other)?,
                None => return Poll::Ready(None),
            }
        }
        let length = self.rest.len().min(MAX_STEP);
        Poll::Ready(Some(Ok(self.rest.split_to(length))))
    }
}
