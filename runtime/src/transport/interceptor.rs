//! Hooks around every attempt.

use std::sync::Arc;

use http::{HeaderMap, StatusCode};

use crate::error::Error;
use crate::error::operation::Operation;
use crate::time::future::{BoxError, BoxFuture};
use crate::time::pointers::forward;
use crate::wire::upload::body::RequestBody;

/// Hooks before every attempt, after the head of its response, and after its failure: for adding headers, signing or
/// auditing.
///
/// Interceptors run in the order in which they were added to the builder, once per attempt, after
/// the credentials were added. [`Attempt`] identifies the attempt in all of its hooks. If a call is dropped, its attempt ends
/// without another hook.
///
/// The extensions of the request live until the attempt ends, also if the call is dropped. An interceptor holds a permit by
/// inserting it: `request.extensions_mut().insert(Arc::new(permit))`. An attempt ends when the end of
/// the body or an error is read, or when the stream that reads the body is dropped.
///
/// This one sends the context of a trace (W3C Trace Context) with each attempt:
///
/// ```
/// use openapi_bindings_runtime::{Attempt, BoxError, BoxFuture, Interceptor, RequestBody, http};
///
/// struct Traced;
///
/// impl Interceptor for Traced {
///     fn before<'a>(
///         &'a self,
///         _: &'a Attempt,
///         request: &'a mut http::Request<RequestBody>,
///     ) -> BoxFuture<'a, Result<(), BoxError>> {
///         Box::pin(async move {
///             // A propagator of OpenTelemetry takes the context of the current span.
///             let context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
///             request.headers_mut().insert("traceparent", context.parse()?);
///             Ok(())
///         })
///     }
/// }
/// # fn add(builder: openapi_bindings_runtime::ClientBuilder<openapi_bindings_runtime::Client>) {
/// let builder = builder.interceptor(Traced);
/// # }
/// ```
pub trait Interceptor: Send + Sync + 'static {
    /// Modifies a request before it is sent. It may not change the origin of the URL: the request
    /// carries credentials.
    ///
    /// The timeout of the attempt includes its time. If it does not return within that, for example because it waits for a
    /// permit, nothing was sent, and the call is retried with any method.
    ///
    /// # Errors
    ///
    /// An error ends the call before it is sent.
    fn before<'a>(
        &'a self,
        attempt: &'a Attempt,
        request: &'a mut http::Request<RequestBody>,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        let _ = (attempt, request);
        Box::pin(std::future::ready(Ok(())))
    }

    /// Called with the head of a response before its body is read.
    fn after(&self, attempt: &Attempt, status: StatusCode, headers: &HeaderMap) {
        let _ = (attempt, status, headers);
    }

    /// Called when an attempt that [`before`](Self::before) has seen fails for another reason than its status: the
    /// connection failed or broke, also in the body after the head unless that is read as a stream, a timeout was exceeded,
    /// an interceptor refused the request, or the response could not be decoded. With `send_raw`, which decodes nothing,
    /// and for the messages of a stream, the last is not known.
    fn failed(&self, attempt: &Attempt, error: &Error) {
        let _ = (attempt, error);
    }
}

forward!(Interceptor for Arc, Box => {
    fn before<'a>(
        &'a self,
        attempt: &'a Attempt,
        request: &'a mut http::Request<RequestBody>,
    ) -> BoxFuture<'a, Result<(), BoxError>>;
    fn after(&self, attempt: &Attempt, status: StatusCode, headers: &HeaderMap);
    fn failed(&self, attempt: &Attempt, error: &Error);
});

/// An attempt. Its two numbers identify it among all attempts of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Attempt {
    /// The operation.
    pub operation: &'static Operation,
    /// The number of the call, counted from 1 for each client and its clones.
    pub call: u64,
    /// The number of the attempt, counted from 1.
    pub number: u32,
}
