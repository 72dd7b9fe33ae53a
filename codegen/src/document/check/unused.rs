//! Components that no operation uses.

use std::collections::HashSet;

use super::listed::listed;
use super::select::operations;
use crate::diagnostics::{Diagnostics, Place};
use crate::document::references::{reference, targets};
use crate::document::{Node, Tree};
use crate::source_map::Pointer;

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
pub(super) fn components(tree: &Tree, diagnostics: &mut Diagnostics) {
    if operations(tree).next().is_none() {
        return;
    }
    let used = Used::of(tree);
    for (section, one, many) in SECTIONS {
        let unused: Vec<&str> = tree
            .root
            .members(&["components", section])
            .map(|(key, _)| key)
            .filter(|key| !used.reached.contains(&component(section, key)))
            .collect();
        let Some(first) = unused.first() else {
            continue;
        };
        let what = if unused.len() == 1 { one } else { many };
        let place = Place::Key(component(section, first));
        diagnostics
            .warning(
                "unused-component",
                place,
                format!("no operation uses the {what} {}", listed(&unused)),
            )
            .help("remove what is not needed, or refer to it");
    }
}

/// Returns the place of a component.
fn component(section: &str, key: &str) -> Pointer {
    Pointer::root().join("components").join(section).join(key)
}

/// What operations use, directly or by way of other parts.
struct Used<'n> {
    tree: &'n Tree,
    reached: HashSet<Pointer>,
    waiting: Vec<&'n Node>,
}

impl<'n> Used<'n> {
    fn of(tree: &'n Tree) -> Self {
        let fields = ["paths", "webhooks"];
        let waiting = fields.iter().filter_map(|field| tree.root.get(field)).collect();
        let mut used = Self { tree, reached: HashSet::new(), waiting };
        used.follow();
        while used.add_subtypes() {
            used.follow();
        }
        used
    }

    fn follow(&mut self) {
        while let Some(node) = self.waiting.pop() {
            for target in targets(node) {
                self.add(target);
            }
        }
    }

    fn add(&mut self, target: Pointer) {
        // What is in a component counts as the whole component.
        let part = match (target.file(), target.segments().as_slice()) {
            (None, ["components", section, key, ..]) => component(section, key),
            _ => target,
        };
        if let Some(node) = self.tree.at(&part)
            && self.reached.insert(part)
        {
            self.waiting.push(node);
        }
    }

    /// Adds the schemas that extend a used one with a discriminator by `allOf`: the discriminator names them implicitly
    /// (OpenAPI 3.1.1 §4.8.25.4). Returns whether there were any.
    fn add_subtypes(&mut self) -> bool {
        for (key, schema) in self.tree.root.members(&["components", "schemas"]) {
            let parts = schema.get("allOf").and_then(Node::as_array).unwrap_or_default();
            let is_base = |base: &Pointer| {
                let schema = self.tree.at(base).filter(|_| self.reached.contains(base));
                schema.is_some_and(|schema| schema.get("discriminator").is_some())
            };
            if parts.iter().filter_map(reference).any(|base| is_base(&base)) {
                self.add(component("schemas", key));
            }
        }
        !self.waiting.is_empty()
    }
}
