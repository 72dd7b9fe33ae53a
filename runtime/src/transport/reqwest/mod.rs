//! The default transport: reqwest over rustls.

mod classify;
#[cfg(feature = "compression")]
mod codings;
#[cfg(feature = "http2")]
pub(crate) mod http2;
pub(crate) mod incoming;
pub(crate) mod pool;
pub(crate) mod proxy;
mod sending;
pub(crate) mod tls;
mod turn;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use std::{env, mem};

use http::HeaderValue;
use http::header::{ACCEPT_ENCODING, CONTENT_LENGTH, RANGE};

use self::classify::classify;
use self::incoming::Incoming;
use self::pool::{Clients, HttpOptions, PooledClient, Recipe, plain_builder};
use self::proxy::{Proxies, ProxyList};
use self::turn::Turn;
use super::body::Body;
use super::error::TransportError;
use super::{Claim, ResponseFuture, SendProgress, Transport};
use crate::error::Error;
use crate::secrets::debug::opaque;
use crate::time::future::BoxError;
use crate::url::origin::Origin;
use crate::wire::upload::body::RequestBody;

/// Sends requests through a [`reqwest::Client`] and its connection pool.
///
/// Your own client keeps its configuration. Build it with
/// [`reqwest::redirect::Policy::none()`] and wrap it with
/// [`without_redirects`](Self::without_redirects): the runtime follows redirects itself, and refuses a
/// response from another origin than the request's.
#[derive(Clone)]
pub struct ReqwestTransport {
    clients: Arc<Clients>,
    /// Whether the client may follow redirects, which its errors do not show.
    may_redirect: bool,
}

impl ReqwestTransport {
    /// Wraps a client that may follow redirects.
    ///
    /// If such a client fails to connect, or its request is refused, the server may already have
    /// acted on the request and redirected it: the error does not show which request failed. POST
    /// and PATCH are therefore not retried, and fail as
    /// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
    pub fn new(client: reqwest::Client) -> Self {
        Self::over(client, None, true)
    }

    /// Wraps a client that follows no redirects, as one built with
    /// [`reqwest::redirect::Policy::none()`]. Requests that were not sent or not processed are
    /// retried with any method.
    ///
    /// If the client follows redirects nevertheless, a POST can be executed twice.
    pub fn without_redirects(client: reqwest::Client) -> Self {
        Self::over(client, None, false)
    }

    fn over(client: reqwest::Client, recipe: Option<Recipe>, may_redirect: bool) -> Self {
        Self { clients: Arc::new(Clients::new(client, recipe)), may_redirect }
    }

    /// Builds the default client. Without `secure` no request uses `https`, and no certificates are
    /// loaded.
    pub(crate) fn with_options(
        options: &HttpOptions,
        connect_timeout: Duration,
        secure: bool,
    ) -> Result<Self, BoxError> {
        let recipe = Recipe::new(options, connect_timeout, secure)?;
        Ok(Self::over(recipe.build()?, Some(recipe), false))
    }
}

/// Returns a builder of clients without redirects and retries, which the runtime performs. The
/// environment names their proxies, as for [`ClientBuilder::proxy`](crate::ClientBuilder::proxy), and HTTP/2 has the
/// defaults of [`ClientBuilder`](crate::ClientBuilder).
///
/// A client of reqwest needs a TLS provider for the process. If there is none, this installs the
/// provider of the features of this crate.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use openapi_bindings_runtime::{ReqwestTransport, reqwest};
///
/// let client = reqwest::client_builder()?.pool_max_idle_per_host(2).build()?;
/// let transport = ReqwestTransport::without_redirects(client);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Fails if no feature has a TLS provider, if it lacks features of the processor, or if a variable for
/// proxies is invalid.
pub fn client_builder() -> Result<reqwest::ClientBuilder, Error> {
    let proxies = tls::install_provider()
        .and_then(|()| ProxyList::new(&Proxies::Environment, |name| env::var(name).ok()))
        .map_err(|error| Error::config("failed to set up the HTTP client").with_source(error))?;
    let builder = proxies.apply(plain_builder());
    #[cfg(feature = "http2")]
    let builder = http2::Options::default().apply(builder);
    Ok(builder)
}

