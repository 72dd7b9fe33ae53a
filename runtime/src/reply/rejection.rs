//! The declared bodies of errors.

use std::sync::Arc;

use super::received::Received;
use crate::error::operation::Operation;
use crate::error::{Error, ErrorKind};
use crate::secrets::Withheld;
use crate::wire::charset;
use crate::wire::lookup::recognizes;
use crate::wire::{self, Map, Model};

/// A request whose operation declares the bodies of its errors, for [`Error::failure`].
#[diagnostic::on_unimplemented(
    message = "the spec declares no body for the errors of `{Self}`",
    label = "its errors have no declared body",
    note = "decode the body as another type: `error.failure_as::<T>()`, or `error.decode_body::<T>()`"
)]
pub trait Fails {
    /// The body: a model, or an enum where statuses have different ones.
    type Failure;

    #[doc(hidden)]
    const FAILING: &'static Operation;

    /// Decodes the body that is declared for the status.
    #[doc(hidden)]
    fn failure(reply: &Rejection<'_>) -> Option<Self::Failure>;
}

/// A response whose status is not success.
#[derive(Clone, Copy)]
pub struct Rejection<'a> {
    pub(crate) reply: Received<'a>,
    /// Whether the body is complete, and not encoded.
    is_whole: bool,
    /// What the request withholds.
    withheld: Option<&'a Withheld>,
}

#[cfg(any(feature = "record", feature = "test-util"))]
impl<'a> Rejection<'a> {
    pub(crate) fn new(reply: Received<'a>) -> Self {
        Self { reply, is_whole: true, withheld: None }
    }
}

impl Rejection<'_> {
    /// Returns the status.
    #[inline]
    pub fn status(&self) -> u16 {
        self.reply.status()
    }

    /// Returns the media type without its parameters, in lower case.
    pub fn media_type(&self) -> String {
        charset::essence(self.reply.media_type().unwrap_or_default()).to_ascii_lowercase()
    }

    /// Decodes a JSON body. An object without any property that the type describes does not have the type.
    pub fn json<T: Model>(&self) -> Option<T> {
        let body = self.reply.body;
        // Of all values, only the beginning of a number is one, too.
        let is_value = self.is_whole || !body.last().is_some_and(u8::is_ascii_digit);
        let withheld = self.withheld.cloned().map(Arc::new);
        let mut value = T::default();
        let decoded = wire::decode_into(&mut value, body, false, withheld.as_ref()).ok();
        let decoded = decoded.filter(|_| is_value && is_recognized::<T>(body)).map(|_| value);
        self.reply.show(decoded.as_ref());
        decoded
    }

    /// Returns a body of text, in the charset of its media type, without the secrets of the request.
    pub fn text(&self) -> Option<String> {
        let Received { body, .. } = self.reply;
        let media_type = self.reply.media_type().unwrap_or_default();
        let is_text = self.is_whole && !body.is_empty();
        let text = is_text.then(|| charset::decode(body, media_type).ok())??;
        Some(self.withheld.map_or(text.as_str().into(), |it| it.redact_secrets(&text)).into_owned())
    }
}

/// Returns whether a body is no object, or one that the type describes a property of.
fn is_recognized<T: Model>(body: &[u8]) -> bool {
    let Ok(object) = wire::decode::<Map>(body, None) else { return true };
    // The variant of a union describes more than its type. Looking up changes a value.
    recognizes(&mut T::default(), &object)
        || wire::decode(body, None).is_ok_and(|mut value: T| recognizes(&mut value, &object))
}

impl Error {
    /// Returns the body that the spec declares for the status: `error.failure::<tasks::Get>()`. The type argument is
    /// the request.
    ///
    /// `None` if the error is from another operation, its status has no declared body, or the body does not have the
    /// declared type, as an object without any of its properties; [`body`](Self::body) has what was received. The exact
    /// status, also one without a body, precedes a range such as `4XX`, and that precedes `default`. The media type of the
    /// response chooses among several JSON types of a status.
    ///
    /// `Debug` of a model does not show what `Display` of the error withholds; its fields are what was received. In a
    /// text, the secrets of the request are `[redacted]`.
    pub fn failure<R: Fails>(&self) -> Option<R::Failure> {
        let is_own = self.0.operation.is_some_and(|operation| operation.id == R::FAILING.id);
        R::failure(&self.rejected_with().filter(|_| is_own)?)
    }

    /// Returns the JSON body of a response whose status is not success, as a model: `error.failure_as::<Problem>()`.
    /// `None` if the body does not have this type. Any object with one of its properties does: check the fields, or the
    /// status, before you rely on it.
    pub fn failure_as<T: Model>(&self) -> Option<T> {
        self.rejected_with()?.json()
    }

    fn rejected_with(&self) -> Option<Rejection<'_>> {
        let error = &self.0;
        let status = error.status.filter(|_| error.kind == ErrorKind::Status)?;
        let reply = Received::new(status, &error.headers, &error.body, error.operation?);
        let is_whole = error.is_whole && charset::undecoded(&error.headers).is_none();
        Some(Rejection { reply, is_whole, withheld: error.withheld.as_ref() })
    }
}
