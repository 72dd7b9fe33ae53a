//! The methods of the builder that set credentials.

use super::{Ty, features};
use crate::ir::{
    ClientCredentials, CredentialScheme, Credentials, Login, MethodName, Operation, SentAs,
    UrlVariable, sets_of_schemes,
};

/// A method of the builder that sets the credentials of a scheme.
#[derive(Clone, Debug)]
pub struct CredentialMethod<'a> {
    /// Its name.
    pub name: &'a MethodName,
    /// Its arguments.
    pub arguments: Vec<(&'a str, Ty)>,
    /// What the arguments are.
    pub given: Given<'a>,
    /// The JSON pointer to the scheme that has it.
    pub pointer: &'a str,
}

/// The arguments of a method.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// A token or a key.
    Value,
    /// A user and a password.
    Password,
    /// The client credentials of OAuth 2.0, with the token URL if the document has none.
    Client(&'a ClientCredentials),
    /// The identifier of a client at a provider where users log in.
    Login(&'a Login),
    /// A source of values.
    Source,
}

/// Returns an argument for each variable of a URL.
fn values(variables: &[UrlVariable]) -> impl Iterator<Item = (&str, Ty)> {
    variables.iter().map(|variable| (variable.name.as_str(), Ty::Into(Box::new(Ty::String))))
}

/// Returns the methods for a scheme. A certificate has none: it is a setting of the transport.
pub fn methods(scheme: &CredentialScheme) -> Vec<CredentialMethod<'_>> {
    let text = Ty::Into(Box::new(Ty::String));
    let secret = Ty::Into(Box::new(Ty::foreign("runtime::SecretString", [])));
    let own = |name, arguments, given| CredentialMethod {
        name,
        arguments,
        given,
        pointer: &scheme.pointer,
    };
    let fixed = match scheme.place {
        SentAs::Certificate => return Vec::new(),
        SentAs::Basic => {
            let arguments = vec![("user", text.clone()), ("password", secret.clone())];
            own(&scheme.method, arguments, Given::Password)
        }
        _ => own(&scheme.method, vec![("value", secret.clone())], Given::Value),
    };
    let client = scheme.client_credentials.as_ref().map(|grant| {
        let url = grant.token_url.is_none().then(|| ("token_url", text.clone()));
        let arguments = url
            .into_iter()
            .chain(values(&grant.variables))
            .chain([("client_id", text.clone()), ("secret", secret.clone())]);
        CredentialMethod {
            name: &grant.method,
            arguments: arguments.collect(),
            given: Given::Client(grant),
            pointer: &grant.pointer,
        }
    });
    let login = scheme.login.as_ref().map(|login| CredentialMethod {
        name: &login.method,
        arguments: values(&login.variables).chain([("client_id", text.clone())]).collect(),
        given: Given::Login(login),
        pointer: &login.pointer,
    });
    let source = own(&scheme.source, vec![("source", Ty::TokenSource)], Given::Source);
    [fixed].into_iter().chain(client).chain([source]).chain(login).collect()
}

impl CredentialMethod<'_> {
    /// Returns the type of the result.
    pub fn output(&self) -> Ty {
        match self.given {
            Given::Login(_) => {
                Ty::foreign("Result", [Ty::foreign("runtime::Login", []), Ty::foreign("Error", [])])
            }
            _ => Ty::Itself,
        }
    }

    /// Returns the cargo feature that it requires.
    pub fn feature(&self) -> Option<&'static str> {
        matches!(self.given, Given::Login(_)).then_some(features::LOGIN)
    }
}

/// Returns the credentials that an operation needs: sets of methods of the builder; none without schemes.
pub fn needed(operation: &Operation, credentials: &Credentials) -> Vec<Vec<String>> {
    if !credentials.are_declared() {
        return Vec::new();
    }
    let sets = sets_of_schemes(operation.needed(credentials)).into_iter().map(|set| {
        let schemes = set.iter().filter_map(|scheme| credentials.schemes.get(*scheme));
        schemes.map(|scheme| scheme.method.bare().to_owned()).collect()
    });
    sets.collect()
}
