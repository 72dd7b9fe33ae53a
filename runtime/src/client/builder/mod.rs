//! The builder of clients.

mod credentials;
mod derived;
mod env;
mod given;
mod servers;
mod settings;

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};

use self::given::{GivenCredentials, invalid};
use crate::auth::cache::TokenCache;
use crate::auth::context::TokenSetup;
use crate::client::{
    AcceptedServers, CallOptions, Client, Service, Settings, Shared, given_header,
};
use crate::error::Error;
use crate::error::retry::budget::RetryBudget;
use crate::error::retry::policy::RetryPolicy;
use crate::secrets::debug::shown;
use crate::time::clock::SystemClock;
use crate::transport::Transport;
#[cfg(feature = "reqwest")]
use crate::transport::reqwest::ReqwestTransport;
#[cfg(feature = "reqwest")]
use crate::transport::reqwest::pool::HttpOptions;
use crate::url::base_url::BaseUrl;

/// The settings of a client. [`build`](Self::build) reports invalid ones.
///
/// | setting | default |
/// |---|---|
/// | [`connect_timeout`](Self::connect_timeout) | 10 seconds |
/// | [`timeout`](Self::timeout), per attempt | 60 seconds |
/// | [`total_timeout`](Self::total_timeout) | 3 minutes |
/// | [`retry`](Self::retry) | [`RetryPolicy::standard`]: at most 4 attempts |
/// | [`retry_budget`](Self::retry_budget) | [`RetryBudget::standard`] |
/// | [`max_response_bytes`](Self::max_response_bytes) | 64 MiB |
///
/// Clones of a builder, and the clients that they build, share its sources of tokens, its interceptors and its retry
/// budget. [`Client::to_builder`] begins a client that also shares connections and tokens.
#[derive(Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct ClientBuilder<C> {
    settings: Settings,
    base_url: String,
    /// The environment variable that the base URL was read from.
    base_url_variable: Option<String>,
    given: GivenCredentials,
    servers: AcceptedServers,
    headers: HeaderMap,
    /// The client whose settings this one has.
    parent: Option<Client>,
    /// Whether options of connections were set here, not only on its parent.
    sets_http: bool,
    fault: Option<String>,
    client: PhantomData<fn() -> C>,
}

impl<C: From<Client>> ClientBuilder<C> {
    /// Returns a builder with a base URL, such as `https://tenant.example.com`, to which paths are
    /// appended.
    #[doc(hidden)]
    pub fn new(service: &'static Service, base_url: impl Into<String>) -> Self {
        let settings = Settings {
            service,
            interceptors: Vec::new(),
            transport: None,
            #[cfg(feature = "reqwest")]
            http: HttpOptions::default(),
            connect_timeout: Duration::from_secs(10),
            calls: Arc::default(),
            options: CallOptions {
                timeout: Duration::from_secs(60),
                total_timeout: Duration::from_secs(180),
                max_response_bytes: 64 << 20,
                retry: RetryPolicy::standard(),
            },
            clock: Arc::new(SystemClock),
            drift: None,
            hides_path_values: false,
            allow_http: false,
            leaves_origin: false,
            budget: RetryBudget::standard(),
            #[cfg(feature = "record")]
            recorder: None,
        };
        Self {
            settings,
            base_url: base_url.into(),
            base_url_variable: None,
            given: GivenCredentials::default(),
            servers: AcceptedServers::new(),
            headers: HeaderMap::new(),
            parent: None,
            sets_http: false,
            fault: None,
            client: PhantomData,
        }
    }

    /// Builds the client. Nothing is sent.
    ///
    /// # Errors
    ///
    /// Fails if a setting is invalid.
    pub fn build(self) -> Result<C, Error> {
        self.built().map(C::from)
    }

