//! Credentials: from the security schemes and requirements of a document.

mod declared;
mod flows;
mod requirements;

use std::collections::HashMap;

use self::declared::Declared;
use super::{Context, docs};
use crate::ir::{ClientCredentials, CredentialScheme, Credentials, MethodName, Resource, SentAs};
use crate::names::{self, NameRequest, Priority};

pub use requirements::own as requirement;

/// Lowers the security schemes that operations need, and simplifies the requirements of these.
pub fn credentials(context: &Context<'_>, resources: &mut [Resource]) -> Credentials {
    let declared = declared::schemes(context);
    let operations = || resources.iter().flat_map(|resource| &resource.operations);
    let mut default = match requirement(&context.document.root(), &context.security_keys) {
        Some(default) => default,
        None if operations().any(|operation| operation.credentials.is_some()) => Vec::new(),
        // The document does not declare which operations need credentials: what the client has is sent.
        None => requirements::of_any(&declared),
    };
    let operations = resources.iter_mut().flat_map(|resource| &mut resource.operations);
    let mut all: Vec<_> =
        operations.filter_map(|operation| operation.credentials.as_mut()).collect();
    all.push(&mut default);
    let groups = requirements::simplify(&mut all, &declared, context);
    for operation in resources.iter_mut().flat_map(|resource| &mut resource.operations) {
        operation.credentials.take_if(|own| *own == default);
    }
    let names = names(&groups, context);
    let scopes = flows::scopes(&groups, context);
    let operations = resources.iter().flat_map(|resource| &resource.operations);
    let needed: Vec<_> =
        operations.map(|operation| operation.credentials.as_ref().unwrap_or(&default)).collect();
    let schemes =
        groups.iter().zip(names).enumerate().map(|(index, (group, names))| {
            scheme(group, names, flows::needed_by_all(index, &needed))
        });
    Credentials { schemes: schemes.collect(), default, scopes }
}

fn scheme(group: &[&Declared<'_, '_>], names: Names, scopes: Vec<String>) -> CredentialScheme {
    let described = group.iter().find_map(|declared| declared.view.description());
    let first = group.first();
    CredentialScheme {
        client_credentials: flows::flow(group, "clientCredentials").map(|(pointer, grant)| {
            let url = grant.text("tokenUrl").filter(|url| flows::is_usable(url));
            let usable = url.and_then(|url| Some((url.to_owned(), flows::variables([url])?)));
            let (token_url, variables) = usable.unzip();
            ClientCredentials {
                method: names.client_credentials,
                token_url,
                variables: variables.unwrap_or_default(),
                scopes,
                pointer: pointer.to_string(),
            }
        }),
        login: flows::login(group, names.login),
        method: names.method,
        source: names.source,
        variable: names.variable,
        place: first.map_or(SentAs::Bearer, |declared| declared.place.clone()),
        docs: docs(described, None, group.iter().all(|declared| declared.view.flag("deprecated"))),
        pointer: first.map(|declared| declared.pointer.to_string()).unwrap_or_default(),
    }
}

pub struct Names {
    pub method: MethodName,
    pub source: MethodName,
    pub client_credentials: MethodName,
    pub login: MethodName,
    pub variable: String,
}

/// Names the schemes: by their kinds, or by their keys where several are of a kind.
fn names(groups: &[Vec<&Declared<'_, '_>>], context: &Context<'_>) -> Vec<Names> {
    let kinds: Vec<String> = groups.iter().map(|group| kind(group)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for kind in &kinds {
        *counts.entry(kind).or_default() += 1;
    }
    let requests = groups.iter().zip(&kinds).filter_map(|(group, kind)| {
        let first = group.first()?;
        let by_key = NameRequest::new(first.key, &first.pointer);
        let request = match counts.get(kind.as_str()) {
            Some(1) => NameRequest {
                priority: Priority::Pinned,
                candidates: vec![kind.as_str().into(), first.key.into()],
                ..by_key
            },
            _ => by_key,
        };
        Some(request.pinned(context.pin(&first.view)))
    });
    let what = |name: &MethodName| format!("the method `ClientBuilder::{name}`");
    let methods = context.assign(requests, |_, raw| names::credential(raw), what);
    let named = methods.iter().zip(groups);
    named.map(|(method, group)| derive(method.clone(), group, &methods)).collect()
}

fn kind(group: &[&Declared<'_, '_>]) -> String {
    match group.first().map(|declared| &declared.place) {
        None | Some(SentAs::Bearer) => TOKEN.to_owned(),
        Some(SentAs::Basic) => BASIC.to_owned(),
        Some(SentAs::Http(scheme)) => scheme.clone(),
        Some(SentAs::Header(_) | SentAs::Query(_) | SentAs::Cookie(_)) => "api_key".to_owned(),
        Some(SentAs::Certificate) => "certificate".to_owned(),
    }
}

/// The method that takes a token, in an API that has tokens of one kind.
const TOKEN: &str = "bearer_token";

/// The method that takes a user and a password, in an API that needs one pair.
const BASIC: &str = "basic";

/// Derives the names of a scheme from the name of its method, one of `all`.
fn derive(method: MethodName, group: &[&Declared<'_, '_>], all: &[MethodName]) -> Names {
    let place = group.first().map(|declared| &declared.place);
    let has_tokens = place == Some(&SentAs::Bearer) && method.as_str() == TOKEN;
    // A name that others have ends with `_`.
    let words = method.bare().trim_end_matches('_');
    // The key is the word itself, which no other scheme derives.
    let is_free = |stem: &str| {
        stem.is_empty() && words != method.bare() && all.iter().all(|other| other.as_str() != TOKEN)
    };
    let derived = |word: &str, of_tokens: &str| match words.strip_suffix(word) {
        _ if has_tokens => MethodName::new(of_tokens.to_owned()),
        Some(stem) if is_free(stem) => MethodName::new(words.to_owned()),
        _ => MethodName::new(format!("{words}_{word}")),
    };
    let is_only = has_tokens || place == Some(&SentAs::Basic) && method.as_str() == BASIC;
    Names {
        source: derived("source", "token_source"),
        client_credentials: derived("client_credentials", "client_credentials"),
        login: derived("login", "login"),
        variable: if is_only { String::new() } else { method.bare().to_uppercase() },
        method: match place {
            // A setting of every builder.
            Some(SentAs::Certificate) => MethodName::new("identity".to_owned()),
            _ => method,
        },
    }
}
