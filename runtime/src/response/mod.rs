//! Responses, and the futures that give them.

#[cfg(feature = "blocking")]
pub(crate) mod blocking;
pub(crate) mod drift;
pub(crate) mod paging;

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};

use crate::BoxFuture;
use crate::error::{Error, ErrorKind};
use crate::execute::execute;
use crate::request::call::{Call, Operation};
use crate::response::drift::DriftHook;
use crate::wire::Wire;

/// A successful response as it came, of whatever operation.
pub(crate) struct RawResponse {
    pub(crate) operation: &'static Operation,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) attempts: u32,
    pub(crate) drift: Option<DriftHook>,
}

impl RawResponse {
    fn decode<T: Wire + Default>(&self) -> Result<T, Error> {
        // These say that there is no content (RFC 9110, sections 15.3.5 and 15.3.6).
        if matches!(self.status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT) {
            return Ok(T::default());
        }
        drift::decode(&self.body, self.operation, self.drift.as_ref())
            .map_err(|error| self.undecodable(&error).with_source(error))
    }

    #[cold]
    fn undecodable(&self, error: &dyn fmt::Display) -> Error {
        let media_type =
            self.headers.get(header::CONTENT_TYPE).and_then(|media_type| media_type.to_str().ok());
        let message = match media_type {
            _ if self.body.is_empty() => "the body is empty".to_owned(),
            Some(media_type) if !media_type.contains("json") => {
                format!("{error} (the response is `{media_type}`, not JSON)")
            }
            _ => error.to_string(),
        };
        Error::new(ErrorKind::Decode)
            .with_operation(self.operation)
            .with_message(message)
            .with_attempts(self.attempts)
            .with_response(self.status, self.headers.clone(), self.body.clone())
    }
}

/// A successful response: its value beside the status, the headers and the body that it came in.
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
    /// Returns the status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Returns the body as it came, decompressed where it was compressed.
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// Returns how many attempts it took.
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

/// Shows the names of the headers and the length of the body: either can hold secrets.
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

/// A call that is being made; ready with the value of the response. Dropping it ends the call.
#[must_use = "a call is made only while it is awaited"]
pub struct Sending<T> {
    raw: SendingRaw<T>,
}

/// A call that is being made; ready with the whole [`Response`]. Dropping it ends the call.
#[must_use = "a call is made only while it is awaited"]
pub struct SendingRaw<T> {
    response: BoxFuture<'static, Result<RawResponse, Error>>,
    output: PhantomData<fn() -> T>,
}

impl<T> SendingRaw<T> {
    /// Makes a call whose response holds a `T`; nothing happens before it is awaited.
    pub fn new(call: Call) -> Self {
        Self { response: Box::pin(execute(call.into_parts())), output: PhantomData }
    }
}

impl<T> Sending<T> {
    /// Makes a call whose response holds a `T`; nothing happens before it is awaited.
    pub fn new(call: Call) -> Self {
        Self { raw: SendingRaw::new(call) }
    }
}

impl<T: Wire + Default> Future for Sending<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(ready!(self.raw.response.as_mut().poll(context)).and_then(|raw| raw.decode()))
    }
}

impl<T: Wire + Default> Future for SendingRaw<T> {
    type Output = Result<Response<T>, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let raw = ready!(self.response.as_mut().poll(context))?;
        let value = raw.decode()?;
        let RawResponse { status, headers, body, attempts, .. } = raw;
        Poll::Ready(Ok(Response { status, headers, body, attempts, value }))
    }
}

impl<T> fmt::Debug for Sending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sending")
    }
}

impl<T> fmt::Debug for SendingRaw<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SendingRaw")
    }
}
