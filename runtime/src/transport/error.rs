//! Errors of transports.

use std::error::Error as StdError;
use std::fmt;

use crate::BoxError;

/// Why a request failed, or the body of its response.
///
/// The constructors differ in what decides about a retry: whether the server may have acted on the
/// request.
#[derive(Debug)]
pub struct TransportError {
    fault: Fault,
    lasting: bool,
    source: BoxError,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Connect,
    Timeout,
    Interrupted,
    Unprocessed,
    Refused,
}

impl TransportError {
    /// The connection failed, so the server has not seen the request.
    pub fn connect(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Connect, lasting: false, source: source.into() }
    }

    /// The server did not respond in time; it may have acted on the request.
    pub fn timeout(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Timeout, lasting: false, source: source.into() }
    }

    /// The connection broke during the exchange; the server may have acted on the request.
    pub fn interrupted(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Interrupted, lasting: false, source: source.into() }
    }

    /// The server refused the request without acting on it, as it can with HTTP/2 (RFC 9113, section
    /// 8.7).
    pub fn unprocessed(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Unprocessed, lasting: false, source: source.into() }
    }

    /// The request is invalid and was not sent; it is not retried.
    pub fn refused(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Refused, lasting: true, source: source.into() }
    }

    /// Marks the cause as permanent, such as an untrusted certificate; it is not retried.
    #[must_use]
    pub fn lasting(mut self) -> Self {
        self.lasting = true;
        self
    }

    /// Turns an error before the request was processed into one after: the server may have answered
    /// with a redirect, and the request after it failed.
    #[cfg(feature = "reqwest")]
    pub(crate) fn after_hops(mut self) -> Self {
        if self.fault != Fault::Timeout {
            self.fault = Fault::Interrupted;
        }
        self
    }

    pub(crate) fn is_lasting(&self) -> bool {
        self.lasting
    }

    pub(crate) fn fault(&self) -> Fault {
        self.fault
    }

    pub(crate) fn into_source(self) -> BoxError {
        self.source
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.fault {
            Fault::Connect => "failed to connect",
            Fault::Timeout => "timed out",
            Fault::Interrupted => "the connection broke",
            Fault::Unprocessed => "the server refused the request unprocessed",
            Fault::Refused => "the request was not sent",
        })
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(self.source.as_ref())
    }
}
