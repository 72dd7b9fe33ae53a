//! Bodies in gzip (RFC 1952).
//!
//! Unlike reqwest's decoder, this one reads all members, and knows the coding in any case and as `x-gzip` (RFC 9110,
//! section 8.4.1.3).

use std::io::Write as _;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use futures_core::Stream;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::incoming::Incoming;
use crate::transport::error::TransportError;

/// The maximum number of bytes that are decoded at once. Decoded, they can be a thousand times as many.
const MAX_STEP: usize = 4 << 10;

/// The content codings that are decoded: by this module, and by reqwest.
const ACCEPTED: HeaderValue = HeaderValue::from_static("gzip, br, deflate");

/// Asks for an encoded response, unless the request has its own `Accept-Encoding`.
pub(super) fn accept(headers: &mut HeaderMap) {
    headers.entry(header::ACCEPT_ENCODING).or_insert(ACCEPTED);
}

/// The body of a response that is decoded while it is read.
pub(crate) struct Gzip {
    incoming: Incoming,
    /// The rest of the last chunk.
    rest: Bytes,
    /// `None` before the first byte, and at the end. An empty body is not encoded, whatever its head says.
    decoder: Option<MultiGzDecoder<Vec<u8>>>,
}

/// Removes the content coding if it is gzip, with the length of the encoded body, and returns whether it was. A part of an
/// encoded body remains encoded.
pub(super) fn take_coding(status: StatusCode, headers: &mut HeaderMap) -> bool {
    let range =
        headers.get(header::CONTENT_RANGE).filter(|_| status == StatusCode::PARTIAL_CONTENT);
    let lines = headers.get_all(header::CONTENT_ENCODING).iter();
    let codings = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
    let codings = codings.map(|coding| coding.trim_ascii().to_ascii_lowercase());
    let codings: Vec<_> = codings.filter(|coding| coding != b"identity").collect();
    let is_gzip = matches!(&codings[..], [only] if only == b"gzip" || only == b"x-gzip")
        && !range.is_some_and(|range| range.as_bytes().starts_with(b"bytes "));
    if is_gzip {
        headers.remove(header::CONTENT_ENCODING);
        headers.remove(header::CONTENT_LENGTH);
    }
    is_gzip
}

impl Gzip {
    pub(super) fn new(incoming: Incoming) -> Self {
        Self { incoming, rest: Bytes::new(), decoder: None }
    }
}

impl Stream for Gzip {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        while self.rest.is_empty() {
            let Some(chunk) = ready!(Pin::new(&mut self.incoming).poll_next(context)?) else {
                let Some(decoder) = self.decoder.take() else { return Poll::Ready(None) };
                let last = decoder.finish().map_err(TransportError::interrupted);
                return Poll::Ready(Some(last.map(Bytes::from)));
            };
            self.rest = chunk;
        }
        let length = self.rest.len().min(MAX_STEP);
        let step = self.rest.split_to(length);
        let decoder = self.decoder.get_or_insert_with(|| MultiGzDecoder::new(Vec::new()));
        let written = decoder.write_all(&step);
        written.map_err(|error| TransportError::interrupted(error).lasting())?;
        // If it is empty, the body waits for its next turn: members without content take time, too.
        Poll::Ready(Some(Ok(mem::take(decoder.get_mut()).into())))
    }
}
