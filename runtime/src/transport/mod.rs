//! Transports, which send requests, and hooks around them.

pub(crate) mod body;
pub(crate) mod error;
pub(crate) mod interceptor;
#[cfg(feature = "reqwest")]
pub(crate) mod reqwest;
#[cfg(feature = "tower")]
pub(crate) mod tower;

use std::time::Instant;

use self::body::Body;
use self::error::TransportError;
use crate::future::BoxFuture;
use crate::upload::body::RequestBody;

/// Sends an HTTP request and returns the head of the response as soon as it is received, with the body
/// as a stream of chunks.
///
/// The client adds credentials, retries, timeouts and limits to every transport. A transport must
/// not follow redirects, and it must cancel the exchange when the future or the body is dropped. If it
/// decodes a body, it removes `Content-Encoding`: content that is still encoded is an error.
/// With the feature `test-util`, the extensions of a call's request hold its `&'static`
/// [`Operation`](crate::Operation).
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
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>>;

    /// Called when an attempt that began at this time had no complete response within its timeout, so that later requests
    /// do not wait for the same silent connection. A transport that wraps another one should forward it.
    fn timed_out(&self, begun: Instant) {
        let _ = begun;
    }
}
