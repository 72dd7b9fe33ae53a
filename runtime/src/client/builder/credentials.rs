//! Credentials of a client.

use std::sync::Arc;

use secrecy::SecretString;

use super::ClientBuilder;
use super::given::Given;
use crate::auth::source::TokenSource;
use crate::client::Client;

impl<C: From<Client>> ClientBuilder<C> {
    /// Sets the credentials of a scheme to a fixed value: a token, a key, or a user and a password with
    /// a colon between them.
    #[doc(hidden)]
    pub fn credential(self, scheme: usize, value: impl Into<SecretString>) -> Self {
        self.give(scheme, Given::Value(value.into()), None)
    }

    /// Sets the credentials of a scheme to a user and a password (RFC 7617).
    #[doc(hidden)]
    pub fn password(
        mut self,
        scheme: usize,
        user: impl Into<String>,
        password: impl Into<SecretString>,
    ) -> Self {
        match Given::basic(&user.into(), &password.into()) {
            Ok(given) => self.give(scheme, given, None),
            Err(why) => {
                self.fault.get_or_insert_with(|| why.to_owned());
                self
            }
        }
    }

    #[doc(hidden)]
    pub fn credential_source(self, scheme: usize, source: impl TokenSource) -> Self {
        self.give(scheme, Given::Source(Arc::new(source)), None)
    }

    pub(super) fn give(mut self, scheme: usize, given: Given, variables: Option<String>) -> Self {
        self.given.by_scheme.insert(scheme, (given, variables));
        self
    }
}
