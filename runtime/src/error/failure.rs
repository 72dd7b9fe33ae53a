//! The declared bodies of errors.

#[cfg(feature = "record")]
use std::cell::Cell;
use std::sync::Arc;

use http::StatusCode;

use super::{Error, ErrorKind};
use crate::charset;
use crate::operation::Operation;
use crate::secrets::Withheld;
use crate::wire::{self, Model};

/// A request whose operation declares the bodies of its errors, for [`Error::failure`].
#[diagnostic::on_unimplemented(
    message = "the spec declares no body for the errors of `{Self}`",
    label = "its errors have no declared body",
    note = "decode the body as another type: `error.failure_as::<T>()`, or `error.decode_body::<T>()`"
)]
pub trait Fails {
    /// The body: a model, or an enum where statuses have different ones.
    type Failure;

    /// The operation.
    #[doc(hidden)]
    const FAILING: &'static Operation;

    /// Decodes the body that is declared for the status.
    #[doc(hidden)]
    fn failure(reply: &Rejection<'_>) -> Option<Self::Failure>;
}

/// Where the texts of a body are left for a recorder when it is decoded.
#[cfg(feature = "record")]
pub(crate) type FoundTexts = Cell<Option<wire::Texts>>;

/// Keeps the texts of a body: those of its value, or the names of its type if it does not have it.
#[cfg(feature = "record")]
pub(crate) fn keep_texts<T: Model>(found: Option<&FoundTexts>, value: Option<&T>) {
    let of_type = || wire::Texts {
        properties: wire::texts(&T::default()).properties,
        ..wire::Texts::opaque()
    };
    if let Some(found) = found {
        found.set(Some(value.map_or_else(of_type, |value| wire::texts(value))));
    }
}

/// A response whose status is not success.
#[derive(Clone, Copy)]
pub struct Rejection<'a> {
    status: StatusCode,
    media_type: &'a str,
    body: &'a [u8],
    /// Whether the body is complete, and not encoded.
    is_whole: bool,
    /// Receives the texts of the JSON, for a recorder.
    #[cfg(feature = "record")]
    pub(crate) texts: Option<&'a FoundTexts>,
    /// What the request withholds.
    withheld: Option<&'a Withheld>,
}

#[cfg(any(feature = "record", feature = "test-util"))]
impl<'a> Rejection<'a> {
    pub(crate) fn new(status: StatusCode, body: &'a [u8]) -> Self {
        Self {
            status,
            media_type: "",
            body,
            is_whole: true,
            withheld: None,
            #[cfg(feature = "record")]
            texts: None,
        }
    }
}

impl Rejection<'_> {
    /// Returns the status.
    #[inline]
    pub fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// Decodes a JSON body.
    pub fn json<T: Model>(&self) -> Option<T> {
        // Of all values, only the beginning of a number is one, too.
        let is_value = self.is_whole || !self.body.last().is_some_and(u8::is_ascii_digit);
        let withheld = self.withheld.cloned().map(Arc::new);
        let mut value = T::default();
        let decoded = wire::decode_into(&mut value, self.body, false, withheld.as_ref()).ok();
        let decoded = decoded.filter(|_| is_value).map(|_| value);
        #[cfg(feature = "record")]
        keep_texts(self.texts, decoded.as_ref());
        decoded
    }

    /// Returns a body of text, in the charset of its media type, without the secrets of the request.
    pub fn text(&self) -> Option<String> {
        let is_text = self.is_whole && !self.body.is_empty();
        let text = is_text.then(|| charset::decode(self.body, self.media_type).ok())??;
        Some(self.withheld.map_or(text.as_str().into(), |it| it.redact_secrets(&text)).into_owned())
    }
}

impl Error {
    /// Returns the body that the spec declares for the status: `error.failure::<tasks::Get>()`. The type argument is
    /// the request.
    ///
    /// `None` if the error is from another operation, its status has no declared body, or the body does not have the
    /// declared type; [`body`](Self::body) has it as it was received. The exact status precedes a range such as `4XX`,
    /// and that precedes `default`.
    ///
    /// `Debug` of a model does not show what `Display` of the error withholds; its fields are what was received. In a
    /// text, the secrets of the request are `[redacted]`.
    pub fn failure<R: Fails>(&self) -> Option<R::Failure> {
        let is_own = self.0.operation.is_some_and(|operation| operation.id == R::FAILING.id);
        R::failure(&self.rejected_with().filter(|_| is_own)?)
    }

    /// Returns the JSON body of a response whose status is not success, as a model: `error.failure_as::<Problem>()`.
    /// `None` if the body does not have this type. A type whose properties are all optional fits any JSON object: check
    /// one of its fields, or the status, before you rely on it.
    pub fn failure_as<T: Model>(&self) -> Option<T> {
        self.rejected_with()?.json()
    }

    fn rejected_with(&self) -> Option<Rejection<'_>> {
        let status = self.0.status.filter(|_| self.0.kind == ErrorKind::Status)?;
        let media_type = charset::media_type(&self.0.headers).unwrap_or_default();
        let is_whole = self.0.is_whole && charset::undecoded(&self.0.headers).is_none();
        Some(Rejection {
            status,
            media_type,
            body: &self.0.body,
            is_whole,
            withheld: self.0.withheld.as_ref(),
            #[cfg(feature = "record")]
            texts: None,
        })
    }
}
