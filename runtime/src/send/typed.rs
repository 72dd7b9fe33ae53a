//! Successful responses as they were received.

use bytes::Bytes;

use crate::error::Error;
use crate::reply::header::head;
use crate::secrets::debug::shown;
use crate::send::execute::raw::{Decode, RawResponse};

/// A successful response: status, headers and body. [`decode`](Self::decode) returns its value.
pub struct Response<T> {
    raw: RawResponse,
    decode: Decode<T>,
}

head!(Response<T>, raw, received);

impl<T> Response<T> {
    pub(super) fn new(raw: RawResponse, decode: Decode<T>) -> Self {
        Self { raw, decode }
    }

    /// Returns the body, decompressed.
    pub fn body(&self) -> &Bytes {
        &self.raw.received.body
    }

    /// Returns the number of attempts, counted from 1.
    pub fn attempts(&self) -> u32 {
        self.raw.attempts
    }

    /// Decodes the body, as `.await` on the request does, and reports its drift.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the spec does not describe the response.
    pub fn decode(&self) -> Result<T, Error> {
        (self.decode)(&self.raw)
    }
}

/// A value that is not decoded yet needs no `Clone`.
impl<T> Clone for Response<T> {
    fn clone(&self) -> Self {
        Self { raw: self.raw.clone(), decode: self.decode }
    }
}

// Shows the names of the headers and the length of the body: either can contain secrets.
shown!(Response<T>, |it| reply: it.raw.received, attempts: it.raw.attempts);