    /// Returns the client that emitted clients wrap.
    pub(crate) fn built(mut self) -> Result<Client, Error> {
        if let Some(fault) = self.fault.take() {
            return Err(Error::config(fault));
        }
        let base_url = BaseUrl::parse(&self.base_url).and_then(|url| {
            self.inherit(&url);
            self.private(url)
        });
        let base_url = base_url.map_err(|why| {
            invalid(self.base_url_variable.as_deref(), format!("the base URL {why}"))
        })?;
        let setup = TokenSetup { base_url: &base_url, allow_http: self.settings.allow_http };
        self.given.check(self.settings.service.schemes, setup)?;
        self.given.check_complete(self.settings.service, &self.headers)?;
        let servers = self.resolved_servers(&base_url)?;
        let has_certificate = self.settings.has_certificate();
        let is_https = servers.iter().flatten().chain([&base_url]).any(|url| url.origin.is_https());
        let needs_tls = is_https || self.given.use_https(setup) || self.settings.leaves_origin;
        let (transport, uses_tls) = match self.inherited_transport(needs_tls) {
            Some(inherited) => inherited,
            None => self.own_transport(needs_tls)?,
        };
        self.headers.entry(header::ACCEPT).or_insert(HeaderValue::from_static("application/json"));
        if !self.headers.contains_key(header::USER_AGENT) {
            let agent = self.own_agent();
            self.set_header(header::USER_AGENT.as_str(), &agent);
        }
        let headers = Arc::new(self.headers);
        let context = self.settings.context(&base_url, &transport, &headers);
        let credentials = self.given.into_credentials(
            self.settings.service.schemes,
            has_certificate,
            |source, place| TokenCache::new(source, place, context.clone()),
        )?;
        let shared = Shared {
            settings: self.settings,
            base_url,
            servers,
            accepted: self.servers,
            transport,
            uses_tls,
            credentials,
            headers,
        };
        Ok(Client { shared: Arc::new(shared) })
    }

    /// Returns the transport of the user, or else the default one, and whether it trusts certificates.
    #[cfg(feature = "reqwest")]
    fn own_transport(&self, needs_tls: bool) -> Result<(Arc<dyn Transport>, bool), Error> {
        let Settings { transport, http, connect_timeout, .. } = &self.settings;
        if let Some(transport) = transport {
            return if self.sets_http {
                Err(Error::config(
                    "`proxy`, `no_proxy`, `add_root_certificate`, `identity` and the settings of \
                     HTTP/2 do not apply to a transport of your own; configure the transport",
                ))
            } else {
                Ok((Arc::clone(transport), true))
            };
        }
        let parent_uses_tls = self.parent.as_ref().is_some_and(|it| it.shared.uses_tls);
        let uses_tls = needs_tls || self.sets_http || parent_uses_tls;
        match ReqwestTransport::with_options(http, *connect_timeout, uses_tls) {
            Ok(transport) => Ok((Arc::new(transport), uses_tls)),
            Err(error) => Err(Error::config("failed to set up the HTTP client").with_source(error)),
        }
    }

    #[cfg(not(feature = "reqwest"))]
    fn own_transport(&self, _: bool) -> Result<(Arc<dyn Transport>, bool), Error> {
        let missing =
            "there is no transport; set one with `transport()`, or enable the feature `reqwest`";
        let transport = self.settings.transport.clone().ok_or_else(|| Error::config(missing))?;
        Ok((transport, true))
    }

    fn own_agent(&self) -> String {
        let Service { package, version, .. } = self.settings.service;
        format!("{package}/{version}")
    }

    fn set_header(&mut self, name: &str, value: &str) {
        match given_header::parse(name, value, self.settings.service.schemes) {
            Ok((name, value)) => drop(self.headers.insert(name, value)),
            Err(why) => drop(self.fault.get_or_insert(why)),
        }
    }

    /// Returns the options of connections, which are then not shared with the parent.
    #[cfg(feature = "reqwest")]
    fn http(&mut self) -> &mut HttpOptions {
        self.sets_http = true;
        &mut self.settings.http
    }
}

// Shows no secrets: only the names of headers, and the base URL only if it is valid.
shown!(ClientBuilder<C>, |it|
    service: it.settings.service.package,
    base_url: BaseUrl::parse(&it.base_url).ok().map(|url| url.text),
    credentials: it.given.described(it.settings.service.schemes),
    parent: it.parent,
    headers: it.headers.keys().collect::<Vec<_>>(),
    connect_timeout: it.settings.connect_timeout,
    options: it.settings.options,
);
