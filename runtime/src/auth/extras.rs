//! Optional fields of the form of every grant.

use secrecy::{ExposeSecret, SecretString};

use super::form::Form;

/// Fields that are not secret (RFC 6749, sections 2.3.1 and 4.4.2; RFC 8707, section 2; RFC 8693,
/// section 2.1).
const PUBLIC: [&str; 5] = ["audience", "client_id", "grant_type", "resource", "scope"];

/// The scope, and fields that the grant itself does not have.
#[derive(Clone, Default)]
pub(super) struct Extras {
    pub(super) scope: Option<String>,
    pub(super) fields: Vec<(String, SecretString)>,
}

impl Extras {
    pub(super) fn push_to(&self, form: &mut Form) {
        if let Some(scope) = &self.scope {
            form.push("scope", scope);
        }
        for (name, value) in &self.fields {
            if PUBLIC.contains(&name.as_str()) {
                form.push(name, value.expose_secret());
            } else {
                form.push_secret(name, value);
            }
        }
    }

    /// Returns the names of the fields. Values may be secret.
    pub(super) fn names(&self) -> Vec<&str> {
        self.fields.iter().map(|(name, _)| name.as_str()).collect()
    }
}
