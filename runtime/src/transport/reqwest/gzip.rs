//! Bodies in gzip (RFC 1952).
//!
//! Unlike reqwest's decoder, this one reads all members, and knows the coding in any case and as `x-gzip` (RFC 9110,
//! section 8.4.1.3).

use std::io::{self, Write as _};
use std::mem;

use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use http::{HeaderMap, HeaderValue, header};

use super::classify::classify;
use crate::transport::error::TransportError;

/// The maximum number of bytes that are decoded at once. Decoded, they can be a thousand times as many.
const MAX_STEP: usize = 4 << 10;

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
    response: reqwest::Response,
    /// The rest of the last chunk.
    rest: Bytes,
    /// `None` at the end of the body.
    decoder: Option<MultiGzDecoder<Vec<u8>>>,
}

/// Removes the content coding if it is gzip, with the length of the encoded body, and returns whether it was.
pub(super) fn take_coding(headers: &mut HeaderMap) -> bool {
    let coding = headers.get(header::CONTENT_ENCODING).map(HeaderValue::as_bytes);
    let is_gzip = coding.is_some_and(|coding| {
        coding.eq_ignore_ascii_case(b"gzip") || coding.eq_ignore_ascii_case(b"x-gzip")
    });
    if is_gzip {
        headers.remove(header::CONTENT_ENCODING);
        headers.remove(header::CONTENT_LENGTH);
    }
    is_gzip
}

impl Gzip {
    pub(super) fn new(response: reqwest::Response) -> Self {
        Self { response, rest: Bytes::new(), decoder: Some(MultiGzDecoder::new(Vec::new())) }
    }

    /// Returns the next decoded bytes, or `None` at the end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        while let Some(decoder) = &mut self.decoder {
            if self.rest.is_empty() {
                match self.response.chunk().await.map_err(classify)? {
                    Some(chunk) => self.rest = chunk,
                    None => return self.finish(),
                }
            }
            let step = self.rest.split_to(self.rest.len().min(MAX_STEP));
            decoder.write_all(&step).map_err(invalid)?;
            let decoded = mem::take(decoder.get_mut());
            if !decoded.is_empty() {
                return Ok(Some(decoded.into()));
            }
        }
        Ok(None)
    }

    /// Returns the last bytes. Fails if the body is incomplete.
    fn finish(&mut self) -> Result<Option<Bytes>, TransportError> {
        let Some(decoder) = self.decoder.take() else {
            return Ok(None);
        };
        let last = decoder.finish().map_err(invalid)?;
        Ok((!last.is_empty()).then(|| last.into()))
    }
}

fn invalid(error: io::Error) -> TransportError {
    TransportError::interrupted(error)
}
