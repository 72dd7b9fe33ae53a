//! The declared bodies of errors.

use std::borrow::Cow;

use http::StatusCode;

use super::{Error, ErrorKind};
use crate::operation::Operation;
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

/// A response whose status is not success.
#[derive(Clone, Copy)]
pub struct Rejection<'a> {
    status: StatusCode,
    body: &'a [u8],
}

#[cfg(feature = "test-util")]
impl<'a> Rejection<'a> {
    pub(crate) fn new(status: StatusCode, body: &'a [u8]) -> Self {
        Self { status, body }
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
        wire::decode(self.body, None).ok()
    }

    /// Returns a body of text.
    pub fn text(&self) -> Option<String> {
        (!self.body.is_empty()).then(|| String::from_utf8_lossy(self.body)).map(Cow::into_owned)
    }
}

impl Error {
    /// Returns the body that the spec declares for the status: `error.failure::<tasks::Get>()`. The type argument is
    /// the request.
    ///
    /// `None` if the error is not one of that operation, its status has no declared body, or the body does not have
    /// the declared type; [`body`](Self::body) has it as it was received. The exact status precedes a range such as
    /// `4XX`, and that precedes `default`.
    pub fn failure<R: Fails>(&self) -> Option<R::Failure> {
        let is_own = self.0.operation.is_some_and(|operation| operation.id == R::FAILING.id);
        R::failure(&self.rejected_with().filter(|_| is_own)?)
    }

    /// Returns the JSON body of a response whose status is not success, as a model: `error.failure_as::<Problem>()`.
    /// `None` if the body does not have this type.
    pub fn failure_as<T: Model>(&self) -> Option<T> {
        self.rejected_with()?.json()
    }

    fn rejected_with(&self) -> Option<Rejection<'_>> {
        let status = self.0.status.filter(|_| self.0.kind == ErrorKind::Status)?;
        Some(Rejection { status, body: &self.0.body })
    }
}
