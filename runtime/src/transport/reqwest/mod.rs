//! The default transport: reqwest over rustls.

#[cfg(feature = "http2")]
mod http2;
mod tls;

use std::sync::{Arc, OnceLock};
use std::time::Duration;
use std::{fmt, mem};

use bytes::Bytes;

use super::{Body, Transport, TransportError};
use crate::retry::is_idempotent;
use crate::{BoxError, BoxFuture};

/// Sends requests through a [`reqwest::Client`], with its pool of connections.
///
/// A client of one's own brings whatever it was configured with: proxy, roots, client certificates,
/// another TLS provider. Build it with [`reqwest::redirect::Policy::none()`], and say so by
/// [`without_redirects`](Self::without_redirects): redirects are the runtime's to follow, and a
/// response that comes from another origin than the request went to is refused.
#[derive(Clone)]
pub struct ReqwestTransport {
    client: reqwest::Client,
    /// Whether the client may follow redirects, of which its errors do not tell.
    may_redirect: bool,
    /// The first URL that was called, if it is one.
    root: Arc<OnceLock<Option<reqwest::Url>>>,
}

impl ReqwestTransport {
    /// Uses a configured client, which may follow redirects.
    ///
    /// Where such a client cannot connect, or its request is turned away, the server may already
    /// have acted on the request and redirected it: the error does not tell which of the two failed.
    /// POST and PATCH are therefore not made again, and fail as
    /// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
    pub fn new(client: reqwest::Client) -> Self {
        Self { client, may_redirect: true, root: Arc::default() }
    }

    /// Uses a configured client that follows no redirects, as one built with
    /// [`reqwest::redirect::Policy::none()`]: what was never sent or processed is made again,
    /// whatever its method.
    ///
    /// With a client that follows redirects nevertheless, a POST can be executed twice.
    pub fn without_redirects(client: reqwest::Client) -> Self {
        Self { may_redirect: false, ..Self::new(client) }
    }

    /// Builds the default client, which trusts the operating system's root certificates.
    ///
    /// `secure` tells whether any request will use `https`; without it no certificates are loaded.
    pub(crate) fn with_defaults(connect_timeout: Duration, secure: bool) -> Result<Self, BoxError> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::config(secure)?)
            .redirect(reqwest::redirect::Policy::none())
            // What is made again, and how often, is the retry policy's to decide.
            .retry(reqwest::retry::never())
            .connect_timeout(connect_timeout)
            .build()?;
        Ok(Self::without_redirects(client))
    }
}

impl Transport for ReqwestTransport {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        // Nothing is sent before the future is polled; it is kept small by what is done ahead of it.
        let hides_hops = self.may_redirect && !is_idempotent(request.method());
        let exchange = self.prepare(request);
        Box::pin(async move {
            let (uri, exchange) = exchange.map_err(TransportError::refused)?;
            let mut answer = exchange.await.map_err(|error| {
                let error = classify(error);
                if hides_hops { error.after_hops() } else { error }
            })?;
            if !is_within(answer.url(), &uri) {
                return Err(TransportError::interrupted(
                    "the HTTP client followed a redirect to another origin; \
                     build it with `redirect::Policy::none()`",
                ));
            }
            let mut response = http::Response::default();
            *response.status_mut() = answer.status();
            *response.version_mut() = answer.version();
            *response.headers_mut() = mem::take(answer.headers_mut());
            *response.body_mut() = Body::from(answer);
            Ok(response)
        })
    }
}

impl ReqwestTransport {
    /// Hands a request to reqwest, which waits to be polled.
    fn prepare(
        &self,
        request: http::Request<Bytes>,
    ) -> Result<
        (http::Uri, impl Future<Output = reqwest::Result<reqwest::Response>> + use<>),
        BoxError,
    > {
        let (head, body) = request.into_parts();
        let mut request = reqwest::Request::new(head.method, self.url(&head.uri)?);
        *request.headers_mut() = head.headers;
        if !body.is_empty() {
            *request.body_mut() = Some(body.into());
        }
        Ok((head.uri, self.client.execute(request)))
    }

    /// Turns a URL into reqwest's form. All calls of a client go to the same origin, whose parsing
    /// is most of the work, so that is done once.
    fn url(&self, uri: &http::Uri) -> Result<reqwest::Url, BoxError> {
        match self.root.get_or_init(|| uri.to_string().parse().ok()) {
            Some(root) if is_within(root, uri) => {
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

/// Returns whether both have the same origin.
fn is_within(url: &reqwest::Url, uri: &http::Uri) -> bool {
    if uri.scheme_str() != Some(url.scheme()) {
        return false;
    }
    // They nearly always read the same; else one may have capitals, or a port that goes without
    // saying.
    uri.authority().is_some_and(|authority| authority.as_str() == url.authority())
        || uri.host().is_some_and(|host| {
            url.host_str().is_some_and(|other| host.eq_ignore_ascii_case(other))
        }) && uri.port_u16().or_else(|| well_known_port(url.scheme()))
            == url.port_or_known_default()
}

fn well_known_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

/// Tells apart what matters for a retry. The URL is taken out: its query can hold secrets.
pub(super) fn classify(error: reqwest::Error) -> TransportError {
    let error = error.without_url();
    if tls::is_distrust(&error) {
        TransportError::connect(error).lasting()
    } else if error.is_connect() {
        TransportError::connect(error)
    } else if error.is_timeout() {
        TransportError::timeout(error)
    } else if error.is_builder() {
        TransportError::refused(error)
    } else if is_unprocessed(&error) {
        TransportError::unprocessed(error)
    } else {
        TransportError::interrupted(error)
    }
}

#[cfg(feature = "http2")]
use http2::is_unprocessed;

#[cfg(not(feature = "http2"))]
fn is_unprocessed(_: &reqwest::Error) -> bool {
    false
}
