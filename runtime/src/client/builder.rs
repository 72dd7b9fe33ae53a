//! How clients are made.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use secrecy::SecretString;

use crate::auth::{
    AssertionSigner, BearerToken, ClientCredentials, JwtBearer, TokenCache, TokenSetup, TokenSource,
};
use crate::client::base_url::BaseUrl;
use crate::client::{Client, Service, Shared};
use crate::clock::{Clock, SystemClock};
use crate::error::Error;
use crate::execute::interceptor::Interceptor;
use crate::response::drift::{DriftHook, DriftReport};
use crate::retry::RetryPolicy;
use crate::retry::budget::RetryBudget;
use crate::transport::Transport;

/// Collects the settings of a client, and says at the end what is wrong with them.
///
/// | setting | default |
/// |---|---|
/// | [`connect_timeout`](Self::connect_timeout) | 10 seconds |
/// | [`timeout`](Self::timeout), per attempt | 60 seconds |
/// | [`total_timeout`](Self::total_timeout) | 3 minutes |
/// | [`retry`](Self::retry) | [`RetryPolicy::standard`] |
/// | [`max_response_bytes`](Self::max_response_bytes) | 64 MiB |
#[must_use = "a builder does nothing until `build` is called"]
pub struct ClientBuilder<C> {
    service: &'static Service,
    base_url: String,
    tokens: Option<Box<dyn TokenSource>>,
    /// Whether the token source sends requests, as all but a fixed token do.
    tokens_are_asked_for: bool,
    /// The variable that the credentials came from.
    variable: Option<String>,
    transport: Option<Box<dyn Transport>>,
    interceptors: Vec<Box<dyn Interceptor>>,
    headers: HeaderMap,
    connect_timeout: Duration,
    attempt_timeout: Duration,
    total_timeout: Duration,
    max_response_bytes: usize,
    retry: RetryPolicy,
    clock: Arc<dyn Clock>,
    drift: Option<DriftHook>,
    allow_http: bool,
    fault: Option<Error>,
    client: PhantomData<fn() -> C>,
}

impl<C: From<Client>> ClientBuilder<C> {
    /// Begins with a base URL, such as `https://tenant.example.com`; paths are appended to it.
    pub fn new(service: &'static Service, base_url: impl Into<String>) -> Self {
        Self {
            service,
            base_url: base_url.into(),
            tokens: None,
            tokens_are_asked_for: false,
            variable: None,
            transport: None,
            interceptors: Vec::new(),
            headers: HeaderMap::new(),
            connect_timeout: Duration::from_secs(10),
            attempt_timeout: Duration::from_secs(60),
            total_timeout: Duration::from_secs(180),
            max_response_bytes: 64 << 20,
            retry: RetryPolicy::standard(),
            clock: Arc::new(SystemClock),
            drift: None,
            allow_http: false,
            fault: None,
            client: PhantomData,
        }
    }

    /// Uses a fixed access token.
    pub fn bearer_token(mut self, token: impl Into<SecretString>) -> Self {
        self.tokens = Some(Box::new(BearerToken::new(token)));
        self.tokens_are_asked_for = false;
        self.variable = None;
        self
    }

    /// Gets access tokens with the client credentials grant of OAuth 2.0. The token URL is
    /// absolute, or relative to the base URL.
    ///
    /// [`ClientCredentials`], given to [`token_source`](Self::token_source), has scopes, further
    /// form fields and signed assertions.
    pub fn client_credentials(
        self,
        token_url: impl Into<String>,
        client_id: impl Into<String>,
        secret: impl Into<SecretString>,
    ) -> Self {
        self.token_source(ClientCredentials::new(token_url, client_id, secret))
    }

    /// Gets access tokens with the JWT bearer grant of OAuth 2.0 (RFC 7523, section 2.1), for
    /// assertions of this issuer that the signer signs. The token URL is absolute, or relative to
    /// the base URL.
    ///
    /// [`JwtBearer`], given to [`token_source`](Self::token_source), has the user to act for,
    /// scopes and further form fields.
    pub fn jwt_bearer(
        self,
        token_url: impl Into<String>,
        issuer: impl Into<String>,
        signer: impl AssertionSigner,
    ) -> Self {
        self.token_source(JwtBearer::new(token_url, issuer, signer))
    }

    /// Gets access tokens from a source.
    pub fn token_source(mut self, source: impl TokenSource) -> Self {
        self.tokens = Some(Box::new(source));
        self.tokens_are_asked_for = true;
        self.variable = None;
        self
    }

    /// Remembers which environment variable the credentials came from, for people to read.
    pub(crate) fn credentials_from(mut self, variable: String) -> Self {
        self.variable = Some(variable);
        self
    }

