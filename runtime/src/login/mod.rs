//! Logins of users: the authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636), on a loopback address
//! (RFC 8252) or in a web application, and the device flow (RFC 8628).

pub(crate) mod authorization;
pub(crate) mod code;
mod context;
pub(crate) mod device;
mod discovery;
pub(crate) mod file_store;
mod loopback;
pub(crate) mod provider;
pub(crate) mod session;
pub(crate) mod store;

use std::sync::Arc;

use secrecy::SecretString;

use self::provider::Provider;
use self::store::{MemoryStore, TokenStore};
use crate::auth::client_credentials::{OAuthClient, Proof};
use crate::auth::context::AuthContext;
use crate::auth::endpoint::Endpoint;
use crate::auth::grant::Party as _;
use crate::auth::secret::SecretSource;
use crate::auth::token::TokenError;
use crate::client::builder::ClientBuilder;
use crate::client::{Client, Shared};
use crate::error::Error;
use crate::secrets::debug::shown;

/// Logs a user in, and returns a [`LoginSession`](crate::LoginSession): a source of tokens for the builder of a client.
///
/// The client on which `login` is called sends the requests; it needs no credentials. Relative URLs in the spec are
/// relative to its base URL.
///
/// ```no_run
/// # use openapi_bindings_runtime::{BoxError, Login};
/// # async fn example(login: Login) -> Result<(), BoxError> {
/// let session = login.scope("read").loopback(|url| println!("Open {url}")).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Login {
    context: AuthContext,
    provider: Provider,
    client: OAuthClient,
    scope: Option<String>,
    fields: Vec<(String, SecretString)>,
    store: Arc<dyn TokenStore>,
}

impl Login {
    fn new(context: AuthContext, provider: Provider, client_id: String) -> Self {
        Self {
            context,
            provider,
            client: OAuthClient { id: client_id, proof: Proof::Nothing },
            scope: None,
            fields: Vec::new(),
            store: Arc::new(MemoryStore::default()),
        }
    }

    /// Authenticates the client with its secret, in the body. Programs on the machine of a user are public clients,
    /// which have none. A [`SecretSource`] can read it for each request.
    #[must_use]
    pub fn client_secret(mut self, secret: impl Into<SecretSource>) -> Self {
        self.client.proof = Proof::Secret(secret.into());
        self
    }

    /// Sends the identifier and the secret in the header `Authorization`, for servers that do not take them in the body
    /// (RFC 6749, section 2.3.1). Call it after [`client_secret`](Self::client_secret).
    #[must_use]
    pub fn secret_in_header(mut self) -> Self {
        self.client = self.client.with_secret_in_header();
        self
    }

    /// Requests a scope: names separated by spaces.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scope = Some(scope.into());
        self
    }

    /// Adds a parameter to the authorization URL and to the requests of the flows, such as `audience` or `resource`.
    #[must_use]
    pub fn form_field(mut self, name: impl Into<String>, value: impl Into<SecretString>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// Replaces the provider of the spec.
    #[must_use]
    pub fn provider(mut self, provider: Provider) -> Self {
        self.provider = provider;
        self
    }

    /// Stores the tokens of the session: in memory by default, which ends with the program.
    #[must_use]
    pub fn store(mut self, store: impl TokenStore) -> Self {
        self.store = Arc::new(store);
        self
    }

    fn endpoint(&self, kind: &'static str, url: Option<&str>) -> Result<Endpoint, TokenError> {
        let mut endpoint = Endpoint::new(kind, self.url(kind, url)?.to_owned());
        let fields = self.fields.iter();
        endpoint.fields =
            fields.map(|(name, value)| (name.clone(), value.clone().into())).collect();
        endpoint.url(self.context.setup())?;
        Ok(endpoint)
    }

    fn url<'u>(&self, kind: &str, url: Option<&'u str>) -> Result<&'u str, TokenError> {
        if let Some(fault) = self.client.fault() {
            return Err(TokenError::new(fault));
        }
        url.ok_or_else(|| {
            TokenError::new(match self.provider.discovery_url {
                Some(_) => format!("the {kind} URL is not known: call `discover` first"),
                None => format!("the provider has no {kind} URL"),
            })
        })
    }
}

impl Client {
    /// Begins the login of a user at a provider, for a registered client. The client sends its requests.
    pub fn login(&self, provider: Provider, client_id: impl Into<String>) -> Login {
        let Shared { settings, base_url, transport, headers, .. } = &*self.shared;
        Login::new(settings.context(base_url, transport, headers), provider, client_id.into())
    }
}

impl<C: From<Client>> ClientBuilder<C> {
    /// Begins the login of a user at a provider, with a client without credentials.
    ///
    /// # Errors
    ///
    /// Fails if a setting is invalid.
    #[doc(hidden)]
    pub fn login(self, provider: Provider, client_id: impl Into<String>) -> Result<Login, Error> {
        Ok(self.built()?.login(provider, client_id))
    }
}

shown!(Login, |it| provider: it.provider, client_id: it.client.id, scope: it.scope);
