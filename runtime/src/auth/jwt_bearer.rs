//! The JWT bearer grant of OAuth 2.0 (RFC 7523, section 2.1).

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

/// Requests tokens with a signed assertion, for a service itself or on behalf of a user.
///
/// If the server requires client authentication as well, add `client_id` and `client_secret` as form
/// fields.
///
/// ```
/// # use openapi_bindings_runtime::{AssertionSigner, JwtBearer};
/// # fn source(signer: impl AssertionSigner) -> JwtBearer {
/// JwtBearer::new("/auth/v1/token", "inventory-service", signer)
///     .on_behalf_of("someone@example.com")
///     .scope("read")
/// # }
/// ```
#[derive(Clone)]
pub struct JwtBearer {
    endpoint: Endpoint,
    issuer: String,
    subject: Option<String>,
    signer: Arc<dyn AssertionSigner>,
}

impl JwtBearer {
    /// Uses assertions of this issuer. Their subject is the issuer itself unless
    /// [`on_behalf_of`](Self::on_behalf_of) names another one.
    ///
    /// The token URL is absolute, or relative to the base URL of the API.
    pub fn new(
        token_url: impl Into<String>,
        issuer: impl Into<String>,
        signer: impl AssertionSigner,
    ) -> Self {
        Self {
            endpoint: Endpoint::new(token_url.into()),
            issuer: issuer.into(),
            subject: None,
            signer: Arc::new(signer),
        }
    }

    /// Requests tokens that act for a user: the `sub` of the assertions.
    #[must_use]
    pub fn on_behalf_of(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// Requests a scope: names separated by spaces.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.endpoint.scope = Some(scope.into());
        self
    }

    /// Adds a field to the form, such as `client_id` or `resource`.
    #[must_use]
    pub fn form_field(mut self, name: impl Into<String>, value: impl Into<SecretString>) -> Self {
        self.endpoint.fields.push((name.into(), value.into()));
        self
    }

    async fn form(&self, context: TokenContext<'_>) -> Result<Form, TokenError> {
        let subject = self.subject.as_ref().unwrap_or(&self.issuer);
        let url = self.endpoint.url()?;
        let assertion = assertion::sign(&*self.signer, &self.issuer, subject, url, context).await?;
        let mut form = Form::new("urn:ietf:params:oauth:grant-type:jwt-bearer");
        form.push_secret("assertion", &assertion);
        Ok(form)
    }
}

impl TokenSource for JwtBearer {
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        Box::pin(async move { self.endpoint.request(self.form(context).await?, context).await })
    }

    fn describe(&self) -> Cow<'_, str> {
        let at = self.endpoint.at();
        Cow::Owned(format!("OAuth 2.0 assertions of `{}`{at}", self.issuer))
    }

    fn prepare(&mut self, setup: TokenSetup<'_>) -> Result<(), BoxError> {
        if self.issuer.is_empty() {
            return Err("the issuer of the assertions is empty".into());
        }
        self.endpoint.prepare(setup)
    }
}

impl fmt::Debug for JwtBearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JwtBearer")
            .field("issuer", &self.issuer)
            .field("subject", &self.subject)
            .field("scope", &self.endpoint.scope)
            .field("fields", &self.endpoint.field_names())
            .finish_non_exhaustive()
    }
}
