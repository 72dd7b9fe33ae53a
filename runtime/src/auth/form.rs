//! The form that requests a token.

use secrecy::{ExposeSecret, SecretString};

use crate::url::percent;

/// An `application/x-www-form-urlencoded` form.
pub struct Form {
    pub(super) text: String,
    /// Values that must not show if the endpoint repeats them.
    pub(super) secrets: Vec<SecretString>,
}

impl Form {
    pub(super) fn new(grant_type: &str) -> Self {
        let mut text = String::from("grant_type=");
        text.extend(percent::encode(grant_type));
        Self { text, secrets: Vec::new() }
    }

    /// Appends a field. A space becomes `%20`, which forms accept like `+`.
    pub(super) fn push(&mut self, name: &str, value: &str) {
        self.text.push('&');
        self.text.extend(percent::encode(name));
        self.text.push('=');
        self.text.extend(percent::encode(value));
    }

    pub(super) fn push_secret(&mut self, name: &str, value: &SecretString) {
        self.push(name, value.expose_secret());
        self.secrets.push(value.clone());
    }
}
