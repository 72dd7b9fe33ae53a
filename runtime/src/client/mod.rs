//! Clients, which calls to an API share.

pub(crate) mod builder;
pub(crate) mod drift;
pub(crate) mod given_header;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, header};

use self::drift::DriftHook;
use crate::auth::context::AuthContext;
use crate::auth::credentials::Credentials;
use crate::auth::scheme::{Alternatives, Scheme};
use crate::error::retry::budget::RetryBudget;
use crate::error::retry::policy::RetryPolicy;
use crate::secrets::debug::shown;
use crate::time::clock::Clock;
use crate::transport::Transport;
use crate::transport::interceptor::Interceptor;
#[cfg(feature = "reqwest")]
use crate::transport::reqwest::pool::HttpOptions;
use crate::url::base_url::BaseUrl;
use crate::url::origin::Origin;
use crate::url::server::OwnServer;

/// The emitted package and its settings.
#[derive(Debug)]
pub struct Service {
    /// The name of the emitted package.
    pub package: &'static str,
    /// The version of the emitted package.
    pub version: &'static str,
    /// The prefix of its environment variables.
    pub env_prefix: &'static str,
    /// The pattern of its error messages that contain the identifier of the request, written as `{id}`.
    pub request_id: Option<&'static str>,
    /// The security schemes.
    pub schemes: &'static [Scheme],
    /// The credentials of operations that declare none.
    pub security: Alternatives,
    /// The servers that operations have instead of the base URL.
    pub servers: &'static [OwnServer],
}

/// The base URL, connections, credentials and policies of all calls to an API. Clones are cheap and
/// share them.
///
/// Emitted clients wrap it. [`ClientBuilder`](crate::ClientBuilder) has its settings, and
/// [`to_builder`](Self::to_builder) begins another client with them.
#[derive(Clone)]
pub struct Client {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) base_url: BaseUrl,
    /// The URLs of the other servers; `None` for servers that must not be used.
    pub(crate) servers: Vec<Option<BaseUrl>>,
    pub(crate) accepted: AcceptedServers,
    pub(crate) transport: Arc<dyn Transport>,
    /// Whether it trusts certificates. The default transport has none if no URL of the client needs them.
    pub(crate) uses_tls: bool,
    pub(crate) credentials: Credentials,
    pub(crate) headers: Arc<HeaderMap>,
}

/// The accepted servers of operations, by index, each with the environment variable that it was read from.
pub(crate) type AcceptedServers = BTreeMap<usize, (String, Option<String>)>;

#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) service: &'static Service,
    pub(crate) interceptors: Vec<Arc<dyn Interceptor>>,
    pub(crate) transport: Option<Arc<dyn Transport>>,
    #[cfg(feature = "reqwest")]
    pub(crate) http: HttpOptions,
    pub(crate) connect_timeout: Duration,
    /// The number of calls so far.
    pub(crate) calls: Arc<AtomicU64>,
    pub(crate) options: CallOptions,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) drift: Option<DriftHook>,
    pub(crate) hides_path_values: bool,
    /// Whether credentials may be sent unencrypted to other machines.
    pub(crate) allow_http: bool,
    /// Whether redirects to other origins are followed, without credentials.
    pub(crate) leaves_origin: bool,
    pub(crate) budget: RetryBudget,
    #[cfg(feature = "record")]
    pub(crate) recorder: Option<crate::record::Recorder>,
}

/// Options of all calls of a client, which each call can replace.
#[derive(Clone, Debug)]
pub struct CallOptions {
    /// The timeout of each attempt.
    pub timeout: Duration,
    /// The timeout of all attempts and the pauses between them.
    pub total_timeout: Duration,
    /// Maximum size of a response body, in bytes.
    pub max_response_bytes: usize,
    /// The retry policy.
    pub retry: RetryPolicy,
}

impl Settings {
    /// Returns the parts of a client with which it obtains tokens.
    pub(crate) fn context(
        &self,
        base_url: &BaseUrl,
        transport: &Arc<dyn Transport>,
        headers: &Arc<HeaderMap>,
    ) -> AuthContext {
        AuthContext {
            transport: Arc::clone(transport),
            clock: Arc::clone(&self.clock),
            headers: Arc::clone(headers),
            base_url: base_url.clone(),
            allow_http: self.allow_http,
            limit: self.options.timeout,
        }
    }

    /// Returns whether the transport may have a client certificate: always for a transport of the user, and for the
    /// default one if it was set.
    pub(crate) fn has_certificate(&self) -> bool {
        #[cfg(feature = "reqwest")]
        if self.http.certificates.identity.is_some() {
            return true;
        }
        self.transport.is_some()
    }
}

impl Client {
    /// Returns the base URL, without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.shared.base_url.text
    }

    /// Describes the credentials, without secrets. `None` if there are none.
    pub fn credentials(&self) -> Option<String> {
        self.shared.credentials.describe()
    }
}

impl Shared {
    /// Returns the default headers of requests to an origin: all headers at the origin of the base URL, and elsewhere
    /// only headers without secrets.
    pub(crate) fn headers_for(
        &self,
        origin: &Origin,
    ) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        let has_all = self.has_defaults(origin);
        self.headers
            .iter()
            .filter(move |(name, _)| has_all || [header::ACCEPT, header::USER_AGENT].contains(name))
    }

    /// Returns whether requests to an origin have all default headers.
    pub(crate) fn has_defaults(&self, origin: &Origin) -> bool {
        origin == &self.base_url.origin
    }

    /// Returns the URL that an operation with these servers is sent to: the first of them that may be used.
    pub(crate) fn base_url_of(&self, servers: &[usize]) -> Result<&BaseUrl, String> {
        if servers.is_empty() {
            return Ok(&self.base_url);
        }
        let mut usable = servers.iter().filter_map(|server| self.servers.get(*server)?.as_ref());
        usable.next().ok_or_else(|| {
            let all = self.settings.service.servers;
            let named = servers.iter().filter_map(|server| all.get(*server));
            let named = named.map(|it| format!("`servers::{}` (`{}`)", it.name, it.url));
            format!(
                "the operation is not sent to the base URL, but to {}; accept the server with the builder's `server`",
                named.collect::<Vec<_>>().join(" or ")
            )
        })
    }
}

shown!(Client, |it|
    service: format_args!("{} {}", it.shared.settings.service.package, it.shared.settings.service.version),
    base_url: it.base_url(),
    credentials: it.credentials(),
);
