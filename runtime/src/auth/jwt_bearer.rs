//! The JWT bearer grant of OAuth 2.0 (RFC 7523, section 2.1).

use std::sync::Arc;

use http::Uri;

use super::assertion::{self, AssertionSigner};
use super::context::TokenContext;
use super::form::Form;
use super::grant::{Grant, Party};
use super::secret;
use super::token::TokenError;
use crate::secrets::debug::shown;

/// Requests tokens with a signed assertion, for a service itself or on behalf of a user.
///
/// If the server also requires client authentication, add `client_id` and `client_secret` as form
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
pub type JwtBearer = Grant<AssertionIssuer>;

/// An issuer of assertions, for itself or another subject.
#[derive(Clone)]
pub struct AssertionIssuer {
    issuer: String,
    subject: Option<String>,
    signer: Arc<dyn AssertionSigner>,
}

shown!(AssertionIssuer, |it| issuer: it.issuer, subject: it.subject);

impl Grant<AssertionIssuer> {
    /// Uses assertions of this issuer. Their subject is the issuer itself unless
    /// [`on_behalf_of`](Self::on_behalf_of) names another one.
    ///
    /// The token URL is absolute, or relative to the base URL of the API.
    pub fn new(
        token_url: impl Into<String>,
        issuer: impl Into<String>,
        signer: impl AssertionSigner,
    ) -> Self {
        let signer = Arc::new(signer);
        let party = AssertionIssuer { issuer: issuer.into(), subject: None, signer };
        Self::with_party(token_url.into(), party)
    }

    /// Requests tokens that act for a user: the `sub` of the assertions.
    #[must_use]
    pub fn on_behalf_of(mut self, subject: impl Into<String>) -> Self {
        self.party.subject = Some(subject.into());
        self
    }
}

impl Party for AssertionIssuer {
    async fn form(&self, url: &Uri, context: TokenContext<'_>) -> Result<Form, TokenError> {
        let subject = self.subject.as_ref().unwrap_or(&self.issuer);
        let signed = assertion::sign(&*self.signer, &self.issuer, subject, url, context);
        let mut form = Form::new("urn:ietf:params:oauth:grant-type:jwt-bearer");
        form.push_secret("assertion", &signed.await?);
        Ok(form)
    }

    fn describe(&self) -> String {
        format!("OAuth 2.0 assertions of `{}`", self.issuer)
    }

    fn fault(&self) -> Option<String> {
        secret::fault("issuer of the assertions", &self.issuer)
    }
}
