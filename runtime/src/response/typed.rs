//! Successful responses with their values.

use std::fmt;
use std::ops::Deref;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::error::Error;
use crate::execute::raw::RawResponse;
use crate::wire::Model;

/// The value of a successful response with its status, headers and body.
///
/// It dereferences to the value.
#[derive(Clone)]
pub struct Response<T> {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
    attempts: u32,
    value: T,
}

impl<T> Response<T> {
    pub(crate) fn decode(raw: RawResponse) -> Result<Self, Error>
    where
        T: Model,
    {
        let value = raw.decode()?;
        let RawResponse { status, headers, body, attempts, .. } = raw;
        Ok(Self { status, headers, body, attempts, value })
    }

    /// Returns the status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Returns the body, decompressed.
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// Returns the number of attempts, counted from 1.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Returns the value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Returns the value and drops the rest.
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<T> Deref for Response<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Shows the names of the headers and the length of the body: either can contain secrets.
impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status.as_u16())
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("body", &format_args!("{} bytes", self.body.len()))
            .field("attempts", &self.attempts)
            .field("value", &self.value)
            .finish()
    }
}
