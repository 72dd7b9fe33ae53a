//! Components that no operation uses.

use std::collections::HashSet;

use super::listed::listed;
use crate::diagnostics::{Diagnostics, Place};
use crate::document::references::targets;
use crate::document::{Document, Parts, Pointer, Schema};

/// The sections of `components` that operations refer to, each with what one of its components is.
const SECTIONS: [(&str, &str, &str); 6] = [
    ("schemas", "schema", "schemas"),
    ("responses", "response", "responses"),
    ("parameters", "parameter", "parameters"),
    ("requestBodies", "request body", "request bodies"),
    ("headers", "header", "headers"),
    ("pathItems", "path item", "path items"),
];

/// Warns of the components that no operation uses, once for each section; a document without operations is a library.
pub(super) fn components(document: &Document, diagnostics: &mut Diagnostics) {
    if document.operations().next().is_none() {
        return;
    }
    let used = used(document);
    for (section, one, many) in SECTIONS {
        let components = document.root().child("components");
        let components = components.into_iter().flat_map(|components| components.map(section));
        let unused: Vec<_> = components.filter(|(_, view)| !used.contains(&view.pointer)).collect();
        let Some((_, first)) = unused.first() else { continue };
        let what = if unused.len() == 1 { one } else { many };
        let keys: Vec<&str> = unused.iter().map(|(key, _)| *key).collect();
        let message = format!("no operation uses the {what} {}", listed(&keys));
        diagnostics
            .warning("unused-component", Place::key(&first.pointer), message)
            .help("remove what is not needed, or refer to it");
    }
}

/// Returns what operations and webhooks use, directly or by way of other parts.
fn used(document: &Document) -> HashSet<Pointer> {
    let parts = Parts::of(&document.tree);
    let webhooks = document.tree.root.get("webhooks").map(targets).unwrap_or_default();
    let mut used = parts.needed_by(webhooks);
    loop {
        let subtypes = subtypes(document, &used);
        if subtypes.is_empty() {
            return used;
        }
        used.extend(parts.needed_by(subtypes));
    }
}

/// Returns the unused schemas that extend a used one with a discriminator by `allOf`: the discriminator names them implicitly
/// (OpenAPI 3.1.1 §4.8.25.4).
fn subtypes(document: &Document, used: &HashSet<Pointer>) -> Vec<Pointer> {
    let is_base = |part: &Schema<'_>| {
        let base = part.reference().and_then(Pointer::from_reference);
        let base = base.filter(|base| used.contains(base)).and_then(|base| document.at(base));
        base.is_some_and(|base| base.child("discriminator").is_some())
    };
    let unused = document.schemas().map(|(_, schema)| schema);
    let unused = unused.filter(|schema| !used.contains(&schema.pointer));
    let found = unused.filter(|schema| schema.all_of().iter().any(is_base));
    found.map(|schema| schema.pointer.clone()).collect()
}
