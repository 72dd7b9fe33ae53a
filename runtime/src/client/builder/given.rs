//! Credentials that a builder was given.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use http::HeaderMap;
use secrecy::{ExposeSecret, SecretString};

use crate::auth::cache::TokenCache;
use crate::auth::context::TokenSetup;
use crate::auth::credentials::{Credential, Credentials, ValueSource};
use crate::auth::scheme::{Place, Scheme};
use crate::auth::source::TokenSource;
use crate::client::Service;
use crate::error::Error;

#[derive(Clone, Default)]
pub(super) struct GivenCredentials {
    /// By scheme, each with the environment variables that it was read from.
    pub(super) by_scheme: BTreeMap<usize, (Given, Option<String>)>,
    pub(super) allow_anonymous: bool,
    /// The environment variables that have none, of a client that the environment configures.
    pub(super) variables: Option<String>,
}

/// The credentials of a scheme.
#[derive(Clone)]
pub(super) enum Given {
    Value(SecretString),
    /// A source of values that may change.
    Source(Arc<dyn TokenSource>),
    /// The credentials of another client, with their tokens.
    Shared(Credential),
}

impl GivenCredentials {
    pub(super) fn is_empty(&self) -> bool {
        self.by_scheme.is_empty()
    }

    /// Returns whether a source sends requests to https URLs.
    pub(super) fn use_https(&self, setup: TokenSetup<'_>) -> bool {
        self.by_scheme.values().any(|(given, _)| match given {
            Given::Value(_) | Given::Shared(_) => false,
            Given::Source(source) => source.uses_https(setup),
        })
    }

    /// Describes the credentials, without secrets.
    pub(super) fn described(&self, schemes: &[Scheme]) -> Vec<String> {
        let given = self
            .by_scheme
            .iter()
            .filter_map(|(scheme, (given, _))| Some((schemes.get(*scheme)?, given)));
        given.map(|(scheme, given)| given.describe(scheme.place)).collect()
    }

    /// Checks the credentials and their sources.
    pub(super) fn check(&self, schemes: &[Scheme], setup: TokenSetup<'_>) -> Result<(), Error> {
        for (index, (given, variables)) in &self.by_scheme {
            let Some(scheme) = schemes.get(*index) else {
                return Err(Error::config("the API does not declare such credentials"));
            };
            let checked = match given {
                Given::Source(source) => source.check(setup),
                Given::Shared(_) => Ok(()),
                Given::Value(secret) => {
                    scheme.place.encode(secret.expose_secret()).map(drop).map_err(Into::into)
                }
            };
            checked.map_err(|error| invalid(variables.as_deref(), &error).with_source(error))?;
        }
        Ok(())
    }

    /// Fails if neither the environment nor the builder has the credentials of an alternative.
    pub(super) fn check_complete(
        &self,
        service: &Service,
        headers: &HeaderMap,
    ) -> Result<(), Error> {
        let Some(variables) = self.variables.as_ref().filter(|_| !self.allow_anonymous) else {
            return Ok(());
        };
        let is_given = |index: &usize| {
            let place = service.schemes.get(*index).map(|scheme| scheme.place);
            self.by_scheme.contains_key(index)
                || place.is_some_and(|it| it == Place::Certificate || it.is_in(headers))
        };
        let mut sets = service.security.iter();
        if service.security.is_empty() || sets.any(|set| set.iter().all(is_given)) {
            return Ok(());
        }
        Err(Error::config(format!(
            "the environment contains no credentials: set {variables}, or call a method of the client's \
             builder after `from_env`"
        )))
    }

    /// Returns the credentials of a client, one for each scheme.
    pub(super) fn into_credentials(
        mut self,
        schemes: &'static [Scheme],
        has_certificate: bool,
        cache: impl Fn(Arc<dyn TokenSource>, Place) -> TokenCache,
    ) -> Result<Credentials, Error> {
        let mut given = Vec::with_capacity(schemes.len());
        for (index, &Scheme { place, .. }) in schemes.iter().enumerate() {
            given.push(match self.by_scheme.remove(&index) {
                Some((given, variables)) => {
                    let mut description = given.describe(place);
                    if let Some(variables) = &variables {
                        description = format!("{description}, from {variables}");
                    }
                    let value = match given {
                        Given::Value(secret) => ValueSource::Fixed(
                            place
                                .encode(secret.expose_secret())
                                .map_err(|why| invalid(None, why))?,
                        ),
                        Given::Source(source) => {
                            ValueSource::Cached(Arc::new(cache(source, place)))
                        }
                        Given::Shared(Credential { value, .. }) => value,
                    };
                    Some(Credential { description, value })
                }
                None if place == Place::Certificate && has_certificate => {
                    let description = "a client certificate".to_owned();
                    Some(Credential { description, value: ValueSource::InTransport })
                }
                None => None,
            });
        }
        Ok(Credentials { schemes, given, allow_anonymous: self.allow_anonymous })
    }
}

impl Given {
    /// Returns a user and a password (RFC 7617), or why they are invalid.
    pub(super) fn basic(user: &str, password: &SecretString) -> Result<Self, &'static str> {
        if user.contains(':') {
            return Err("the user of basic authentication contains a colon");
        }
        Ok(Self::Value(format!("{user}:{}", password.expose_secret()).into()))
    }

    fn describe(&self, place: Place) -> String {
        match (self, place) {
            (Self::Source(source), _) => source.describe().into_owned(),
            (Self::Shared(credential), _) => credential.description.clone(),
            (Self::Value(_), Place::Bearer) => "a fixed bearer token".to_owned(),
            (Self::Value(_), Place::Basic) => "a user and a password".to_owned(),
            (Self::Value(_), place) => format!("a fixed {}", place.what()),
        }
    }
}

/// Returns the error of an invalid setting, with the environment variables that it was read from.
pub(super) fn invalid(variables: Option<&str>, why: impl Display) -> Error {
    Error::config(match variables {
        None => why.to_string(),
        Some(variables) => format!("{why} (from {variables})"),
    })
}