/// A request: its URL, the claim of its body, its turn at a connection, and its response.
type Prepared<R> = (http::Uri, Option<Claim>, Option<Arc<Turn>>, R);

impl Transport for ReqwestTransport {
    fn send(&self, request: http::Request<RequestBody>) -> ResponseFuture<'_> {
        Box::pin(async { self.send_observed(request, &SendProgress::default()).await })
    }

    fn send_observed<'a>(
        &'a self,
        request: http::Request<RequestBody>,
        sending: &'a SendProgress,
    ) -> ResponseFuture<'a> {
        // Prepared here to keep the future small. Nothing is sent before it is polled.
        let hides_hops = self.may_redirect && !request.method().is_idempotent();
        let client = self.clients.current();
        let method = request.method().clone();
        let prepared = self.prepare(&client, request);
        Box::pin(async move {
            let (uri, claim, turn, response) = prepared.map_err(TransportError::refused)?;
            if let Some(turn) = &turn {
                turn.begin().await;
            }
            sending.begin_with(claim.as_ref());
            let exchange = client.begin();
            let mut answer = response.await.map_err(|error| {
                let error = error.without_url();
                let recipe = self.clients.recipe.as_ref();
                if let Some(error) = recipe.and_then(|it| it.proxies.explain(&error, &uri)) {
                    return error;
                }
                let error = classify(error, &exchange);
                if hides_hops {
                    error.after_hops()
                } else if claim.is_some_and(|claim| !claim.load(Ordering::Relaxed)) {
                    error.before_body()
                } else {
                    error
                }
            })?;
            if let Some(turn) = turn {
                turn.spoke(answer.version());
            }
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
            let length = incoming::announced(&method, response.status(), response.headers());
            let incoming = Incoming::new(answer, length, exchange);
            #[cfg(feature = "compression")]
            if let Some(decoders) = codings::take(response.status(), response.headers_mut()) {
                let decoded = codings::Decoded::new(incoming, decoders);
                *response.body_mut() = Body::from_stream(decoded);
                return Ok(response);
            }
            *response.body_mut() = Body::from_stream(incoming);
            Ok(response)
        })
    }

    fn timed_out(&self, begun: Instant) {
        self.clients.timed_out(begun);
    }
}

impl ReqwestTransport {
    /// Returns the future of reqwest, which sends nothing before it is polled.
    fn prepare(
        &self,
        client: &PooledClient,
        request: http::Request<RequestBody>,
    ) -> Result<Prepared<impl Future<Output = reqwest::Result<reqwest::Response>> + use<>>, BoxError>
    {
        let (head, body) = request.into_parts();
        let states_zero = body.length() == Some(0) && sending::has_content(&head.method);
        let mut request = reqwest::Request::new(head.method, head.uri.to_string().parse()?);
        *request.headers_mut() = head.headers;
        if states_zero {
            // hyper states the length only of a body that is not empty.
            request.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(0));
        }
        if request.headers().contains_key(RANGE) {
            // A range of the encoded bytes cannot be decoded (RFC 9110, section 14.1.2).
            let identity = HeaderValue::from_static("identity");
            request.headers_mut().entry(ACCEPT_ENCODING).or_insert(identity);
        }
        #[cfg(feature = "compression")]
        codings::accept(request.headers_mut());
        let turn = client.gates.as_ref().and_then(|gates| gates.turn(&head.uri));
        // A client that follows redirects sends the body again, and so must own it.
        let (body, claim) = sending::body(body, self.may_redirect, turn.clone());
        *request.body_mut() = body;
        Ok((head.uri, claim, turn, client.reqwest.execute(request)))
    }
}

opaque!(ReqwestTransport);

/// Returns whether both have the same origin.
fn is_within(url: &reqwest::Url, uri: &http::Uri) -> bool {
    // They are nearly always equal; otherwise they may differ in case or by a default port.
    uri.authority().is_some_and(|authority| authority.as_str() == url.authority())
        && uri.scheme_str() == Some(url.scheme())
        || Origin::new(uri).is_some_and(|origin| {
            url.as_str().parse().is_ok_and(|url| Origin::new(&url) == Some(origin))
        })
}
