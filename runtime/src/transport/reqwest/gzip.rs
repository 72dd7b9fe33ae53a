//! Bodies in gzip (RFC 1952).
//!
//! Unlike reqwest's decoder, this one reads all members, knows the coding in any case and as `x-gzip` (RFC 9110,
//! section 8.4.1.3), and reads what was encoded more than once.

use std::io::Write as _;
use std::mem;

use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::incoming::Incoming;
use crate::transport::error::TransportError;

/// The maximum number of bytes that are decoded at once. Decoded, they can be a thousand times as many.
const MAX_STEP: usize = 4 << 10;

/// The maximum number of times that a body is encoded.
const MAX_LAYERS: usize = 3;

/// The content codings that are decoded: by this module, and by reqwest.
const ACCEPTED: HeaderValue =
    HeaderValue::from_static(match (cfg!(feature = "brotli"), cfg!(feature = "deflate")) {
        (false, false) => "gzip",
        (true, false) => "gzip, br",
        (false, true) => "gzip, deflate",
        (true, true) => "gzip, br, deflate",
    });

/// Asks for an encoded response, unless the request has its own `Accept-Encoding`.
pub(super) fn accept(headers: &mut HeaderMap) {
    headers.entry(header::ACCEPT_ENCODING).or_insert(ACCEPTED);
}

/// The body of a response that is decoded while it is read.
pub(crate) struct Gzip {
    incoming: Incoming,
    /// Whether nothing was received yet. An empty body is not encoded, whatever its head says.
    is_empty: bool,
    is_received: bool,
    /// The last coding first. Never empty.
    layers: Vec<Layer>,
}

/// A coding.
struct Layer {
    /// The rest of the last chunk.
    rest: Bytes,
    /// `None` at the end of the body.
    decoder: Option<MultiGzDecoder<Vec<u8>>>,
}

/// Removes the content codings if all are gzip, with the length of the encoded body, and returns their number. A part of
/// an encoded body remains encoded.
pub(super) fn take_codings(status: StatusCode, headers: &mut HeaderMap) -> usize {
    let range =
        headers.get(header::CONTENT_RANGE).filter(|_| status == StatusCode::PARTIAL_CONTENT);
    if range.is_some_and(|range| range.as_bytes().starts_with(b"bytes ")) {
        return 0;
    }
    let lines = headers.get_all(header::CONTENT_ENCODING).iter();
    let codings = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
    let mut number = 0;
    for coding in codings.map(<[u8]>::trim_ascii) {
        if coding.eq_ignore_ascii_case(b"gzip") || coding.eq_ignore_ascii_case(b"x-gzip") {
            number += 1;
        } else if !coding.eq_ignore_ascii_case(b"identity") {
            return 0;
        }
    }
    if !(1..=MAX_LAYERS).contains(&number) {
        return 0;
    }
    headers.remove(header::CONTENT_ENCODING);
    headers.remove(header::CONTENT_LENGTH);
    number
}

impl Gzip {
    pub(super) fn new(incoming: Incoming, layers: usize) -> Self {
        let layer = || Layer { rest: Bytes::new(), decoder: Some(MultiGzDecoder::new(Vec::new())) };
        let layers = std::iter::repeat_with(layer).take(layers).collect();
        Self { incoming, is_empty: true, is_received: false, layers }
    }

    /// Returns the next decoded bytes, or `None` at the end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        loop {
            // A layer reads what the one before it has decoded before more is decoded.
            let index = match self.layers.iter().rposition(|layer| !layer.rest.is_empty()) {
                Some(index) => index,
                None if self.is_received => {
                    match self.layers.iter().position(|layer| layer.decoder.is_some()) {
                        Some(index) => index,
                        None => return Ok(None),
                    }
                }
                None => {
                    match self.incoming.chunk().await? {
                        Some(chunk) => {
                            self.is_empty &= chunk.is_empty();
                            self.layers[0].rest = chunk;
                        }
                        None if self.is_empty => return Ok(None),
                        None => self.is_received = true,
                    }
                    continue;
                }
            };
            let decoded = self.layers[index].decode()?;
            match self.layers.get_mut(index + 1) {
                Some(next) => next.rest = decoded,
                None if decoded.is_empty() => {}
                None => return Ok(Some(decoded)),
            }
        }
    }
}

impl Layer {
    /// Decodes a part of the rest. Without a rest, returns the last bytes, and fails if the body is incomplete.
    fn decode(&mut self) -> Result<Bytes, TransportError> {
        if self.rest.is_empty() {
            let last = self.decoder.take().map(MultiGzDecoder::finish).transpose();
            let last = last.map_err(TransportError::interrupted)?;
            return Ok(last.unwrap_or_default().into());
        }
        let step = self.rest.split_to(self.rest.len().min(MAX_STEP));
        // What follows the end of a body is left out.
        let Some(decoder) = &mut self.decoder else { return Ok(Bytes::new()) };
        decoder.write_all(&step).map_err(|error| TransportError::interrupted(error).lasting())?;
        Ok(mem::take(decoder.get_mut()).into())
    }
}
