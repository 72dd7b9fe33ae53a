//! Token endpoints (RFC 6749, section 3.2): where they are, and how they are asked.

use bytes::Bytes;
use http::{Method, Uri, header};
use secrecy::{ExposeSecret, SecretString};

use super::{Token, TokenContext, TokenError, TokenSetup, grant};
use crate::client::origin::Origin;
use crate::{BoxError, percent};

/// A token endpoint, as users write it and, once a client is built, as a URL.
#[derive(Clone)]
pub(super) struct Endpoint {
    written: String,
    url: Option<Uri>,
}

impl Endpoint {
    pub(super) fn new(written: String) -> Self {
        Self { written, url: None }
    }

    /// Returns where it is, for people to read after the name of a grant; empty if that is not yet
    /// known.
    pub(super) fn at(&self) -> String {
        let host = self.url.as_ref().and_then(Uri::host);
        host.map_or_else(String::new, |host| format!(" at {host}"))
    }

    /// Resolves the URL against the base URL of the API, and refuses what would give secrets away.
    pub(super) fn prepare(&mut self, setup: TokenSetup<'_>) -> Result<(), BoxError> {
        let Some(url) = setup.base_url.resolve(&self.written) else {
            return Err("the token URL is not a URL".into());
        };
        if url.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err("the token URL contains `@`: credentials do not belong into it".into());
        }
        let Some(origin) = Origin::of(&url) else {
            return Err("the token URL is neither http nor https".into());
        };
        if !origin.is_https() && !origin.is_loopback() && !setup.allow_http {
            return Err(
                "the token URL is http, which would send the client's secret unencrypted; \
                 use https, or `allow_http()`"
                    .into(),
            );
        }
        self.url = Some(url);
        Ok(())
    }

    /// Returns the URL.
    pub(super) fn url(&self) -> Result<&Uri, TokenError> {
        self.url
            .as_ref()
            .ok_or_else(|| TokenError::new("the token source was not prepared by a client builder"))
    }

    /// Asks for a token.
    pub(super) async fn ask(
        &self,
        form: Form,
        context: TokenContext<'_>,
    ) -> Result<Token, TokenError> {
        let request = http::Request::builder()
            .method(Method::POST)
            .uri(self.url()?.clone())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json")
            .body(Bytes::from(form.text))
            .map_err(|error| {
                TokenError::new("the token request cannot be sent").with_source(error)
            })?;
        let response = context.transport.send(request).await.map_err(|error| {
            TokenError::transient(format!("the token endpoint could not be asked: {error}"))
                .with_source(error)
        })?;
        let secrets = form.secrets.iter().map(ExposeSecret::expose_secret);
        let secrets: Vec<&str> = secrets.collect();
        grant::read(response, &secrets).await
    }
}

/// The form that asks for a token.
pub(super) struct Form {
    text: String,
    /// What the endpoint's answer must not show to people if it repeats it.
    secrets: Vec<SecretString>,
}

impl Form {
    pub(super) fn new(grant_type: &str) -> Self {
        let mut text = String::from("grant_type=");
        percent::push(&mut text, grant_type);
        Self { text, secrets: Vec::new() }
    }

    /// Appends a field. `%20` for a space is as good as `+`, and one encoder serves queries and
    /// forms alike.
    pub(super) fn push(&mut self, name: &str, value: &str) {
        self.text.push('&');
        percent::push(&mut self.text, name);
        self.text.push('=');
        percent::push(&mut self.text, value);
    }

    pub(super) fn push_secret(&mut self, name: &str, value: &SecretString) {
        self.push(name, value.expose_secret());
        self.secrets.push(value.clone());
    }
}
