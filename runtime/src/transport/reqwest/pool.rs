//! The client of reqwest, and others in its place: reqwest cannot close a single connection.

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::proxy::{Proxies, ProxyList};
use super::tls::{self, Certificates};
use super::turn::Gates;
use crate::time::future::BoxError;

/// The client that requests are sent through, which shares its pool of connections.
pub(super) struct Clients {
    current: RwLock<Arc<PooledClient>>,
    /// `None` if the user provided the client.
    pub(super) recipe: Option<Recipe>,
}

pub(super) struct PooledClient {
    pub(super) reqwest: reqwest::Client,
    since: Instant,
    /// `None` if the user provided the client, which may never use HTTP/2.
    pub(super) gates: Option<Gates>,
    /// The number of exchanges that have begun.
    begun: AtomicUsize,
}

/// A request and its response, until it ends.
pub(super) struct Exchange {
    client: Arc<PooledClient>,
    /// Its number, if no other one was open.
    alone: Option<usize>,
}

/// The settings of the default client.
#[derive(Clone, Debug, Default)]
pub(crate) struct HttpOptions {
    pub(crate) proxies: Proxies,
    pub(crate) certificates: Certificates,
    #[cfg(feature = "http2")]
    pub(crate) http2: super::http2::Options,
}

/// How clients are built.
pub(super) struct Recipe {
    pub(super) proxies: ProxyList,
    tls: tls::Config,
    connect_timeout: Duration,
    #[cfg(feature = "http2")]
    http2: super::http2::Options,
}

impl Clients {
    pub(super) fn new(client: reqwest::Client, recipe: Option<Recipe>) -> Self {
        let client = PooledClient::new(client, recipe.as_ref().map(|_| Gates::default()));
        Self { current: RwLock::new(Arc::new(client)), recipe }
    }

    pub(super) fn current(&self) -> Arc<PooledClient> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the client that an attempt used which began then and timed out. The calls that use it go on.
    pub(super) fn timed_out(&self, begun: Instant) {
        let Some(recipe) = &self.recipe else { return };
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        // Over HTTP/1, a timeout closes the connection.
        let is_http1 = current.gates.as_ref().is_none_or(Gates::are_closed);
        if begun < current.since || is_http1 {
            return;
        }
        // It was built before in the same way.
        if let Ok(client) = recipe.build() {
            *current = Arc::new(PooledClient::new(client, Some(Gates::default())));
        }
    }
}

impl PooledClient {
    fn new(reqwest: reqwest::Client, gates: Option<Gates>) -> Self {
        Self { reqwest, since: Instant::now(), gates, begun: AtomicUsize::new(0) }
    }

    pub(super) fn begin(self: Arc<Self>) -> Exchange {
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        // Every other exchange has the client, too, and `Clients` has the current one.
        let is_alone = Arc::strong_count(&self) <= 2;
        Exchange { client: self, alone: is_alone.then_some(number) }
    }
}

impl Exchange {
    /// Returns whether no other exchange was open at the same time, which could have ended the connection.
    pub(super) fn is_alone(&self) -> bool {
        self.alone == Some(self.client.begun.load(Ordering::Relaxed))
    }
}

impl Recipe {
    /// Without `secure` no request uses `https`, and no certificates are loaded.
    pub(super) fn new(
        options: &HttpOptions,
        connect_timeout: Duration,
        secure: bool,
    ) -> Result<Self, BoxError> {
        Ok(Self {
            proxies: ProxyList::new(&options.proxies, |name| env::var(name).ok())?,
            tls: tls::configure(&options.certificates, secure)?,
            connect_timeout,
            #[cfg(feature = "http2")]
            http2: options.http2,
        })
    }

    pub(super) fn build(&self) -> reqwest::Result<reqwest::Client> {
        let builder = self.proxies.apply(plain_builder());
        #[cfg(feature = "http2")]
        let builder = self.http2.apply(builder);
        tls::apply(builder.connect_timeout(self.connect_timeout), &self.tls).build()
    }
}

/// Returns a builder of clients without redirects, retries and decoders, which the runtime has.
pub(super) fn plain_builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .no_brotli()
        .no_deflate()
        .no_gzip()
        .no_zstd()
}
