//! Security schemes.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Document, View};

/// Warns of requirements of schemes that are not declared.
pub(super) fn undeclared(document: &Document, diagnostics: &mut Diagnostics) {
    let declared: Vec<&str> = schemes(document).map(|(key, _)| key).collect();
    let root = document.root();
    let operations = document.operations().flat_map(|operation| operation.list("security"));
    for (name, view) in root.list("security").chain(operations).flat_map(View::members) {
        if declared.contains(&name) {
            continue;
        }
        let help = match diagnostics.spelling().closest(name, declared.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("add `{name}` to `components.securitySchemes`"),
        };
        let message = format!("the security scheme `{name}` is not declared");
        diagnostics.warning("undeclared-security", Place::Key(view.pointer), message).help(help);
    }
}

/// Warns of security schemes whose credentials the client does not send by itself.
pub(super) fn unsupported(document: &Document, diagnostics: &mut Diagnostics) {
    for (_, scheme) in schemes(document) {
        if let Some((what, help)) = unsupported_scheme(&scheme) {
            let (place, message) =
                (Place::Key(scheme.pointer), format!("{what} are not sent by the client itself"));
            diagnostics.warning("unsupported-security", place, message).help(help);
        }
    }
}

fn schemes(document: &Document) -> impl Iterator<Item = (&str, View<'_>)> {
    let components = document.root().child("components");
    components.into_iter().flat_map(|components| components.map("securitySchemes"))
}

/// Returns what credentials of a scheme are called, and how they can be sent all the same; `None` if the client sends them.
fn unsupported_scheme(scheme: &View<'_>) -> Option<(String, String)> {
    let text = |field| scheme.text(field).unwrap_or_default();
    match (text("type"), text("in")) {
        ("http", _) if text("scheme").eq_ignore_ascii_case("bearer") => None,
        ("http", _) if !text("scheme").is_empty() => Some((
            format!("credentials of the HTTP scheme `{}`", text("scheme")),
            "add the header `authorization` with an interceptor".to_owned(),
        )),
        ("apiKey", "header") => Some((
            "API keys".to_owned(),
            format!("send it with `ClientBuilder::default_header(\"{}\", …)`", text("name")),
        )),
        ("apiKey", location @ ("query" | "cookie")) => Some((
            "API keys".to_owned(),
            format!("add `{}` to the {location} with an interceptor", text("name")),
        )),
        ("mutualTLS", _) => Some((
            "client certificates".to_owned(),
            "give the client a transport that has one".to_owned(),
        )),
        _ => None,
    }
}
