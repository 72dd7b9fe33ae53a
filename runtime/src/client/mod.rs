//! The client: what all calls to one API share.

pub(crate) mod base_url;
pub(crate) mod builder;
mod env;
pub(crate) mod origin;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;

use crate::auth::TokenCache;
use crate::client::base_url::BaseUrl;
use crate::clock::Clock;
use crate::execute::interceptor::Interceptor;
use crate::response::drift::DriftHook;
use crate::retry::RetryPolicy;
use crate::retry::budget::RetryBudget;
use crate::transport::Transport;

/// An API as an emitted crate knows it.
#[derive(Debug)]
pub struct Service {
    /// The name of the emitted package.
    pub package: &'static str,
    /// The version of the emitted package.
    pub version: &'static str,
    /// What the names of its environment variables begin with.
    pub env_prefix: &'static str,
}

/// What all calls to one API share: base URL, connections, credentials, policies. Cloning is cheap
/// and shares all of it.
///
/// Emitted clients wrap it; its settings are made by the [`ClientBuilder`](crate::ClientBuilder).
#[derive(Clone)]
pub struct Client {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) service: &'static Service,
    pub(crate) base_url: BaseUrl,
    pub(crate) transport: Box<dyn Transport>,
    pub(crate) tokens: Option<TokenCache>,
    pub(crate) interceptors: Vec<Box<dyn Interceptor>>,
    pub(crate) headers: HeaderMap,
    pub(crate) attempt_timeout: Duration,
    pub(crate) total_timeout: Duration,
    pub(crate) max_response_bytes: usize,
    pub(crate) retry: RetryPolicy,
    pub(crate) budget: RetryBudget,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) drift: Option<DriftHook>,
}

impl Client {
    /// Returns the base URL, without a trailing slash.
    pub fn base_url(&self) -> &str {
        self.shared.base_url.as_str()
    }

    /// Returns where access tokens come from, in words and without secrets; `None` if calls carry
    /// none.
    pub fn credentials(&self) -> Option<String> {
        self.shared.tokens.as_ref().map(TokenCache::describe)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field(
                "service",
                &format_args!("{} {}", self.shared.service.package, self.shared.service.version),
            )
            .field("base_url", &self.base_url())
            .field("credentials", &self.credentials())
            .finish_non_exhaustive()
    }
}
