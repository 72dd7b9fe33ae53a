//! Validates a tree against the grammar of OpenAPI. Every rule reports its problems and continues.

mod example;
mod grammar;
mod header;
mod media_type;
mod operation;
mod parameter;
mod root;
mod schema;
mod security;
mod server;
mod style;
#[cfg(test)]
mod tests;
mod validator;
mod walk;

use std::cell::OnceCell;
use std::collections::HashSet;

use super::references::{component_key, is_other_component};
use super::view::Document;
use super::{Node, Tree};
use crate::diagnostics::Diagnostics;
use crate::source_map::Pointer;
use validator::Validator;

/// Validates a tree. Returns `None` if it is not OpenAPI in a version that can be read.
pub(super) fn validate(tree: Tree, diagnostics: &mut Diagnostics) -> Option<Document> {
    let version = root::version(&tree.root, diagnostics)?;
    let mut document =
        Document { tree, version, items: HashSet::new(), foreign_schemas: Vec::new() };
    let repairs = pass(&mut document, diagnostics);
    if !repairs.is_empty() {
        for (pointer, value) in repairs {
            document.tree.replace(&pointer, value);
        }
        // Repaired values are validated, too.
        pass(&mut document, diagnostics);
    }
    Some(document)
}

/// Validates the tree of a document once; returns the values that are read as others.
fn pass(document: &mut Document, diagnostics: &mut Diagnostics) -> Vec<(Pointer, Node)> {
    let mut validator = Validator {
        document,
        diagnostics,
        items: HashSet::new(),
        targets: Vec::new(),
        extensions: OnceCell::new(),
        around: Vec::new(),
        repairs: Vec::new(),
    };
    let tree = &document.tree;
    validator.object(&tree.root, &Pointer::root(), &root::DOCUMENT);
    let mut seen = HashSet::new();
    let mut foreign_schemas = Vec::new();
    while let Some(pointer) = validator.targets.pop() {
        let is_component = component_key(&pointer).is_some();
        let is_read = is_component && pointer.file().is_none() || !seen.insert(pointer.clone());
        if is_read || is_other_component(&pointer) {
            continue;
        }
        if let Some(node @ (Node::Object(_) | Node::Bool(_))) = tree.at(&pointer) {
            validator.object(node, &pointer, &schema::SCHEMA);
            if is_component {
                foreign_schemas.push(pointer);
            }
        }
    }
    let Validator { items, repairs, .. } = validator;
    (document.items, document.foreign_schemas) = (items, foreign_schemas);
    repairs
}
