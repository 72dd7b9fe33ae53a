//! Providers of OAuth 2.0 and OpenID Connect.

use crate::url::template::filled;

/// An OAuth 2.0 authorization server, by its URLs. They are absolute, or relative to the base URL of the client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provider {
    pub(super) authorization_url: Option<String>,
    pub(super) token_url: Option<String>,
    pub(super) device_url: Option<String>,
    pub(super) discovery_url: Option<String>,
    pub(super) issuer: Option<String>,
    /// Whether its redirects name the issuer (RFC 9207).
    pub(super) names_issuer: bool,
}

impl Provider {
    /// Returns a provider without URLs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the URL where users log in.
    #[must_use]
    pub fn authorization_url(mut self, url: impl Into<String>) -> Self {
        self.authorization_url = Some(url.into());
        self
    }

    /// Sets the URL that returns tokens.
    #[must_use]
    pub fn token_url(mut self, url: impl Into<String>) -> Self {
        self.token_url = Some(url.into());
        self
    }

    /// Sets the URL that begins a login on another device (RFC 8628, section 3.1).
    #[must_use]
    pub fn device_url(mut self, url: impl Into<String>) -> Self {
        self.device_url = Some(url.into());
        self
    }

    /// Sets the URL of the metadata, for [`Login::discover`](crate::Login::discover): the issuer of OpenID Connect, a
    /// URL that ends with `/.well-known/openid-configuration`, or a URL with `/.well-known/oauth-authorization-server`
    /// (RFC 8414).
    #[must_use]
    pub fn discovery_url(mut self, url: impl Into<String>) -> Self {
        self.discovery_url = Some(url.into());
        self
    }

    /// Fills the variables of the URLs, such as `{tenant}`.
    #[doc(hidden)]
    #[must_use]
    pub fn filled(mut self, values: &[(&str, String)]) -> Self {
        let urls = [
            &mut self.authorization_url,
            &mut self.token_url,
            &mut self.device_url,
            &mut self.discovery_url,
        ];
        for url in urls.into_iter().flatten() {
            *url = filled(url, values);
        }
        self
    }
}
