//! Transports, which send requests, and hooks around them.

pub(crate) mod body;
pub(crate) mod error;
pub(crate) mod interceptor;
#[cfg(feature = "reqwest")]
pub(crate) mod reqwest;
#[cfg(feature = "tower")]
pub(crate) mod tower;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use self::body::Body;
use self::error::TransportError;
use crate::time::future::BoxFuture;
use crate::time::pointers::forward;
use crate::wire::upload::body::RequestBody;

/// The response to a request, or the reason why there is none.
pub(crate) type ResponseFuture<'a> = BoxFuture<'a, Result<http::Response<Body>, TransportError>>;

/// Sends an HTTP request and returns the head of the response as soon as it is received, with the body
/// as a stream of chunks.
///
/// The client adds credentials, retries, timeouts and limits to every transport. A transport must
/// not follow redirects, and it must cancel the exchange when the future or the body is dropped. If it
/// decodes a body, it removes `Content-Encoding`: content that is still encoded is an error.
/// The extensions of a call's request hold its `&'static` [`Operation`](crate::Operation), for example as a label of
/// metrics; the extensions of a request for a token do not.
///
/// # Example
///
/// A transport for tests, which answers every request with an empty object:
///
/// ```
/// use openapi_bindings_runtime::{Body, BoxFuture, RequestBody, Transport, TransportError, http};
///
/// struct Empty;
///
/// impl Transport for Empty {
///     fn send(
///         &self,
///         _: http::Request<RequestBody>,
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
    /// Returns a [`TransportError`] if there was no response. An error status is a response.
    fn send(&self, request: http::Request<RequestBody>) -> ResponseFuture<'_>;

    /// Sends a request as [`send`](Self::send) does, and calls [`SendProgress::begin`] before the server can see it. An attempt
    /// that times out before that has sent nothing, so it is retried with any method.
    ///
    /// The default begins at once. A transport in which requests wait, such as in a queue, overrides it, and one that wraps
    /// another transport forwards it.
    fn send_observed<'a>(
        &'a self,
        request: http::Request<RequestBody>,
        progress: &'a SendProgress,
    ) -> ResponseFuture<'a> {
        progress.begin();
        self.send(request)
    }

    /// Called when an attempt whose request was given to the transport at this time had no complete response within its
    /// timeout, so that later requests do not wait for the same silent connection. A transport that wraps another one should
    /// forward it. Attempts of calls that the transport had not begun to send are not reported; requests for tokens are.
    fn timed_out(&self, begun: Instant) {
        let _ = begun;
    }
}

forward!(Transport for Arc, Box => {
    fn send(&self, request: http::Request<RequestBody>) -> ResponseFuture<'_>;
    fn send_observed<'a>(
        &'a self,
        request: http::Request<RequestBody>,
        progress: &'a SendProgress,
    ) -> ResponseFuture<'a>;
    fn timed_out(&self, begun: Instant);
});

/// Whether a body is claimed: by the transport when it reads it, or before that by the end of the attempt, after which nobody
/// reads it. A request whose body was not read is incomplete, so that no server acts on it.
pub(crate) type Claim = Arc<AtomicBool>;

/// The requests that a transport has begun to send: several, if it sends again. Those whose body is read while it is sent have
/// its claim.
#[derive(Debug, Default)]
pub struct SendProgress(Mutex<Vec<Option<Claim>>>);

impl SendProgress {
    /// Records that the server may act on the request from now on.
    pub fn begin(&self) {
        self.begin_with(None);
    }

    /// Records the same, once the body is claimed.
    pub(crate) fn begin_with(&self, claim: Option<&Claim>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(claim.cloned());
    }

    /// Ends the attempt, and returns whether the server may act on any of its requests; `None` if none was begun.
    pub(crate) fn end(&self) -> Option<bool> {
        let begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Every body is claimed, so that none is read later.
        let claim = |claim: &Claim| claim.swap(true, Ordering::Relaxed);
        begun.iter().map(|it| it.as_ref().is_none_or(claim)).reduce(|any, sent| any | sent)
    }
}
