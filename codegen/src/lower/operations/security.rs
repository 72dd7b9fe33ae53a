//! The credentials that an operation accepts.

use crate::document::{Document, Kind, View};
use crate::ir::{Credential, Scheme, Security};
use crate::source_map::Pointer;

/// Reads the requirements of an operation, or those of the document, which it overrides.
pub fn security(operation: &View<'_>, document: &Document) -> Security {
    let root = document.root();
    let Some(of) = [operation, &root].into_iter().find(|view| view.child(SECURITY).is_some())
    else {
        return Security { alternatives: Vec::new(), pointer: operation.pointer.to_string() };
    };
    let mut alternatives: Vec<Vec<Credential>> =
        of.list(SECURITY).map(|requirement| credentials(&requirement, document)).collect();
    alternatives.sort();
    alternatives.dedup();
    Security { alternatives, pointer: of.pointer.join(SECURITY).to_string() }
}

const SECURITY: &str = "security";

/// Reads a requirement: the names of schemes, with the scopes of each.
fn credentials(requirement: &View<'_>, document: &Document) -> Vec<Credential> {
    let mut credentials = Vec::new();
    for (name, _) in requirement.clone().members() {
        let mut scopes: Vec<String> = requirement.texts(name).map(str::to_owned).collect();
        scopes.sort();
        credentials.push(Credential { scheme: scheme(name, document), scopes });
    }
    credentials.sort();
    credentials
}

/// Reads a scheme; one that is not defined is known by its name.
fn scheme(name: &str, document: &Document) -> Scheme {
    let pointer = Pointer::root().join("components").join("securitySchemes").join(name);
    let defined = document.item(Kind::SecurityScheme, pointer);
    let Some(view) = defined else { return Scheme::Other(name.to_owned()) };
    let text = |key| view.text(key).unwrap_or_default().to_owned();
    match view.text("type") {
        Some("http") => Scheme::Http(text("scheme").to_lowercase()),
        Some("apiKey") => Scheme::ApiKey { location: text("in"), name: text("name") },
        Some("oauth2") => {
            let flows = view.map("flows");
            let mut urls: Vec<String> =
                flows.filter_map(|(_, flow)| flow.text("tokenUrl").map(str::to_owned)).collect();
            urls.sort();
            urls.dedup();
            Scheme::OAuth2(urls)
        }
        Some("openIdConnect") => Scheme::OpenIdConnect(text("openIdConnectUrl")),
        Some(other) => Scheme::Other(other.to_owned()),
        None => Scheme::Other(name.to_owned()),
    }
}
