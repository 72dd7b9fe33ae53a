//! The URLs of servers.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::Document;

/// Warns of variables in the URLs of servers that are not declared.
pub(super) fn undeclared_variables(document: &Document, diagnostics: &mut Diagnostics) {
    for server in document.root().list("servers") {
        let url = server.text("url").unwrap_or_default();
        let variables = url.split('{').skip(1).filter_map(|part| part.split_once('}'));
        for (variable, _) in variables {
            if !server.map("variables").any(|(declared, _)| declared == variable) {
                let place = Place::Value(server.pointer.join("url"));
                let message = format!("the variable `{variable}` of the server is not declared");
                diagnostics.warning("server-variable", place, message).help(format!(
                    "add `{variable}` with a `default` to the `variables` of the server"
                ));
            }
        }
    }
}
