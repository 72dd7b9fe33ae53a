//! Successful responses before decoding.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};

use crate::client::drift;
use crate::error::{Error, ErrorKind};
use crate::request::call::CallParts;
use crate::wire::Wire;

/// A successful response and the call that it answers.
pub(crate) struct RawResponse {
    pub(crate) call: Box<CallParts>,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) attempts: u32,
}

impl RawResponse {
    pub(crate) fn decode<T: Wire + Default>(&self) -> Result<T, Error> {
        // These statuses have no content (RFC 9110, sections 15.3.5 and 15.3.6).
        if matches!(self.status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT)
            || self.call.ignores_response
        {
            return Ok(T::default());
        }
        let hook = self.call.client.shared.settings.drift.as_ref();
        drift::decode(&self.body, self.call.operation, hook)
            .map_err(|error| self.undecodable(&error).with_source(error))
    }

    /// Explains a content coding that the transport has not decoded.
    fn coding(&self) -> Option<String> {
        let coding = self.headers.get(header::CONTENT_ENCODING)?.to_str().ok()?;
        let feature = match &*coding.to_ascii_lowercase() {
            "identity" => return None,
            "gzip" | "x-gzip" => "; enable the feature `gzip`",
            "br" => "; enable the feature `brotli`, and send `br` in lower case",
            "deflate" => "; enable the feature `deflate`, and send `deflate` in lower case",
            _ => "; only `gzip`, `br` and `deflate` can be",
        };
        Some(format!("the response is encoded as `{coding}`, which was not decoded{feature}"))
    }

    #[cold]
    fn undecodable(&self, error: &dyn fmt::Display) -> Error {
        let media_type =
            self.headers.get(header::CONTENT_TYPE).and_then(|media_type| media_type.to_str().ok());
        let message = match (media_type, self.coding()) {
            _ if self.body.is_empty() => "the body is empty".to_owned(),
            (_, Some(coding)) => coding,
            (Some(media_type), None) if !media_type.contains("json") => {
                format!("{error} (the response is `{media_type}`, not JSON)")
            }
            _ => error.to_string(),
        };
        let error = Error::new(ErrorKind::Decode).with_message(message).with_response(
            self.status,
            self.headers.clone(),
            self.body.clone(),
        );
        self.call.locate(error, self.attempts)
    }
}
