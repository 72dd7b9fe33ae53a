//! Security schemes.

use super::members;
use crate::diagnostics::{Diagnostics, Place};
use crate::document::Node;
use crate::source_map::Pointer;

/// Warns of security schemes whose credentials the client does not send by itself.
pub(super) fn unsupported(root: &Node, diagnostics: &mut Diagnostics) {
    for (key, scheme) in members(root, &["components", "securitySchemes"]) {
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
