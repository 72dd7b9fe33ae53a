//! The tags of operations.

use std::collections::HashSet;

use super::listed::listed;
use super::select::operations;
use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Node, Tree};

/// Warns of tags that are not declared, in a document that declares others: of each that is probably misspelled, and of
/// all others at once.
pub(super) fn undeclared(tree: &Tree, diagnostics: &mut Diagnostics) {
    let list = tree.root.get("tags").and_then(Node::as_array).unwrap_or_default();
    let declared: HashSet<&str> =
        list.iter().filter_map(|tag| tag.get("name").and_then(Node::as_str)).collect();
    if declared.is_empty() {
        return;
    }
    let mut met = HashSet::new();
    let (mut others, mut first) = (Vec::new(), None);
    for (operation, pointer) in operations(tree) {
        let tags = operation.get("tags").and_then(Node::as_array).unwrap_or_default();
        for (index, tag) in tags.iter().enumerate() {
            let Some(tag) = tag.as_str().filter(|tag| !declared.contains(tag)) else {
                continue;
            };
            let place = Place::Value(pointer.join("tags").join_index(index));
            if let Some(meant) = diagnostics.spelling().closest(tag, declared.iter().copied()) {
                let message = format!("the tag `{tag}` is not declared");
                diagnostics
                    .warning("undeclared-tag", place, message)
                    .help(format!("did you mean `{meant}`?"));
            } else if met.insert(tag) {
                others.push(tag);
                first.get_or_insert(place);
            }
        }
    }
    if let Some(place) = first {
        let tags = if others.len() == 1 { "tag" } else { "tags" };
        let are = if others.len() == 1 { "is" } else { "are" };
        let message = format!("the {tags} {} {are} not declared", listed(&others));
        diagnostics
            .warning("undeclared-tag", place, message)
            .help("add them to the `tags` of the document, with a description");
    }
}
