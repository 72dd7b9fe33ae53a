//! The formats of bodies.

use std::marker::PhantomData;

use bytes::Bytes;
#[cfg(feature = "test-util")]
use http::{HeaderMap, HeaderValue, StatusCode, header};

#[cfg(feature = "test-util")]
use super::raw::RawReply;
use super::received::{Declared, Received};
use crate::error::Error;
#[cfg(feature = "test-util")]
use crate::wire::{self, Mode};
use crate::wire::{AsText, Model};

/// How the body of a successful response becomes a value.
pub trait ReplyFormat<T>: 'static {
    /// Decodes the body.
    ///
    /// # Errors
    ///
    /// Fails if the spec does not describe the response. The error has the body.
    fn decode(reply: &Received<'_>) -> Result<T, Error>;

    /// Returns the response with a value, for tests. The status is 204 if there is no body, and otherwise 200.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be sent.
    #[cfg(feature = "test-util")]
    fn encode(value: &T) -> Result<RawReply, String>;
}

#[cfg(feature = "test-util")]
impl RawReply {
    fn with_body(media_type: &'static str, body: impl Into<Bytes>) -> Self {
        let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(media_type))];
        Self { status: StatusCode::OK, headers: HeaderMap::from_iter(headers), body: body.into() }
    }

    pub(crate) fn json(value: &dyn wire::Wire) -> Result<Self, String> {
        Ok(Self::with_body("application/json", wire::encode_checked(value, Mode::Whole)?))
    }
}

/// Contents of several types: of a reply by its status, or of an event by its name.
pub trait FromReply: Sized {
    /// Decodes a response, or an event.
    ///
    /// # Errors
    ///
    /// Fails if the content does not have its type.
    fn from_reply(reply: &Received<'_>) -> Result<Self, Error>;
}

/// JSON.
#[derive(Debug)]
pub struct Json;

/// A text, in the charset of its media type.
#[derive(Debug)]
pub struct Text;

/// Bytes.
#[derive(Debug)]
pub struct Binary;

/// Nothing: the body is ignored.
#[derive(Debug)]
pub struct Empty;

/// A body, or nothing.
#[derive(Debug)]
pub struct Optional<F>(PhantomData<F>);

/// JSON that may be null, or nothing.
#[derive(Debug)]
pub struct OptionalOrNull<F = Json>(PhantomData<F>);

/// Contents of several types.
#[derive(Debug)]
pub struct Several;

impl<T: Model> ReplyFormat<T> for Json {
    fn decode(reply: &Received<'_>) -> Result<T, Error> {
        reply.described()?.json()
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &T) -> Result<RawReply, String> {
        RawReply::json(value)
    }
}

impl<T: Model> ReplyFormat<T> for AsText<Json> {
    fn decode(reply: &Received<'_>) -> Result<T, Error> {
        Json::decode(reply).map(|AsText(value)| value)
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &T) -> Result<RawReply, String> {
        RawReply::json(&AsText(value))
    }
}

impl ReplyFormat<String> for Text {
    fn decode(reply: &Received<'_>) -> Result<String, Error> {
        reply.described()?.text()
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &String) -> Result<RawReply, String> {
        Ok(RawReply::with_body("text/plain; charset=utf-8", value.clone()))
    }
}

impl ReplyFormat<Bytes> for Binary {
    fn decode(reply: &Received<'_>) -> Result<Bytes, Error> {
        reply.described()?.bytes()
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &Bytes) -> Result<RawReply, String> {
        Ok(RawReply::with_body("application/octet-stream", value.clone()))
    }
}

impl ReplyFormat<()> for Empty {
    fn decode(reply: &Received<'_>) -> Result<(), Error> {
        reply.check_empty()
    }

    #[cfg(feature = "test-util")]
    fn encode((): &()) -> Result<RawReply, String> {
        let (status, headers, body) = (StatusCode::NO_CONTENT, HeaderMap::new(), Bytes::new());
        Ok(RawReply { status, headers, body })
    }
}

impl<T, F: ReplyFormat<T>> ReplyFormat<Option<T>> for Optional<F> {
    fn decode(reply: &Received<'_>) -> Result<Option<T>, Error> {
        let Declared { empty, .. } = reply.declared;
        let can_be_empty = reply.declared.is_empty(reply.status) || empty.contains(&reply.status());
        if can_be_empty && reply.is_empty() { Ok(None) } else { F::decode(reply).map(Some) }
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &Option<T>) -> Result<RawReply, String> {
        match value {
            Some(value) => F::encode(value),
            None => Empty::encode(&()),
        }
    }
}

impl<T, F: ReplyFormat<T> + ReplyFormat<Option<T>>> ReplyFormat<Option<T>> for OptionalOrNull<F> {
    fn decode(reply: &Received<'_>) -> Result<Option<T>, Error> {
        let decoded: Option<Option<T>> = Optional::<F>::decode(reply)?;
        Ok(decoded.flatten())
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &Option<T>) -> Result<RawReply, String> {
        <Optional<F> as ReplyFormat<Option<T>>>::encode(value)
    }
}

impl<T: FromReply> ReplyFormat<T> for Several {
    fn decode(reply: &Received<'_>) -> Result<T, Error> {
        T::from_reply(reply)
    }

    #[cfg(feature = "test-util")]
    fn encode(_: &T) -> Result<RawReply, String> {
        Err("the operation has several replies: use `respond`, with a status".to_owned())
    }
}
