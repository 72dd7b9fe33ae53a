//! Responses as they are received, in one piece.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::wire::{self, DecodeError, Model};

/// A response as it was received, such as one whose status the spec does not describe.
#[derive(Clone, PartialEq, Eq)]
pub struct RawReply<B = Bytes> {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: B,
}

impl RawReply {
    /// Returns the body, decompressed.
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// Decodes the JSON body as a model.
    ///
    /// # Errors
    ///
    /// Fails if the body is not JSON of this type.
    pub fn decode<T: Model>(&self) -> Result<T, DecodeError> {
        wire::decode(&self.body, None)
    }
}

/// Shows the names of the headers and the length of the body: either can contain secrets.
impl fmt::Debug for RawReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawReply")
            .field("status", &self.status.as_u16())
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}
