//! The URLs of servers.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::Node;
use crate::source_map::Pointer;

/// Warns of variables in the URLs of servers that are not declared.
pub(super) fn undeclared_variables(root: &Node, diagnostics: &mut Diagnostics) {
    let servers = root.get("servers").and_then(Node::as_array).unwrap_or_default();
    for (index, server) in servers.iter().enumerate() {
        let url = server.get("url").and_then(Node::as_str).unwrap_or_default();
        for part in url.split('{').skip(1) {
            let Some((variable, _)) = part.split_once('}') else {
                continue;
            };
            if server.get("variables").is_none_or(|declared| declared.get(variable).is_none()) {
                let pointer = Pointer::root().join("servers").join_index(index).join("url");
                let message = format!("the variable `{variable}` of the server is not declared");
                diagnostics.warning("server-variable", Place::Value(pointer), message).help(
                    format!("add `{variable}` with a `default` to the `variables` of the server"),
                );
            }
        }
    }
}
