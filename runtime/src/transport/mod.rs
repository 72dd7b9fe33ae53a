//! The way from a request to a response.

mod body;
#[cfg(feature = "reqwest")]
pub(crate) mod reqwest;
#[cfg(feature = "tower")]
mod tower;

use std::error::Error as StdError;
use std::fmt;

use bytes::Bytes;

pub use self::body::Body;
#[cfg(feature = "reqwest")]
pub use self::reqwest::ReqwestTransport;
#[cfg(feature = "tower")]
pub use self::tower::TowerTransport;
use crate::{BoxError, BoxFuture};

/// Sends one HTTP request and returns the response's head as soon as it is there, its body as a
/// stream of chunks.
///
/// Credentials, retries, timeouts and limits are not a transport's business: the client adds them,
/// whichever transport it has. A transport must not follow redirects, and it ends the exchange when
/// the future or the body is dropped.
///
/// # Example
///
/// A transport for a test, which answers every request alike:
///
/// ```
/// use access_governance_runtime::{Body, BoxFuture, Bytes, Transport, TransportError, http};
///
/// struct Empty;
///
/// impl Transport for Empty {
///     fn send(
///         &self,
///         _: http::Request<Bytes>,
///     ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
///         Box::pin(async { Ok(http::Response::new(Body::from("{}"))) })
///     }
/// }
/// ```
pub trait Transport: Send + Sync + 'static {
    /// Sends a request.
    ///
    /// # Errors
    ///
    /// Returns a [`TransportError`] where no response came; any status is a response.
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>>;
}

/// Why no response came, or why it broke off.
///
/// What matters for a retry is whether the server can have seen the request, so that is what the
/// constructors ask.
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
    /// No connection came about, so the server has not seen the request.
    pub fn connect(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Connect, lasting: false, source: source.into() }
    }

    /// The server took too long; it may have acted on the request.
    pub fn timeout(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Timeout, lasting: false, source: source.into() }
    }

    /// The exchange broke off; the server may have acted on the request.
    pub fn interrupted(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Interrupted, lasting: false, source: source.into() }
    }

    /// The server turned the request away and says that it has not acted on it, as it can with
    /// HTTP/2 (RFC 9113, section 8.7).
    pub fn unprocessed(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Unprocessed, lasting: false, source: source.into() }
    }

    /// The request was not sent, and repeating it would change nothing.
    pub fn refused(source: impl Into<BoxError>) -> Self {
        Self { fault: Fault::Refused, lasting: true, source: source.into() }
    }

    /// Says that the cause does not pass by itself, such as a certificate that nobody trusts: the
    /// call is not made again.
    #[must_use]
    pub fn lasting(mut self) -> Self {
        self.lasting = true;
        self
    }

    /// Takes back that the server has not seen the request: it may have answered it with a redirect,
    /// and what failed may be the request that followed.
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
            Fault::Connect => "could not connect",
            Fault::Timeout => "timed out",
            Fault::Interrupted => "the exchange broke off",
            Fault::Unprocessed => "the server turned the request away unprocessed",
            Fault::Refused => "the request was not sent",
        })
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(self.source.as_ref())
    }
}
