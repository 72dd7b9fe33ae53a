//! Tower services as transports.

use std::fmt;
use std::future::poll_fn;

use tower_service::Service;

use super::Transport;
use super::body::Body;
use super::error::TransportError;
use crate::future::{BoxError, BoxFuture};
use crate::upload::body::RequestBody;

/// Sends requests through a [`tower_service::Service`], and so through a stack of tower layers. Needs the feature `tower`.
///
/// The layers pass [`RequestBody`] and [`Body`] on as they are: those of the crate `tower` do, such as limits, load
/// shedding and timeouts. Layers that read or wrap bodies by `http_body::Body`, as most of `tower-http` do, do not fit. A
/// boxed service is a `BoxCloneSyncService`.
///
/// A service can return [`TransportError`]s. All other errors count as
/// [`TransportError::interrupted`], because the server may have seen the request.
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
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let mut service = self.0.clone();
        Box::pin(async move {
            poll_fn(|context| service.poll_ready(context)).await.map_err(classify)?;
            service.call(request).await.map_err(classify)
        })
    }
}

fn classify(error: impl Into<BoxError>) -> TransportError {
    match error.into().downcast::<TransportError>() {
        Ok(error) => *error,
        Err(error) => TransportError::interrupted(error),
    }
}

impl<S> fmt::Debug for TowerTransport<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TowerTransport")
    }
}
