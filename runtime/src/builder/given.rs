//! Credentials that a builder was given.

use std::collections::BTreeMap;

use http::HeaderMap;
use secrecy::{ExposeSecret, SecretString};

use crate::auth::cache::TokenCache;
use crate::auth::credentials::{Credential, Credentials, ValueSource};
use crate::auth::scheme::{Place, Scheme};
use crate::auth::source::{TokenSetup, TokenSource};
use crate::auth::token::TokenError;
use crate::client::Service;
use crate::error::Error;

/// Credentials that a builder was given.
#[derive(Default)]
pub(super) struct GivenCredentials {
    /// By scheme, each with the environment variable that it was read from.
    pub(super) by_scheme: BTreeMap<usize, (Given, Option<String>)>,
    pub(super) allow_anonymous: bool,
    /// The environment variables that have none, of a client that the environment configures.
    pub(super) variables: Option<String>,
}

/// The credentials of a scheme.
pub(super) enum Given {
    /// A fixed value.
    Value(SecretString),
    /// A source of values that may change.
    Source(Box<dyn TokenSource>),
}

impl GivenCredentials {
    pub(super) fn is_empty(&self) -> bool {
        self.by_scheme.is_empty()
    }

    /// Returns whether a source sends requests to https URLs.
    pub(super) fn use_https(&self) -> bool {
        self.by_scheme.values().any(|(given, _)| match given {
            Given::Value(_) => false,
            Given::Source(source) => source.uses_https(),
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

    /// Checks the credentials, and prepares the sources.
    pub(super) fn prepare(
        &mut self,
        schemes: &[Scheme],
        setup: TokenSetup<'_>,
    ) -> Result<(), Error> {
        if !self.is_empty() && !setup.base_url.is_private(setup.allow_http) {
            return Err(Error::config(
                "the base URL is http, which would send the credentials unencrypted; \
                 use https, or `allow_http()`",
            ));
        }
        for (index, (given, _)) in &mut self.by_scheme {
            let Some(scheme) = schemes.get(*index) else {
                return Err(Error::config("the API does not declare such credentials"));
            };
            match given {
                Given::Source(source) => source
                    .prepare(setup)
                    .map_err(|error| Error::config(error.to_string()).with_source(error))?,
                Given::Value(secret) => check(secret, scheme.place).map_err(invalid)?,
            }
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
        cache: impl Fn(Box<dyn TokenSource>, Place) -> TokenCache,
    ) -> Result<Credentials, Error> {
        let mut given = Vec::with_capacity(schemes.len());
        for (index, &Scheme { place, .. }) in schemes.iter().enumerate() {
            given.push(match self.by_scheme.remove(&index) {
                Some((given, variable)) => {
                    let mut description = given.describe(place);
                    if let Some(variable) = variable {
                        description = format!("{description}, from {variable}");
                    }
                    let value = match given {
                        Given::Value(secret) => ValueSource::Fixed(
                            place.encode(secret.expose_secret()).map_err(invalid)?,
                        ),
                        Given::Source(source) => {
                            ValueSource::Cached(Box::new(cache(source, place)))
                        }
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
    fn describe(&self, place: Place) -> String {
        match (self, place) {
            (Self::Source(source), _) => source.describe().into_owned(),
            (Self::Value(_), Place::Bearer) => "a fixed bearer token".to_owned(),
            (Self::Value(_), Place::Basic) => "a user and a password".to_owned(),
            (Self::Value(_), place) => format!("a fixed {}", place.what()),
        }
    }
}

/// Checks that a fixed value can be sent.
fn check(secret: &SecretString, place: Place) -> Result<(), TokenError> {
    let nothing = if place == Place::Basic { ":" } else { "" };
    if secret.expose_secret() == nothing {
        return Err(TokenError::new(format!("the {} is empty", place.what())));
    }
    place.encode(secret.expose_secret()).map(drop)
}

fn invalid(error: TokenError) -> Error {
    Error::config(error.to_string()).with_source(error)
}
