//! Credentials: the schemes that clients can be given, and the sets of them that operations need.

use super::{Docs, FieldName, MethodName};

/// Sets of credentials, one of which is needed. An empty set needs no credentials. Without a set, none are sent.
pub type Alternatives = Vec<Vec<Requirement>>;

/// Credentials that a set needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Requirement {
    /// The index of the scheme in [`Credentials::schemes`].
    pub scheme: usize,
    /// The scopes that an access token must have, sorted.
    pub scopes: Vec<String>,
}

/// The credentials of an API.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    /// The schemes that operations need, sorted by key.
    pub schemes: Vec<CredentialScheme>,
    /// The credentials of operations that declare none of their own.
    pub default: Alternatives,
    /// The scopes of OAuth 2.0, sorted.
    pub scopes: Vec<Scope>,
}

/// A security scheme, or several that can replace each other wherever one is needed.
#[derive(Clone, Debug)]
pub struct CredentialScheme {
    /// The method of the builder that takes a fixed value.
    pub method: MethodName,
    /// The method of the builder that takes a source of values.
    pub source: MethodName,
    /// The client credentials grant, if the scheme has it.
    pub client_credentials: Option<ClientCredentials>,
    /// The provider where users log in, if the scheme has one.
    pub login: Option<Login>,
    /// The environment variable, or the prefix of several; empty if they have no more than the API's prefix.
    pub variable: String,
    /// Where the credentials are sent.
    pub place: SentAs,
    /// The documentation of the scheme.
    pub docs: Docs,
    /// The JSON pointer to the scheme.
    pub pointer: String,
}

/// The client credentials grant of OAuth 2.0.
#[derive(Clone, Debug)]
pub struct ClientCredentials {
    /// The method of the builder.
    pub method: MethodName,
    /// The token URL, unless the document leaves it to the user.
    pub token_url: Option<String>,
    /// The variables of the token URL.
    pub variables: Vec<UrlVariable>,
    /// The scopes that every operation needs, sorted.
    pub scopes: Vec<String>,
    /// The JSON pointer to the scheme that has the grant.
    pub pointer: String,
}

/// The provider of a scheme where users log in: an authorization code or device flow, or OpenID Connect.
#[derive(Clone, Debug)]
pub struct Login {
    /// The method of the builder.
    pub method: MethodName,
    /// Where users log in.
    pub authorization_url: Option<String>,
    pub token_url: Option<String>,
    /// Where a login on another device begins.
    pub device_url: Option<String>,
    /// Where the metadata of OpenID Connect is.
    pub discovery_url: Option<String>,
    /// The variables of these URLs.
    pub variables: Vec<UrlVariable>,
    /// The JSON pointer to the scheme that has the provider.
    pub pointer: String,
}

/// A variable of a URL, such as `{tenant}`, whose value the user gives.
#[derive(Clone, Debug)]
pub struct UrlVariable {
    /// The name of the argument.
    pub name: FieldName,
    /// The name in the URL.
    pub wire: String,
}

/// A scope of OAuth 2.0.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The name of its constant.
    pub name: String,
    /// The scope.
    pub value: String,
    /// The documentation.
    pub docs: Docs,
    /// The JSON pointer to the scope.
    pub pointer: String,
}

/// Where credentials are sent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SentAs {
    /// An access token, in `Authorization: Bearer`.
    Bearer,
    /// A user and a password, in `Authorization: Basic`.
    Basic,
    /// Credentials of another HTTP scheme, in `Authorization`.
    Http(String),
    /// A key in a header.
    Header(String),
    /// A key in the query.
    Query(String),
    /// A key in a cookie.
    Cookie(String),
    /// A certificate, which the transport has.
    Certificate,
}

impl ClientCredentials {
    /// Returns the token URL, if the document does not leave any of it to the user.
    pub fn complete_url(&self) -> Option<&str> {
        self.token_url.as_deref().filter(|_| self.variables.is_empty())
    }
}

impl Credentials {
    /// Returns whether the document declares schemes.
    pub fn are_declared(&self) -> bool {
        !self.schemes.is_empty()
    }

    pub fn scheme(&self, requirement: &Requirement) -> Option<&CredentialScheme> {
        self.schemes.get(requirement.scheme)
    }
}

/// Returns the sets of schemes of alternatives, each once, regardless of their scopes.
pub fn sets_of_schemes(alternatives: &Alternatives) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = Vec::with_capacity(alternatives.len());
    for set in alternatives {
        let schemes: Vec<usize> = set.iter().map(|requirement| requirement.scheme).collect();
        if !sets.contains(&schemes) {
            sets.push(schemes);
        }
    }
    sets
}
