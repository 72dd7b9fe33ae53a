//! Security schemes.

use super::select::operations;
use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Node, Tree};
use crate::source_map::Pointer;

/// Warns of requirements of schemes that are not declared.
pub(super) fn undeclared(tree: &Tree, diagnostics: &mut Diagnostics) {
    let schemes = || tree.root.members(&["components", "securitySchemes"]).map(|(key, _)| key);
    let document = std::iter::once((&tree.root, Pointer::root()));
    for (node, pointer) in document.chain(operations(tree)) {
        let requirements = node.get("security").and_then(Node::as_array).unwrap_or_default();
        for (index, requirement) in requirements.iter().enumerate() {
            for (name, _) in requirement.members(&[]) {
                if schemes().any(|declared| declared == name) {
                    continue;
                }
                let place = pointer.join("security").join_index(index).join(name);
                let help = match diagnostics.spelling().closest(name, schemes()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("add `{name}` to `components.securitySchemes`"),
                };
                let message = format!("the security scheme `{name}` is not declared");
                diagnostics.warning("undeclared-security", Place::Key(place), message).help(help);
            }
        }
    }
}

/// Warns of security schemes whose credentials the client does not send by itself.
pub(super) fn unsupported(root: &Node, diagnostics: &mut Diagnostics) {
    for (key, scheme) in root.members(&["components", "securitySchemes"]) {
        if let Some((what, help)) = unsupported_scheme(scheme) {
            let pointer = Pointer::root().join("components").join("securitySchemes").join(key);
            let message = format!("{what} are not sent by the client itself");
            diagnostics.warning("unsupported-security", Place::Key(pointer), message).help(help);
        }
    }
}

/// Returns what credentials of a scheme are called, and how they can be sent all the same; `None` if the client sends them.
fn unsupported_scheme(scheme: &Node) -> Option<(String, String)> {
    let text = |field| scheme.get(field).and_then(Node::as_str).unwrap_or_default();
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
