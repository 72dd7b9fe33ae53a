//! The credentials that operations accept.

use std::fmt;

/// The credentials that an operation accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Security {
    /// The alternatives, sorted: each is a set of credentials that are sent together.
    pub alternatives: Vec<Vec<Credential>>,
    /// The JSON pointer to the requirements.
    pub pointer: String,
}

/// A credential.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Credential {
    /// How it is sent.
    pub scheme: Scheme,
    /// The scopes that it must have, sorted.
    pub scopes: Vec<String>,
}

/// How a credential is sent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    /// In the header `Authorization`, by the HTTP scheme of this name.
    Http(String),
    /// As an API key.
    ApiKey {
        /// `header`, `query` or `cookie`.
        location: String,
        /// Its name there.
        name: String,
    },
    /// As an OAuth 2.0 access token from one of these token endpoints.
    OAuth2(Vec<String>),
    /// As a token of a provider with this discovery URL (`openIdConnect`).
    OpenIdConnect(String),
    /// As another type of scheme, such as `mutualTLS`.
    Other(String),
}

impl fmt::Display for Security {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.alternatives.is_empty() {
            return f.write_str("no credentials");
        }
        for (index, credentials) in self.alternatives.iter().enumerate() {
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

impl fmt::Display for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.scheme {
            Scheme::Http(name) if name.eq_ignore_ascii_case("bearer") => {
                f.write_str("a bearer token")
            }
            Scheme::Http(name) => write!(f, "HTTP {name} credentials"),
            Scheme::ApiKey { location, name } => write!(f, "an API key in the {location} `{name}`"),
            Scheme::OAuth2(urls) if urls.is_empty() => f.write_str("an OAuth 2.0 token"),
            Scheme::OAuth2(urls) => write!(f, "an OAuth 2.0 token of {}", urls.join(" or ")),
            Scheme::OpenIdConnect(url) => write!(f, "an OpenID Connect token of {url}"),
            Scheme::Other(name) => write!(f, "`{name}` credentials"),
        }?;
        match self.scopes.as_slice() {
            [] => Ok(()),
            scopes => write!(f, " for {}", scopes.join(", ")),
        }
    }
}
