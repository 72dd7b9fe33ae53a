//! Discovery of providers (OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3).

use serde_json::Value;

use super::Login;
use crate::auth::endpoint::Endpoint;
use crate::auth::token::TokenError;

/// The path of the metadata of OpenID Connect below the URL of the issuer.
const PATH: &str = "/.well-known/openid-configuration";

/// The path of the metadata of OAuth 2.0, which comes before the path of the issuer.
const OAUTH_PATH: &str = "/.well-known/oauth-authorization-server";

impl Login {
    /// Reads the URLs of the provider from its metadata, of OpenID Connect or of OAuth 2.0 (RFC 8414), if the spec
    /// names the URL of the metadata. URLs that the metadata lacks remain.
    ///
    /// # Errors
    ///
    /// Fails if the metadata cannot be read, belongs to another issuer, or names URLs that would leak secrets.
    pub async fn discover(mut self) -> Result<Self, TokenError> {
        let url = self
            .provider
            .discovery_url
            .as_deref()
            .ok_or_else(|| TokenError::new("the provider has no discovery URL"))?;
        let base = url.trim_end_matches('/');
        let is_metadata = base.ends_with(PATH) || base.contains(OAUTH_PATH);
        let metadata = if is_metadata { base.to_owned() } else { format!("{base}{PATH}") };
        let endpoint = Endpoint::new("discovery", metadata);
        let resolved = endpoint.url(self.context.setup())?.to_string();
        let issuer = match resolved.strip_suffix(PATH) {
            Some(issuer) => issuer.to_owned(),
            None => resolved.replacen(OAUTH_PATH, "", 1),
        };
        let metadata = self.context.within(endpoint.get(self.context.of_tokens())).await?;
        let text = |name: &str| metadata.get(name).and_then(Value::as_str);
        if text("issuer").map(|issuer| issuer.trim_end_matches('/')) != Some(&*issuer) {
            return Err(TokenError::new("the metadata of the provider names another issuer"));
        }
        let provider = &mut self.provider;
        for (kind, name, url) in [
            ("authorization", "authorization_endpoint", &mut provider.authorization_url),
            (Endpoint::TOKEN, "token_endpoint", &mut provider.token_url),
            ("device", "device_authorization_endpoint", &mut provider.device_url),
        ] {
            if let Some(found) = text(name) {
                Endpoint::new(kind, found.to_owned()).url(self.context.setup())?;
                *url = Some(found.to_owned());
            }
        }
        provider.issuer = text("issuer").map(str::to_owned);
        let names_issuer = metadata.get("authorization_response_iss_parameter_supported");
        provider.names_issuer = names_issuer.and_then(Value::as_bool).unwrap_or_default();
        Ok(self)
    }
}
