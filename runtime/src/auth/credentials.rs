//! The credentials of a client, by the scheme that they are for.

use std::sync::Arc;

use http::HeaderValue;

use super::cache::TokenCache;
use super::scheme::{Alternatives, Place, Scheme};

/// The credentials of a scheme. Clones share their tokens.
#[derive(Clone)]
pub(crate) struct Credential {
    pub(crate) description: String,
    pub(crate) value: ValueSource,
}

/// Where the value of credentials comes from.
#[derive(Clone)]
pub(crate) enum ValueSource {
    /// It never changes.
    Fixed(HeaderValue),
    /// A source returns it when it is needed.
    Cached(Arc<TokenCache>),
    InTransport,
}

/// All credentials of a client.
#[derive(Default)]
pub(crate) struct Credentials {
    pub(crate) schemes: &'static [Scheme],
    /// One for each scheme.
    pub(crate) given: Vec<Option<Credential>>,
    /// Whether calls without credentials are sent.
    pub(crate) allow_anonymous: bool,
}

impl Credentials {
    pub(crate) fn get(&self, scheme: usize) -> Option<&Credential> {
        self.given.get(scheme)?.as_ref()
    }

    pub(crate) fn place(&self, scheme: usize) -> Option<Place> {
        self.schemes.get(scheme).map(|scheme| scheme.place)
    }

    /// Returns the source of the credentials of a scheme, if they can change.
    pub(crate) fn cache(&self, scheme: usize) -> Option<&TokenCache> {
        match &self.get(scheme)?.value {
            ValueSource::Cached(cache) => Some(cache),
            ValueSource::Fixed(_) | ValueSource::InTransport => None,
        }
    }

    /// Returns the secrets of the credentials, and of the tokens that were obtained last.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = String> {
        let given = self.schemes.iter().zip(&self.given);
        given.flat_map(|(scheme, given)| {
            let written = match given.as_ref().map(|given| &given.value) {
                Some(ValueSource::Fixed(written)) => Some(written.clone()),
                Some(ValueSource::Cached(cache)) => cache.token(),
                Some(ValueSource::InTransport) | None => None,
            };
            written.map(|written| scheme.place.secrets(&written)).unwrap_or_default()
        })
    }

    /// Describes the credentials, without secrets. `None` if there are none.
    pub(crate) fn describe(&self) -> Option<String> {
        let given = self.given.iter().flatten();
        let described: Vec<&str> = given.map(|given| given.description.as_str()).collect();
        (!described.is_empty()).then(|| described.join("; "))
    }

    /// Returns the largest set of schemes whose credentials are all available; the first of several that are equally
    /// large. `has` returns whether a call sets the credentials of a place itself.
    pub(crate) fn choose(
        &self,
        alternatives: Alternatives,
        has: impl Fn(Place) -> bool,
    ) -> Result<&'static [usize], String> {
        let is_given =
            |scheme: usize| self.get(scheme).is_some() || self.place(scheme).is_some_and(&has);
        let mut best: Option<&'static [usize]> = None;
        for set in alternatives {
            let is_larger = best.is_none_or(|best| set.len() > best.len());
            if is_larger && set.iter().all(|scheme| is_given(*scheme)) {
                best = Some(set);
            }
        }
        match best {
            Some(best) => Ok(best),
            None if alternatives.is_empty() || self.allow_anonymous => Ok(&[]),
            None => Err(self.missing(alternatives)),
        }
    }

    /// Describes the alternatives, and the credentials that are set.
    fn missing(&self, alternatives: Alternatives) -> String {
        let set = |set: &&[usize]| {
            let schemes = set.iter().filter_map(|scheme| self.schemes.get(*scheme));
            schemes.map(|scheme| format!("`{}`", scheme.method)).collect::<Vec<_>>().join(" and ")
        };
        let needed = alternatives.iter().map(set).collect::<Vec<_>>().join(", or ");
        let given: Vec<_> =
            (0..self.schemes.len()).filter(|scheme| self.get(*scheme).is_some()).collect();
        let given = match given.as_slice() {
            [] => "has none, and `allow_anonymous` sends calls without any".to_owned(),
            given => format!("has {}", set(&given)),
        };
        format!(
            "the operation needs credentials: call {needed} of the client's builder; it {given}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn scheme(method: &'static str) -> Scheme {
        Scheme {
            method,
            variable: "",
            place: Place::Header(method),
            client_credentials: None,
            scope: "",
        }
    }

    static SCHEMES: [Scheme; 3] = [scheme("a"), scheme("b"), scheme("c")];

    fn credentials(given: &[usize]) -> Credentials {
        let credential = |index: usize| {
            given.contains(&index).then(|| Credential {
                description: format!("key {index}"),
                value: ValueSource::Fixed(HeaderValue::from_static("k")),
            })
        };
        Credentials {
            schemes: &SCHEMES,
            given: (0..3).map(credential).collect(),
            allow_anonymous: false,
        }
    }

    #[test]
    fn the_largest_satisfied_set_is_chosen() {
        const SETS: Alternatives = &[&[], &[0], &[1], &[1, 2], &[0, 1]];
        for (given, chosen) in [
            (&[][..], &[][..]),
            (&[0], &[0]),
            (&[2], &[]),
            (&[1, 2], &[1, 2]),
            (&[0, 1], &[0, 1]),
            (&[0, 1, 2], &[1, 2]),
        ] {
            assert_eq!(credentials(given).choose(SETS, |_| false).unwrap(), chosen, "{given:?}");
        }
    }

    #[test]
    fn credentials_of_the_call_count() {
        let own = |place| place == Place::Header("b");
        assert_eq!(credentials(&[0]).choose(&[&[0], &[0, 1]], own).unwrap(), [0, 1]);
    }

    #[test]
    fn missing_credentials_are_named() {
        let choose = |given: &[usize], sets| credentials(given).choose(sets, |_| false);
        assert_eq!(
            choose(&[0, 2], &[&[0, 1], &[1]]).unwrap_err(),
            "the operation needs credentials: call `a` and `b`, or `b` of the client's builder; it has `a` and `c`"
        );
        assert!(choose(&[], &[&[0]]).unwrap_err().contains("it has none, and `allow_anonymous`"));
        assert!(choose(&[], &[]).unwrap().is_empty());
        let anonymous = Credentials { allow_anonymous: true, ..credentials(&[]) };
        assert!(anonymous.choose(&[&[0]], |_| false).unwrap().is_empty());
    }
}
