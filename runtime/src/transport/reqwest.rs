//! The default transport: reqwest over rustls.

mod tls;

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http_body::Body as HttpBody;

use super::{Body, Transport, TransportError};
use crate::{BoxError, BoxFuture};

/// Sends requests through a [`reqwest::Client`], with its pool of connections.
///
/// A client of one's own brings whatever it was configured with: proxy, roots, client certificates, another TLS provider. Build it
/// with [`reqwest::redirect::Policy::none()`]: redirects are the runtime's to follow, and a response that comes from another
/// origin than the request went to is refused.
#[derive(Clone)]
pub struct ReqwestTransport {
    client: reqwest::Client,
    /// The first URL that was called, if it is one.
    root: Arc<OnceLock<Option<reqwest::Url>>>,
}

impl ReqwestTransport {
    /// Uses a configured client.
    pub fn new(client: reqwest::Client) -> Self {
        Self { client, root: Arc::default() }
    }

    /// Builds the default client, which trusts the operating system's root certificates.
    ///
    /// `secure` tells whether any request will use `https`; without it no certificates are loaded.
    pub(crate) fn with_defaults(connect_timeout: Duration, secure: bool) -> Result<Self, BoxError> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::config(secure)?)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(connect_timeout)
            .build()?;
        Ok(Self::new(client))
    }
}

impl Transport for ReqwestTransport {
    fn send(&self, request: http::Request<Bytes>) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let url = self.url(&head.uri).map_err(TransportError::refused)?;
            let mut request = reqwest::Request::new(head.method, url);
            *request.headers_mut() = head.headers;
            if !body.is_empty() {
                *request.body_mut() = Some(body.into());
            }
            let response = self.client.execute(request).await.map_err(classify)?;
            if !same_origin(&head.uri, response.url()) {
                return Err(TransportError::interrupted(
                    "the HTTP client followed a redirect to another origin; build it with `redirect::Policy::none()`",
                ));
            }
            Ok(http::Response::<reqwest::Body>::from(response).map(|body| Body::from_stream(Chunks(body))))
        })
    }
}

impl ReqwestTransport {
    /// Turns a URL into reqwest's form. All calls of a client go to the same origin, whose parsing is most of the work, so that
    /// is done once.
    fn url(&self, uri: &http::Uri) -> Result<reqwest::Url, BoxError> {
        let root = self.root.get_or_init(|| uri.to_string().parse().ok());
        match root {
            Some(root) if same_origin(uri, root) => {
                let mut url = root.clone();
                url.set_path(uri.path());
                url.set_query(uri.query());
                Ok(url)
            }
            _ => Ok(uri.to_string().parse()?),
        }
    }
}

impl fmt::Debug for ReqwestTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReqwestTransport")
    }
}

fn same_origin(asked: &http::Uri, answered: &reqwest::Url) -> bool {
    let port = asked.port_u16().or(if asked.scheme_str() == Some("https") { Some(443) } else { Some(80) });
    asked.scheme_str() == Some(answered.scheme())
        && answered.host_str().is_some_and(|host| asked.host().is_some_and(|asked| asked.eq_ignore_ascii_case(host)))
        && answered.port_or_known_default() == port
}

/// Tells apart what matters for a retry. The URL is taken out: its query can hold secrets.
fn classify(error: reqwest::Error) -> TransportError {
    let error = error.without_url();
    if tls::is_distrust(&error) {
        TransportError::connect(error).lasting()
    } else if error.is_connect() {
        TransportError::connect(error)
    } else if error.is_timeout() {
        TransportError::timeout(error)
    } else if error.is_builder() {
        TransportError::refused(error)
    } else {
        TransportError::interrupted(error)
    }
}

/// The data frames of a response's body.
struct Chunks(reqwest::Body);

impl Stream for Chunks {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(Pin::new(&mut self.0).poll_frame(context)) {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(classify(error)))),
                Some(Ok(frame)) => {
                    // Trailers are not part of the body.
                    if let Ok(data) = frame.into_data() {
                        return Poll::Ready(Some(Ok(data)));
                    }
                }
            }
        }
    }
}
