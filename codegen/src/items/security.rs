//! The credentials that an operation accepts, as the server sees them.

use std::fmt;

use crate::ir::{Credentials, Operation, Requirement, SentAs};

/// The credentials that an operation accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Security {
    /// The alternatives, sorted: each is a set of credentials that are sent together.
    pub alternatives: Vec<Vec<RequiredCredential>>,
    /// The JSON pointer to the requirements.
    pub pointer: String,
}

/// A credential.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequiredCredential {
    /// Where it is sent.
    pub place: SentAs,
    /// The scopes that it must have, sorted.
    pub scopes: Vec<String>,
}

impl Security {
    /// The JSON pointer to the requirements of the document.
    pub const OF_DOCUMENT: &str = "/security";

    /// Returns the credentials that an operation accepts.
    pub(super) fn new(operation: &Operation, credentials: &Credentials) -> Self {
        let owner = if operation.credentials.is_some() { operation.pointer.as_str() } else { "" };
        let pointer = format!("{owner}/security");
        if !credentials.are_declared() {
            return Self { alternatives: Vec::new(), pointer };
        }
        let credential = |requirement: &Requirement| {
            let place = credentials.scheme(requirement)?.place.clone();
            Some(RequiredCredential { place, scopes: requirement.scopes.clone() })
        };
        let sets = operation.needed(credentials).iter().map(|set| {
            let mut set: Vec<_> = set.iter().filter_map(credential).collect();
            set.sort();
            set
        });
        let mut alternatives: Vec<_> = sets.collect();
        alternatives.sort();
        alternatives.dedup();
        Self { alternatives, pointer }
    }

    /// Returns the accepted sets: the empty one if none is declared.
    pub(crate) fn accepted(&self) -> Vec<Vec<RequiredCredential>> {
        if self.alternatives.is_empty() { vec![Vec::new()] } else { self.alternatives.clone() }
    }
}

impl fmt::Display for Security {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, credentials) in self.accepted().iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", or " })?;
            if credentials.is_empty() {
                f.write_str("no credentials")?;
            }
            for (index, credential) in credentials.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { " with " })?;
                write!(f, "{credential}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for RequiredCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            SentAs::Bearer => f.write_str("a bearer token"),
            SentAs::Basic => f.write_str("a user and a password"),
            SentAs::Http(scheme) => write!(f, "HTTP {scheme} credentials"),
            SentAs::Header(name) => write!(f, "an API key in the header `{name}`"),
            SentAs::Query(name) => write!(f, "an API key in the query `{name}`"),
            SentAs::Cookie(name) => write!(f, "an API key in the cookie `{name}`"),
            SentAs::Certificate => f.write_str("a client certificate"),
        }?;
        match self.scopes.as_slice() {
            [] => Ok(()),
            scopes => write!(f, " for {}", scopes.join(", ")),
        }
    }
}
