//! The client credentials grant of OAuth 2.0 (RFC 6749, section 4.4).

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use secrecy::SecretString;

use super::assertion::{self, AssertionSigner};
use super::endpoint::Endpoint;
use super::form::Form;
use super::source::{TokenContext, TokenSetup, TokenSource};
use super::token::{Token, TokenError};
use crate::future::{BoxError, BoxFuture};

const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// Requests tokens for the client itself, with its credentials in the body of the request.
///
/// ```
/// # use openapi_bindings_runtime::ClientCredentials;
/// let credentials = ClientCredentials::new("/auth/v1/token", "client-id", "client-secret")
///     .scope("read write")
///     .form_field("audience", "https://tenant.example.com");
/// ```
#[derive(Clone)]
pub struct ClientCredentials {
    endpoint: Endpoint,
    client_id: String,
    proof: Proof,
}

#[derive(Clone)]
enum Proof {
    Secret(SecretString),
    Assertion(Arc<dyn AssertionSigner>),
}

impl ClientCredentials {
    /// Authenticates the client with its secret.
    ///
    /// The token URL is absolute, or relative to the base URL of the API.
    pub fn new(
        token_url: impl Into<String>,
        client_id: impl Into<String>,
        secret: impl Into<SecretString>,
    ) -> Self {
        Self::with_proof(token_url.into(), client_id.into(), Proof::Secret(secret.into()))
    }

    /// Authenticates the client with a signed assertion (RFC 7523, section 2.2).
    ///
    /// The token URL is absolute, or relative to the base URL of the API.
    pub fn with_assertion(
        token_url: impl Into<String>,
        client_id: impl Into<String>,
        signer: impl AssertionSigner,
    ) -> Self {
        Self::with_proof(token_url.into(), client_id.into(), Proof::Assertion(Arc::new(signer)))
    }

    fn with_proof(token_url: String, client_id: String, proof: Proof) -> Self {
        Self { endpoint: Endpoint::new(token_url), client_id, proof }
    }

    /// Requests a scope: names separated by spaces.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.endpoint.scope = Some(scope.into());
        self
    }

    /// Adds a field to the form, such as `audience` or `resource`.
    #[must_use]
    pub fn form_field(mut self, name: impl Into<String>, value: impl Into<SecretString>) -> Self {
        self.endpoint.fields.push((name.into(), value.into()));
        self
    }

    async fn form(&self, context: TokenContext<'_>) -> Result<Form, TokenError> {
        let mut form = Form::new("client_credentials");
        form.push("client_id", &self.client_id);
        match &self.proof {
            Proof::Secret(secret) => form.push_secret("client_secret", secret),
            Proof::Assertion(signer) => {
                let (id, url) = (&self.client_id, self.endpoint.url()?);
                let assertion = assertion::sign(&**signer, id, id, url, context).await?;
                form.push("client_assertion_type", ASSERTION_TYPE);
                form.push_secret("client_assertion", &assertion);
            }
        }
        Ok(form)
    }
}

impl TokenSource for ClientCredentials {
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        Box::pin(async move { self.endpoint.request(self.form(context).await?, context).await })
    }

    fn describe(&self) -> Cow<'_, str> {
        let at = self.endpoint.at();
        Cow::Owned(format!("OAuth 2.0 client credentials of `{}`{at}", self.client_id))
    }

    fn prepare(&mut self, setup: TokenSetup<'_>) -> Result<(), BoxError> {
        if self.client_id.is_empty() {
            return Err("the client id is empty".into());
        }
        self.endpoint.prepare(setup)
    }
}

impl fmt::Debug for ClientCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientCredentials")
            .field("client_id", &self.client_id)
            .field("scope", &self.endpoint.scope)
            .field("fields", &self.endpoint.field_names())
            .finish_non_exhaustive()
    }
}
