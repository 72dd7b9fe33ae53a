//! Grants of OAuth 2.0: forms that a token endpoint takes.

use std::borrow::Cow;
use std::fmt;

use http::Uri;

use super::context::{TokenContext, TokenSetup};
use super::endpoint::Endpoint;
use super::form::Form;
use super::response;
use super::secret::SecretSource;
use super::source::TokenSource;
use super::token::{Token, TokenError};
use crate::secrets::debug::shown;
use crate::time::future::{BoxError, BoxFuture};

/// A grant of OAuth 2.0, as a source of tokens: [`ClientCredentials`](crate::ClientCredentials),
/// [`JwtBearer`](crate::JwtBearer) or [`RefreshToken`](crate::RefreshToken).
#[derive(Clone)]
pub struct Grant<P> {
    endpoint: Endpoint,
    pub(super) party: P,
}

/// The party that is granted tokens, and how it proves that.
pub trait Party: Clone + fmt::Debug + Send + Sync + 'static {
    /// Returns the form that requests a token from this URL, without scope and additional fields.
    #[doc(hidden)]
    fn form(
        &self,
        url: &Uri,
        context: TokenContext<'_>,
    ) -> impl Future<Output = Result<Form, TokenError>> + Send;

    /// Called with each token that the server returns.
    #[doc(hidden)]
    fn received(&self, _token: &Token) {}

    /// Describes the grant, without secrets.
    #[doc(hidden)]
    fn describe(&self) -> String;

    /// Returns why the party is invalid.
    #[doc(hidden)]
    fn fault(&self) -> Option<String>;
}

impl<P> Grant<P> {
    pub(super) fn with_party(token_url: String, party: P) -> Self {
        Self { endpoint: Endpoint::new(Endpoint::TOKEN, token_url), party }
    }

    /// Requests a scope: names separated by spaces.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.endpoint.scope = Some(scope.into());
        self
    }

    /// Adds a field to the form, such as `audience`, `client_id` or `resource`. A
    /// [`SecretSource`] can read its value for each request.
    #[must_use]
    pub fn form_field(mut self, name: impl Into<String>, value: impl Into<SecretSource>) -> Self {
        self.endpoint.fields.push((name.into(), value.into()));
        self
    }
}

impl<P: Party> Grant<P> {
    /// Returns the URL of the token endpoint, or why the grant is invalid.
    fn url(&self, setup: TokenSetup<'_>) -> Result<Uri, TokenError> {
        match self.party.fault() {
            Some(fault) => Err(TokenError::new(fault)),
            None => self.endpoint.url(setup),
        }
    }
}

impl<P: Party> TokenSource for Grant<P> {
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        Box::pin(async move {
            let form = self.party.form(&self.url(context.0.setup())?, context).await?;
            let token = self.endpoint.answer(form, context, |it| response::token(&it)).await?;
            self.party.received(&token);
            Ok(token)
        })
    }

    fn describe(&self) -> Cow<'_, str> {
        Cow::Owned(format!("{}{}", self.party.describe(), self.endpoint.at()))
    }

    fn check(&self, setup: TokenSetup<'_>) -> Result<(), BoxError> {
        self.url(setup)?;
        Ok(())
    }

    fn uses_https(&self, setup: TokenSetup<'_>) -> bool {
        self.endpoint.is_https(setup)
    }
}

// Values of fields may be secret.
shown!(Grant<P: Party>, |it|
    party: it.party,
    scope: it.endpoint.scope,
    fields: it.endpoint.fields.iter().map(|(name, _)| name).collect::<Vec<_>>(),
);
