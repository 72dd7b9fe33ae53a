//! Tower services as transports.

use std::future::poll_fn;

use tower_service::Service;

use super::body::Body;
use super::error::TransportError;
use super::{ResponseFuture, SendProgress, Transport};
use crate::secrets::debug::opaque;
use crate::time::future::BoxError;
use crate::wire::upload::body::RequestBody;

/// Sends requests through a [`tower_service::Service`], and so through a stack of tower layers. Needs the feature `tower`.
///
/// The layers pass [`RequestBody`] and [`Body`] on as they are: the layers of the crate `tower` do, such as limits, load
/// shedding and timeouts. Layers that read or wrap bodies by `http_body::Body`, as most of `tower-http` do, do not fit. A
/// boxed service is a `BoxCloneSyncService`.
///
/// A service can return [`TransportError`]s. All other errors count as
/// [`TransportError::interrupted`], because the server may have seen the request, and errors of `poll_ready` as
/// [`TransportError::connect`].
///
/// The timeout of an attempt includes the time in layers. If it ends before `poll_ready` has succeeded, as with a concurrency
/// or rate limit, nothing was sent, and any call is retried. A queue behind it, such as in `Buffer`, is not visible: the
/// server may have acted on the request.
#[derive(Clone)]
pub struct TowerTransport<S>(S);

impl<S> TowerTransport<S> {
    /// Wraps a service, which is cloned for every request.
    pub fn new(service: S) -> Self {
        Self(service)
    }
}

impl<S> Transport for TowerTransport<S>
where
    S: Service<http::Request<RequestBody>, Response = http::Response<Body>>
        + Clone
        + Send
        + Sync
        + 'static,
    S::Future: Send,
    S::Error: Into<BoxError> + Send,
{
    fn send(&self, request: http::Request<RequestBody>) -> ResponseFuture<'_> {
        Box::pin(async { self.send_observed(request, &SendProgress::default()).await })
    }

    fn send_observed<'a>(
        &'a self,
        request: http::Request<RequestBody>,
        progress: &'a SendProgress,
    ) -> ResponseFuture<'a> {
        let mut service = self.0.clone();
        Box::pin(async move {
            let ready = poll_fn(|context| service.poll_ready(context)).await;
            ready.map_err(|error| classify(error, TransportError::connect))?;
            progress.begin();
            let response = service.call(request).await;
            response.map_err(|error| classify(error, TransportError::interrupted))
        })
    }
}

fn classify(error: impl Into<BoxError>, other: fn(BoxError) -> TransportError) -> TransportError {
    error.into().downcast::<TransportError>().map_or_else(other, |error| *error)
}

opaque!(TowerTransport<S>);
