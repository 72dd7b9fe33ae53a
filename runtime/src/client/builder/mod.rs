//! The builder of clients.

mod credentials;
#[cfg(feature = "reqwest")]
mod default_transport;
mod derived;
mod env;
mod given;
mod servers;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};

use self::given::{GivenCredentials, invalid};
use crate::auth::cache::TokenCache;
use crate::auth::source::TokenSetup;
use crate::client::drift::DriftReport;
use crate::client::{AcceptedServers, CallOptions, Client, Service, Settings, Shared};
use crate::error::Error;
use crate::error::retry::budget::RetryBudget;
use crate::error::retry::policy::RetryPolicy;
use crate::time::clock::{Clock, SystemClock};
use crate::transport::Transport;
use crate::transport::interceptor::Interceptor;
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

    /// Replaces the transport, for example by a fake in a test.
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.settings.transport = Some(Arc::new(transport));
        self
    }

    /// Replaces the base URL.
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self.base_url_variable = None;
        self
    }

    /// Adds an interceptor; they run in the order in which they were added.
    pub fn interceptor(mut self, interceptor: impl Interceptor) -> Self {
        self.settings.interceptors.push(Arc::new(interceptor));
        self
    }

    /// Writes requests and responses to a file, without secrets.
    #[cfg(feature = "record")]
    pub fn record(mut self, recorder: crate::record::Recorder) -> Self {
        if let Some(fault) = recorder.fault() {
            self.fault.get_or_insert_with(|| fault.to_owned());
        }
        self.settings.recorder = Some(recorder);
        self
    }

    /// Sets the retry policy.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.settings.options.retry = policy;
        self
    }

    /// Sets the retries that all calls of the client have together. Keep a clone to read what is left of
    /// them, or to pass it to another client.
    pub fn retry_budget(mut self, budget: RetryBudget) -> Self {
        self.settings.budget = budget;
        self
    }

    /// Follows redirects of GET and HEAD to other origins, such as a download from a storage service.
    ///
    /// Such a request has only the headers `Accept`, `If-Range`, `Range` and `User-Agent`: no credentials, no cookies,
    /// no headers of the client or the call, and none of interceptors, which do not see it. Without this
    /// setting, such a redirect is the error [`ErrorKind::Redirect`](crate::ErrorKind::Redirect), whose
    /// [`location`](Error::location) is its target. A redirect from https to http is always an error.
    pub fn follow_redirects_to_other_origins(mut self) -> Self {
        self.settings.leaves_origin = true;
        self
    }

    /// Sets the timeout of each attempt, from the request to the end of the response, and of each
    /// request for a token.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.settings.options.timeout = limit;
        self
    }

    /// Sets the timeout of a call in total: tokens, attempts and the pauses between them.
    pub fn total_timeout(mut self, limit: Duration) -> Self {
        self.settings.options.total_timeout = limit;
        self
    }

    /// Sets the timeout of connecting, for the default transport.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.settings.connect_timeout = limit;
        self
    }

    /// Limits the size of a response body in bytes, decompressed.
    pub fn max_response_bytes(mut self, limit: usize) -> Self {
        self.settings.options.max_response_bytes = limit;
        self
    }

    /// Adds a product, such as `inventory/2.1`, before the default `User-Agent`.
    pub fn user_agent(self, product: impl AsRef<str>) -> Self {
        let agent = format!("{} {}", product.as_ref(), self.own_agent());
        self.default_header(header::USER_AGENT.as_str(), agent)
    }

    /// Sends a header with every call and every request for a token to the origin of the base URL. Other
    /// origins receive `Accept` and `User-Agent` alone, and what a call sets itself. An invalid name or
    /// value fails [`build`](Self::build).
    pub fn default_header(mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        let schemes = self.settings.service.schemes;
        match crate::client::given_header::parse(name.as_ref(), value.as_ref(), schemes) {
            Ok((name, value)) => {
                self.headers.insert(name, value);
            }
            Err(why) => drop(self.fault.get_or_insert(why)),
        }
        self
    }

    /// Allows sending credentials unencrypted to other machines. Meant for tests inside a trusted
    /// network.
    pub fn allow_http(mut self) -> Self {
        self.settings.allow_http = true;
        self
    }

    /// Omits the values in the path from errors, which then show the template. Spans never show them.
    pub fn hide_path_values(mut self) -> Self {
        self.settings.hides_path_values = true;
        self
    }

    /// Calls `hook` when a response deviates from the spec. [`DriftKind`](crate::DriftKind) lists the
    /// deviations. Models retain what was received with or without a hook.
    pub fn on_drift(mut self, hook: impl Fn(&DriftReport<'_>) + Send + Sync + 'static) -> Self {
        self.settings.drift.get_or_insert_default().report = Some(Arc::new(hook));
        self
    }

    /// Makes drift an error: a response that deviates from the spec is
    /// [`Decode`](crate::ErrorKind::Decode), after the [`on_drift`](Self::on_drift) hook was called.
    ///
    /// Meant for tests and staging, where it shows that the service has changed. In production, a new
    /// property would be an outage.
    pub fn strict(mut self) -> Self {
        self.settings.drift.get_or_insert_default().strict = true;
        self
    }

    /// Replaces the source of time, pauses and randomness. Meant for tests.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.settings.clock = Arc::new(clock);
        self
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
            self = self.default_header(header::USER_AGENT.as_str(), agent);
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
        let uses_tls = needs_tls || !http.are_default();
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
}

/// Shows no secrets: only the names of headers, and the base URL only if it is valid.
impl<C> fmt::Debug for ClientBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("service", &self.settings.service.package)
            .field("base_url", &BaseUrl::parse(&self.base_url).ok().map(|url| url.text))
            .field("credentials", &self.given.described(self.settings.service.schemes))
            .field("parent", &self.parent)
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("connect_timeout", &self.settings.connect_timeout)
            .field("options", &self.settings.options)
            .finish_non_exhaustive()
    }
}
