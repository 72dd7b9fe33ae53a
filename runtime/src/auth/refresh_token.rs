//! Refresh tokens of OAuth 2.0 (RFC 6749, section 6).

use std::sync::{Arc, Mutex, PoisonError};

use http::Uri;
use secrecy::{ExposeSecret, SecretString};

use super::client_credentials::{OAuthClient, Proof};
use super::context::TokenContext;
use super::form::Form;
use super::grant::{Grant, Party};
use super::secret::{self, SecretSource};
use super::token::{Token, TokenError};
use crate::secrets::debug::shown;

/// Requests tokens with a refresh token, for a user who has logged in.
///
/// Many servers replace the refresh token each time. The new one is used from then on; use
/// [`on_rotation`](Self::on_rotation) to store it. The old one is kept until the new one is received: if a response is
/// lost, the next request sends the old one again, which servers may accept.
///
/// ```
/// # use openapi_bindings_runtime::RefreshToken;
/// # fn store(_: &str) {}
/// use openapi_bindings_runtime::ExposeSecret;
///
/// let session = RefreshToken::new("/auth/v1/token", "client-id", "refresh-token")
///     .on_rotation(|token| store(token.expose_secret()));
/// ```
pub type RefreshToken = Grant<Session>;

/// A session of a user: a client and its current refresh token. Clones share it.
#[derive(Clone)]
pub struct Session {
    client: OAuthClient,
    current: Arc<Mutex<SecretString>>,
    rotated: Option<Arc<Hook>>,
}

shown!(Session, |it| client: it.client);

type Hook = dyn Fn(&SecretString) + Send + Sync;

impl Grant<Session> {
    /// Uses a refresh token of a public client, which has no secret.
    ///
    /// The token URL is absolute, or relative to the base URL of the API.
    pub fn new(
        token_url: impl Into<String>,
        client_id: impl Into<String>,
        refresh_token: impl Into<SecretString>,
    ) -> Self {
        let session = Session {
            client: OAuthClient { id: client_id.into(), proof: Proof::Nothing },
            current: Arc::new(Mutex::new(refresh_token.into())),
            rotated: None,
        };
        Self::with_party(token_url.into(), session)
    }

    /// Authenticates the client with its secret, in the body. A [`SecretSource`] can read it for each request.
    #[must_use]
    pub fn client_secret(mut self, secret: impl Into<SecretSource>) -> Self {
        self.party.client.proof = Proof::Secret(secret.into());
        self
    }

    /// Sends the identifier and the secret in the header `Authorization`, for servers that do not take
    /// them in the body (RFC 6749, section 2.3.1). Call it after [`client_secret`](Self::client_secret).
    #[must_use]
    pub fn secret_in_header(mut self) -> Self {
        self.party.client = self.party.client.with_secret_in_header();
        self
    }

    /// Calls a hook with each refresh token that replaces another one, before the access token that
    /// came with it is used.
    #[must_use]
    pub fn on_rotation(mut self, hook: impl Fn(&SecretString) + Send + Sync + 'static) -> Self {
        self.party.rotated = Some(Arc::new(hook));
        self
    }
}

impl Session {
    fn current(&self) -> SecretString {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Party for Session {
    async fn form(&self, url: &Uri, context: TokenContext<'_>) -> Result<Form, TokenError> {
        let mut form = Form::new("refresh_token");
        form.push_secret("refresh_token", &self.current());
        self.client.authenticate(&mut form, url, context).await?;
        Ok(form)
    }

    fn received(&self, token: &Token) {
        let Some(refresh) = &token.refresh else { return };
        {
            let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
            if current.expose_secret() == refresh.expose_secret() {
                return;
            }
            current.clone_from(refresh);
        }
        if let Some(rotated) = &self.rotated {
            rotated(refresh);
        }
    }

    fn describe(&self) -> String {
        format!("an OAuth 2.0 refresh token of `{}`", self.client.id)
    }

    fn fault(&self) -> Option<String> {
        let of_token = || secret::fault("refresh token", self.current().expose_secret());
        self.client.fault().or_else(of_token)
    }
}
