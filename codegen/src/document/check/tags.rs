//! The tags of operations.

use std::collections::HashSet;

use super::listed::listed;
use crate::diagnostics::{Diagnostics, Place};
use crate::document::Document;

/// Warns of tags that are not declared, in a document that declares others: of each that is probably misspelled, and of
/// all others at once.
pub(super) fn undeclared(document: &Document, diagnostics: &mut Diagnostics) {
    let root = document.root();
    let declared: HashSet<&str> = root.list("tags").filter_map(|tag| tag.text("name")).collect();
    if declared.is_empty() {
        return;
    }
    let mut met = HashSet::new();
    let (mut others, mut first) = (Vec::new(), None);
    for operation in document.operations() {
        for view in operation.list("tags") {
            let Some(tag) = view.node.as_str().filter(|tag| !declared.contains(tag)) else {
                continue;
            };
            let place = Place::Value(view.pointer);
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
