//! The formats of bodies.

use std::marker::PhantomData;

use bytes::Bytes;

use super::received::Received;
use crate::error::Error;
#[cfg(feature = "test-util")]
use crate::wire;
use crate::wire::{AsText, Model};

/// How the body of a successful response becomes a value.
pub trait ReplyFormat<T>: 'static {
    /// Decodes the body.
    ///
    /// # Errors
    ///
    /// Fails if the spec does not describe the response. The error has the body.
    fn decode(reply: &Received<'_>) -> Result<T, Error>;

    /// Returns the response with a value, for tests.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be sent.
    #[cfg(feature = "test-util")]
    fn encode(value: &T) -> Result<Encoded, String>;
}

/// A response of a fake transport.
#[cfg(feature = "test-util")]
#[derive(Debug, Default)]
pub struct Encoded {
    /// The status, unless it follows from the body.
    pub(crate) status: Option<u16>,
    pub(crate) media_type: Option<&'static str>,
    pub(crate) body: Vec<u8>,
}

#[cfg(feature = "test-util")]
impl Encoded {
    fn json(value: &dyn wire::Wire) -> Result<Self, String> {
        let body = wire::encode_checked(value)?;
        Ok(Self { media_type: Some("application/json"), body, ..Self::default() })
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
        if reply.is_described() { reply.json() } else { Err(reply.refuse()) }
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &T) -> Result<Encoded, String> {
        Encoded::json(value)
    }
}

impl<T: Model> ReplyFormat<T> for AsText<Json> {
    fn decode(reply: &Received<'_>) -> Result<T, Error> {
        Json::decode(reply).map(|AsText(value)| value)
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &T) -> Result<Encoded, String> {
        Encoded::json(&AsText(value))
    }
}

impl ReplyFormat<String> for Text {
    fn decode(reply: &Received<'_>) -> Result<String, Error> {
        if reply.is_described() { reply.text() } else { Err(reply.refuse()) }
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &String) -> Result<Encoded, String> {
        let media_type = Some("text/plain; charset=utf-8");
        Ok(Encoded { media_type, body: value.clone().into_bytes(), ..Encoded::default() })
    }
}

impl ReplyFormat<Bytes> for Binary {
    fn decode(reply: &Received<'_>) -> Result<Bytes, Error> {
        if reply.is_described() { reply.bytes() } else { Err(reply.refuse()) }
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &Bytes) -> Result<Encoded, String> {
        let media_type = Some("application/octet-stream");
        Ok(Encoded { media_type, body: value.to_vec(), ..Encoded::default() })
    }
}

impl ReplyFormat<()> for Empty {
    fn decode(_: &Received<'_>) -> Result<(), Error> {
        Ok(())
    }

    #[cfg(feature = "test-util")]
    fn encode((): &()) -> Result<Encoded, String> {
        Ok(Encoded { status: Some(204), ..Encoded::default() })
    }
}

impl<T, F: ReplyFormat<T>> ReplyFormat<Option<T>> for Optional<F> {
    fn decode(reply: &Received<'_>) -> Result<Option<T>, Error> {
        let has_body = reply.is_described() && !(reply.statuses.is_empty() && reply.is_empty());
        if !has_body && reply.is_empty() { Ok(None) } else { F::decode(reply).map(Some) }
    }

    #[cfg(feature = "test-util")]
    fn encode(value: &Option<T>) -> Result<Encoded, String> {
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
    fn encode(value: &Option<T>) -> Result<Encoded, String> {
        <Optional<F> as ReplyFormat<Option<T>>>::encode(value)
    }
}

impl<T: FromReply> ReplyFormat<T> for Several {
    fn decode(reply: &Received<'_>) -> Result<T, Error> {
        T::from_reply(reply)
    }

    #[cfg(feature = "test-util")]
    fn encode(_: &T) -> Result<Encoded, String> {
        Err("the operation has several replies: use `respond`, with a status".to_owned())
    }
}
