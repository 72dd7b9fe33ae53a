//! Errors of transports.

use std::error::Error as StdError;
use std::fmt;

use crate::error::{Error, ErrorKind};
use crate::time::future::BoxError;

/// The failure of a request, or of the body of its response.
///
/// The constructors differ in the condition for a retry: whether the server may have executed the
/// request.
#[derive(Debug)]
pub struct TransportError {
    pub(crate) kind: ErrorKind,
    /// Whether the cause is permanent.
    pub(crate) lasting: bool,
    pub(crate) source: BoxError,
}

impl TransportError {
    /// The connection failed, so the server has not seen the request.
    pub fn connect(source: impl Into<BoxError>) -> Self {
        Self::new(ErrorKind::Connect, source)
    }

    /// The server did not respond in time; it may have acted on the request.
    pub fn timeout(source: impl Into<BoxError>) -> Self {
        Self::new(ErrorKind::Timeout, source)
    }

    /// The connection broke during the exchange; the server may have acted on the request.
    pub fn interrupted(source: impl Into<BoxError>) -> Self {
        Self::new(ErrorKind::Interrupted, source)
    }

    /// The server refused the request without acting on it, as it can with HTTP/2 (RFC 9113, section
    /// 8.7).
    pub fn unprocessed(source: impl Into<BoxError>) -> Self {
        Self::new(ErrorKind::Unprocessed, source)
    }

    /// The request is invalid and was not sent; it is not retried.
    pub fn refused(source: impl Into<BoxError>) -> Self {
        Self::new(ErrorKind::Request, source).lasting()
    }

    /// Marks the cause as permanent, such as an untrusted certificate; it is not retried.
    #[must_use]
    pub fn lasting(self) -> Self {
        self.lasting_if(true)
    }

    pub(crate) fn lasting_if(mut self, lasting: bool) -> Self {
        self.lasting |= lasting;
        self
    }

    /// Turns an error before the request was processed into one after: the server may have answered
    /// with a redirect, and the request after it failed.
    #[cfg(feature = "reqwest")]
    pub(crate) fn after_hops(mut self) -> Self {
        if self.kind != ErrorKind::Timeout {
            self.kind = ErrorKind::Interrupted;
        }
        self
    }

    /// Turns a broken connection into a request that was not processed: its body was not read, so it was not complete.
    #[cfg(feature = "reqwest")]
    pub(crate) fn before_body(mut self) -> Self {
        if self.kind == ErrorKind::Interrupted {
            self.kind = ErrorKind::Unprocessed;
        }
        self
    }

    /// Returns the error of a call whose response breaks off.
    pub(crate) fn of_body(self) -> Error {
        let is_timeout = self.kind == ErrorKind::Timeout;
        let kind = if is_timeout { ErrorKind::Timeout } else { ErrorKind::Interrupted };
        Error::new(kind).with_transient(!self.lasting).with_source(self.source)
    }

    fn new(kind: ErrorKind, source: impl Into<BoxError>) -> Self {
        Self { kind, lasting: false, source: source.into() }
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            ErrorKind::Request => "the request was not sent",
            kind => kind.description(),
        })
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(self.source.as_ref())
    }
}
