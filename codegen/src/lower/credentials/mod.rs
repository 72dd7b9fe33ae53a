//! Credentials: from the security schemes and requirements of a document.

mod naming;
mod requirements;

use self::naming::Names;
use super::{Context, docs, references};
use crate::diagnostics::Diagnostics;
use crate::document::{Document, Kind, Pointer, View, is_token};
use crate::ir::{ClientCredentials, CredentialScheme, Credentials, Docs, Place, Resource};

pub use requirements::own as requirement;

/// A scheme of the document that clients can send.
struct Declared<'d> {
    key: &'d str,
    /// Where the key is; the scheme itself can be elsewhere.
    pointer: Pointer,
    view: View<'d>,
    place: Place,
}

/// Returns the keys of the security schemes of a document, sorted.
pub fn keys(document: &Document) -> Vec<String> {
    let mut keys: Vec<_> = written(document).map(|(key, _)| key.to_owned()).collect();
    keys.sort_unstable();
    keys
}

fn written(document: &Document) -> impl Iterator<Item = (&str, View<'_>)> {
    let components = document.root().child("components");
    components.into_iter().flat_map(|components| components.map("securitySchemes"))
}

/// Lowers the security schemes that operations need, and simplifies the requirements of these.
pub fn credentials(
    context: &Context<'_>,
    resources: &mut [Resource],
    diagnostics: &mut Diagnostics,
) -> Credentials {
    if context.security_keys.is_empty() {
        return undeclared();
    }
    let declared = declared(context, diagnostics);
    let operations = || resources.iter().flat_map(|resource| &resource.operations);
    let mut default = match requirement(&context.document.root(), &context.security_keys) {
        Some(default) => default,
        None if operations().any(|operation| operation.credentials.is_some()) => Vec::new(),
        // The document does not say what needs credentials: they are sent if there are any.
        None => (0..declared.len()).map(|index| vec![index]).chain([Vec::new()]).collect(),
    };
    let operations = resources.iter_mut().flat_map(|resource| &mut resource.operations);
    let mut all: Vec<_> =
        operations.filter_map(|operation| operation.credentials.as_mut()).collect();
    all.push(&mut default);
    let groups = requirements::simplify(&mut all, &declared, diagnostics);
    for operation in resources.iter_mut().flat_map(|resource| &mut resource.operations) {
        operation.credentials.take_if(|own| *own == default);
    }
    let names = naming::names(&groups, context, diagnostics);
    let schemes = groups.iter().zip(names).map(|(group, names)| scheme(group, names));
    Credentials { schemes: schemes.collect(), default }
}

/// Returns the schemes, one for each key; `None` if clients cannot send it.
fn declared<'d>(context: &Context<'d>, diagnostics: &mut Diagnostics) -> Vec<Option<Declared<'d>>> {
    let mut written: Vec<_> = written(context.document).collect();
    written.sort_unstable_by_key(|(key, _)| *key);
    let declared = written.into_iter().map(|(key, written)| {
        let pointer = written.pointer.clone();
        let kind = Kind::SecurityScheme;
        let view = references::item(context.document, &written, kind, diagnostics)?;
        Some(Declared { key, pointer, place: place(&view)?, view })
    });
    declared.collect()
}

fn place(view: &View<'_>) -> Option<Place> {
    let text = |key| view.text(key).unwrap_or_default().to_owned();
    let scheme = text("scheme");
    Some(match view.text("type")? {
        "oauth2" | "openIdConnect" => Place::Bearer,
        "http" if scheme.eq_ignore_ascii_case("bearer") => Place::Bearer,
        "http" if scheme.eq_ignore_ascii_case("basic") => Place::Basic,
        "http" if is_token(&scheme) => Place::Http(scheme),
        "apiKey" => match view.text("in")? {
            "header" if is_token(&text("name")) => Place::Header(text("name")),
            "query" => Place::Query(text("name")),
            "cookie" if is_token(&text("name")) => Place::Cookie(text("name")),
            _ => return None,
        },
        "mutualTLS" => Place::Certificate,
        _ => return None,
    })
}

/// Returns the credentials of an API that declares none: a token, which is sent if there is one.
fn undeclared() -> Credentials {
    let names = Names::of_tokens();
    let token = CredentialScheme {
        method: names.method,
        source: names.source,
        client_credentials: Some(ClientCredentials {
            method: names.client_credentials,
            token_url: None,
        }),
        variable: names.variable,
        place: Place::Bearer,
        docs: Docs::default(),
        pointer: String::new(),
    };
    Credentials { schemes: vec![token], default: vec![vec![0], Vec::new()] }
}

fn scheme(group: &[&Declared<'_>], names: Names) -> CredentialScheme {
    let described = group.iter().find_map(|declared| declared.view.description());
    let mut flows = group.iter().filter_map(|declared| declared.view.child("flows"));
    let grant = flows.find_map(|flows| flows.child("clientCredentials"));
    let first = group.first();
    CredentialScheme {
        client_credentials: grant.map(|grant| ClientCredentials {
            method: names.client_credentials,
            token_url: grant.text("tokenUrl").filter(|url| is_usable(url)).map(str::to_owned),
        }),
        method: names.method,
        source: names.source,
        variable: names.variable,
        place: first.map_or(Place::Bearer, |declared| declared.place.clone()),
        docs: docs(described, None, group.iter().all(|declared| declared.view.deprecated())),
        pointer: first.map(|declared| declared.pointer.to_string()).unwrap_or_default(),
    }
}

/// Returns whether a token URL is not left to the user: neither a template, nor a placeholder in a domain that never exists
/// (RFC 6761, section 6.4).
fn is_usable(url: &str) -> bool {
    let behind = url.split_once("://").map_or("", |(_, behind)| behind);
    let host = behind.split(['/', '?', '#', ':']).next().unwrap_or_default();
    !url.is_empty() && !url.contains('{') && !host.ends_with(".invalid")
}
