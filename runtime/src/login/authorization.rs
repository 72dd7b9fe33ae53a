//! The authorization code grant with PKCE (RFC 6749, section 4.1; RFC 7636; RFC 9700, section 2.1.1).

use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret, SecretString};

use super::session::LoginSession;
use super::{Login, code};
use crate::auth::endpoint::Endpoint;
use crate::auth::form::Form;
use crate::auth::token::TokenError;
use crate::error::clip;
use crate::secrets::debug::shown;
use crate::secrets::redact;

/// A login that has begun: the URL where the user logs in, and the values that [`Login::exchange`] needs afterwards.
pub struct Authorization {
    url: String,
    state: SecretString,
    verifier: SecretString,
    redirect_uri: String,
}

impl Authorization {
    /// Returns an authorization that was begun elsewhere, such as in another instance of a web application that stored
    /// these values in the session of the browser.
    pub fn new(
        state: impl Into<SecretString>,
        verifier: impl Into<SecretString>,
        redirect_uri: impl Into<String>,
    ) -> Self {
        Self {
            url: String::new(),
            state: state.into(),
            verifier: verifier.into(),
            redirect_uri: redirect_uri.into(),
        }
    }

    /// Returns the URL to redirect the user to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the `state`, by which a redirect is recognized as the answer to this URL.
    pub fn state(&self) -> &SecretString {
        &self.state
    }

    /// Returns the code verifier (RFC 7636), which must not leave the server.
    pub fn verifier(&self) -> &SecretString {
        &self.verifier
    }

    /// Returns whether a redirect, as a URL or a query, answers this authorization.
    pub(super) fn is_answered_by(&self, redirect: &str) -> bool {
        parameter(redirect, "state").as_deref() == Some(self.state.expose_secret())
    }
}

impl Login {
    /// Begins a login: returns the URL where the user logs in, with a new `state` and a code challenge (S256).
    ///
    /// The provider redirects the user to the redirect URI, and [`exchange`](Self::exchange) takes the URL of that
    /// request.
    ///
    /// # Errors
    ///
    /// Fails if the provider has no valid authorization URL.
    pub fn authorize_url(
        &self,
        redirect_uri: impl Into<String>,
    ) -> Result<Authorization, TokenError> {
        let url = self.provider.authorization_url.as_deref();
        let endpoint = self.endpoint("authorization", url)?;
        let redirect_uri = redirect_uri.into();
        let state = code::random()?;
        let verifier = code::random()?;
        let mut url = endpoint.url(self.context.setup())?.to_string();
        let challenge = code::challenge(&verifier);
        let own = [
            ("response_type", "code"),
            ("client_id", &self.client.id),
            ("redirect_uri", &redirect_uri),
            ("state", state.expose_secret()),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        let scope = self.scope.as_deref().map(|scope| ("scope", scope));
        let fields = self.fields.iter().map(|(name, value)| (name.as_str(), value.expose_secret()));
        let mut form = Form::default();
        for (name, value) in own.into_iter().chain(scope).chain(fields) {
            form.push(name, value);
        }
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(&form.text);
        Ok(Authorization { url, state, verifier, redirect_uri })
    }

    /// Completes a login with the URL that the provider redirected the user to, or its query.
    ///
    /// # Errors
    ///
    /// Fails if the redirect is not the answer to this authorization, if the user or the provider refused, or if the
    /// provider does not return tokens for the code.
    pub async fn exchange(
        &self,
        authorization: Authorization,
        redirect: impl AsRef<str>,
    ) -> Result<LoginSession, TokenError> {
        let code = self.code(&authorization, redirect.as_ref())?;
        let endpoint = self.endpoint(Endpoint::TOKEN, self.provider.token_url.as_deref())?;
        let mut form = Form::new("authorization_code");
        form.push_secret("code", &code);
        form.push("redirect_uri", &authorization.redirect_uri);
        form.push_secret("code_verifier", &authorization.verifier);
        self.begin(self.token(form, &endpoint).await?).await
    }

    fn code(
        &self,
        authorization: &Authorization,
        redirect: &str,
    ) -> Result<SecretString, TokenError> {
        if !authorization.is_answered_by(redirect) {
            return Err(TokenError::new(
                "the redirect does not belong to this login: its `state` differs",
            ));
        }
        // RFC 9207, section 2.4.
        let issuer = parameter(redirect, "iss");
        let is_named = issuer.is_some() || self.provider.names_issuer;
        if is_named && self.provider.issuer.is_some() && issuer != self.provider.issuer {
            return Err(TokenError::new("the redirect is from another provider: `iss` differs"));
        }
        if let Some(error) = parameter(redirect, "error") {
            let Authorization { state, verifier, .. } = authorization;
            let secrets = [state, verifier].map(ExposeSecret::expose_secret);
            let shown = |text: &str| clip(&redact(text, &secrets));
            let description = parameter(redirect, "error_description")
                .map(|text| format!(" ({text})"))
                .unwrap_or_default();
            let message = shown(&format!("the provider refused the login: {error}{description}"));
            return Err(TokenError::new(message).with_code(&shown(&error)));
        }
        let code = parameter(redirect, "code").filter(|code| !code.is_empty());
        code.map(SecretString::from).ok_or_else(|| TokenError::new("the redirect has no `code`"))
    }
}

/// Returns a parameter of a URL or a query. A parameter that is repeated counts as absent (RFC 6749, section 3.1).
fn parameter(redirect: &str, name: &str) -> Option<String> {
    let query = redirect.split_once('?').map_or(redirect, |(_, query)| query).split('#').next()?;
    let mut values = query.split('&').filter_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        (key == name).then_some(value)
    });
    let value = values.next().filter(|_| values.next().is_none())?.replace('+', " ");
    Some(percent_decode_str(&value).decode_utf8().ok()?.into_owned())
}

// Shows neither the URL, which has the `state`, nor secrets.
shown!(Authorization, |it| redirect_uri: it.redirect_uri);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_once() {
        let redirect = "http://127.0.0.1:8/?code=a%2Bb+c&state=s&state=t&empty=&x#code=2";
        for (name, value) in [
            ("code", Some("a+b c")),
            ("state", None),
            ("empty", Some("")),
            ("x", None),
            ("none", None),
        ] {
            assert_eq!(parameter(redirect, name).as_deref(), value, "{name}");
        }
        assert_eq!(parameter("code=1", "code").as_deref(), Some("1"));
    }
}
