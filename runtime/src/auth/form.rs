//! The form that requests a token.

use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

use super::scheme::Place;
use super::token::TokenError;
use crate::url::percent;

/// An `application/x-www-form-urlencoded` form.
#[derive(Default)]
pub struct Form {
    pub(crate) text: String,
    /// Values that must not show if the endpoint repeats them.
    pub(crate) secrets: Vec<SecretString>,
    /// The client's authentication, if it is not in the form.
    pub(crate) authorization: Option<HeaderValue>,
}

impl Form {
    pub(crate) fn new(grant_type: &str) -> Self {
        let mut form = Self::default();
        form.push("grant_type", grant_type);
        form
    }

    /// Appends a field. A space becomes `%20`, which forms accept like `+`.
    pub(crate) fn push(&mut self, name: &str, value: &str) {
        if !self.text.is_empty() {
            self.text.push('&');
        }
        self.text.extend(percent::encode(name));
        self.text.push('=');
        self.text.extend(percent::encode(value));
    }

    pub(crate) fn push_secret(&mut self, name: &str, value: &SecretString) {
        self.push(name, value.expose_secret());
        self.secrets.push(value.clone());
    }

    /// Authenticates the client in the header (RFC 6749, section 2.3.1).
    pub(crate) fn authenticate(
        &mut self,
        client_id: &str,
        secret: &SecretString,
    ) -> Result<(), TokenError> {
        let id = percent::encode(client_id);
        let encoded = percent::encode(secret.expose_secret());
        let header = Place::Basic.encode(&format!("{id}:{encoded}"))?;
        self.secrets.push(secret.clone());
        self.authorization = Some(header);
        Ok(())
    }
}
