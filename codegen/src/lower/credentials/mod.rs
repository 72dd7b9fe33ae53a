//! Credentials: from the security schemes and requirements of a document.

mod flows;
mod naming;
mod requirements;
mod urls;

use self::naming::Names;
use super::{Context, docs};
use crate::document::{Kind, Pointer, View, is_token};
use crate::ir::{ClientCredentials, CredentialScheme, Credentials, Resource, SentAs};

pub use requirements::own as requirement;

/// Lowers the security schemes that operations need, and simplifies the requirements of these.
pub fn credentials(context: &Context<'_>, resources: &mut [Resource]) -> Credentials {
    let declared = schemes(context);
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
    let names = naming::names(&groups, context);
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
            let url = grant.text("tokenUrl").filter(|url| urls::is_usable(url));
            let usable = url.and_then(|url| Some((url.to_owned(), urls::variables([url])?)));
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
        docs: docs(described, None, group.iter().all(|declared| declared.view.deprecated())),
        pointer: first.map(|declared| declared.pointer.to_string()).unwrap_or_default(),
    }
}

/// A scheme of the document that clients can send.
pub struct Declared<'c, 'd> {
    pub key: &'c str,
    /// Where the key is; the scheme itself can be elsewhere.
    pub pointer: Pointer,
    pub view: View<'d>,
    pub place: SentAs,
}

/// Returns the schemes, one for each key; `None` if clients cannot send it.
fn schemes<'c, 'd>(context: &'c Context<'d>) -> Vec<Option<Declared<'c, 'd>>> {
    let components = context.document.root().child("components");
    let written = components.and_then(|components| components.child("securitySchemes"));
    let declared = context.security_keys.iter().map(|key| {
        let written = written.as_ref()?.child(key)?;
        let pointer = written.pointer.clone();
        let view = context.item(&written, Kind::SecurityScheme)?;
        Some(Declared { key, pointer, place: place(&view)?, view })
    });
    declared.collect()
}

fn place(view: &View<'_>) -> Option<SentAs> {
    let text = |key| view.text(key).unwrap_or_default().to_owned();
    let scheme = text("scheme");
    Some(match view.text("type")? {
        "oauth2" | "openIdConnect" => SentAs::Bearer,
        "http" if scheme.eq_ignore_ascii_case("bearer") => SentAs::Bearer,
        "http" if scheme.eq_ignore_ascii_case("basic") => SentAs::Basic,
        "http" if is_token(&scheme) => SentAs::Http(scheme),
        "apiKey" => match view.text("in")? {
            "header" if is_token(&text("name")) => SentAs::Header(text("name")),
            "query" => SentAs::Query(text("name")),
            "cookie" if is_token(&text("name")) => SentAs::Cookie(text("name")),
            _ => return None,
        },
        "mutualTLS" => SentAs::Certificate,
        _ => return None,
    })
}