    /// Sends requests through another transport, such as a fake in a test.
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.transport = Some(Box::new(transport));
        self
    }

    /// Sends requests through a configured [`reqwest::Client`]; build it with
    /// [`reqwest::redirect::Policy::none()`].
    ///
    /// The errors of a client do not tell whether it followed a redirect before, so that even a
    /// failed connection may mean that the server has acted on the call: a POST or PATCH is then not
    /// made again, and fails as [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted). For a
    /// client that follows none, give
    /// [`ReqwestTransport::without_redirects`](crate::ReqwestTransport::without_redirects) to
    /// [`transport`](Self::transport).
    #[cfg(feature = "reqwest")]
    pub fn reqwest_client(self, client: reqwest::Client) -> Self {
        self.transport(crate::transport::ReqwestTransport::new(client))
    }

    /// Adds an interceptor; they run in the order in which they were added.
    pub fn interceptor(mut self, interceptor: impl Interceptor) -> Self {
        self.interceptors.push(Box::new(interceptor));
        self
    }

    /// Decides whether failed attempts are repeated.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// Limits the time of each attempt, from the request to the end of the response; and that of
    /// getting a token.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.attempt_timeout = limit;
        self
    }

    /// Limits the time of a call in total: tokens, attempts and the pauses between them.
    pub fn total_timeout(mut self, limit: Duration) -> Self {
        self.total_timeout = limit;
        self
    }

    /// Limits the time of making a connection. A transport of one's own has its own limit.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Limits the size of a response's body, decompressed.
    pub fn max_response_bytes(mut self, limit: usize) -> Self {
        self.max_response_bytes = limit;
        self
    }

    /// Puts a product in front of the `User-Agent`, such as `inventory/2.1`.
    pub fn user_agent(self, product: impl AsRef<str>) -> Self {
        let agent = format!("{} {}", product.as_ref(), self.own_agent());
        self.default_header(header::USER_AGENT.as_str(), agent)
    }

    /// Sends a header with every call. A value that no header can carry fails
    /// [`build`](Self::build).
    pub fn default_header(mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        let name = name.as_ref();
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value.as_ref())) {
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
            }
            (Err(_), _) => self.refuse(format!("`{name}` cannot be the name of a header")),
            (_, Err(_)) => self.refuse(format!(
                "the value of the header `{name}` has characters that no header can carry"
            )),
        }
        self
    }

    /// Lets credentials travel unencrypted to other machines. Meant for tests inside a network that
    /// one trusts.
    pub fn allow_http(mut self) -> Self {
        self.allow_http = true;
        self
    }

    /// Tells when a response says more than the description: members, enum values and kinds of a
    /// union that it does not know. They are kept in any case; this is to learn that newer bindings
    /// would understand more, before it hurts.
    pub fn on_drift(mut self, hook: impl Fn(&DriftReport<'_>) + Send + Sync + 'static) -> Self {
        self.drift = Some(DriftHook::new(hook));
        self
    }

    /// Takes time, pauses and randomness from elsewhere. Meant for tests.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Makes the client. Nothing is sent.
    ///
    /// # Errors
    ///
    /// Returns an error that says which setting is wrong and what to do about it.
    pub fn build(mut self) -> Result<C, Error> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let base_url = BaseUrl::parse(&self.base_url)?;
        let tokens = self.prepared_tokens(&base_url)?;
        let transport = match self.transport.take() {
            Some(transport) => transport,
            None => self.default_transport(&base_url)?,
        };
        self.headers.entry(header::ACCEPT).or_insert(HeaderValue::from_static("application/json"));
        if !self.headers.contains_key(header::USER_AGENT) {
            let agent = self.own_agent();
            self = self.default_header(header::USER_AGENT.as_str(), agent);
        }
        let shared = Shared {
            service: self.service,
            base_url,
            transport,
            tokens,
            interceptors: self.interceptors,
            headers: self.headers,
            attempt_timeout: self.attempt_timeout,
            total_timeout: self.total_timeout,
            max_response_bytes: self.max_response_bytes,
            retry: self.retry,
            budget: RetryBudget::full(),
            clock: self.clock,
            drift: self.drift,
        };
        Ok(C::from(Client { shared: Arc::new(shared) }))
    }

    fn prepared_tokens(&mut self, base_url: &BaseUrl) -> Result<Option<TokenCache>, Error> {
        let Some(mut source) = self.tokens.take() else {
            return Ok(None);
        };
        let origin = base_url.origin();
        if !origin.is_https() && !origin.is_loopback() && !self.allow_http {
            return Err(Error::config(
                "the base URL is http, which would send the access token unencrypted; \
                 use https, or `allow_http()`",
            ));
        }
        source
            .prepare(TokenSetup { base_url, allow_http: self.allow_http })
            .map_err(|error| Error::config(error.to_string()).with_source(error))?;
        Ok(Some(TokenCache::new(
            source,
            Arc::clone(&self.clock),
            self.attempt_timeout,
            self.variable.take(),
        )))
    }

    #[cfg(feature = "reqwest")]
    fn default_transport(&self, base_url: &BaseUrl) -> Result<Box<dyn Transport>, Error> {
        let secure = base_url.origin().is_https() || self.tokens_are_asked_for;
        match crate::transport::ReqwestTransport::with_defaults(self.connect_timeout, secure) {
            Ok(transport) => Ok(Box::new(transport)),
            Err(error) => Err(Error::config("the HTTP client cannot be set up").with_source(error)),
        }
    }

    #[cfg(not(feature = "reqwest"))]
    #[expect(clippy::unused_self, reason = "with the feature it has a use")]
    fn default_transport(&self, _: &BaseUrl) -> Result<Box<dyn Transport>, Error> {
        Err(Error::config(
            "there is no transport; give one with `transport()`, or turn on the feature `reqwest`",
        ))
    }

    fn own_agent(&self) -> String {
        format!("{}/{}", self.service.package, self.service.version)
    }

    fn refuse(&mut self, why: String) {
        self.fault.get_or_insert_with(|| Error::config(why));
    }
}

/// Shows settings, no secrets: of headers the names, and the base URL only if it is one.
impl<C> fmt::Debug for ClientBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("service", &self.service.package)
            .field(
                "base_url",
                &BaseUrl::parse(&self.base_url).ok().map(|url| url.as_str().to_owned()),
            )
            .field("credentials", &self.tokens.as_ref().map(|tokens| tokens.describe()))
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("timeout", &self.attempt_timeout)
            .field("total_timeout", &self.total_timeout)
            .field("connect_timeout", &self.connect_timeout)
            .field("max_response_bytes", &self.max_response_bytes)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}
