//! Components that no operation uses.

use std::collections::{HashMap, HashSet};

use super::listed::listed;
use super::select::{members, operations};
use crate::diagnostics::{Diagnostics, Place};
use crate::document::Node;
use crate::document::references::targets;
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
pub(super) fn components(root: &Node, diagnostics: &mut Diagnostics) {
    if operations(root).next().is_none() {
        return;
    }
    let used = Used::of(root);
    for (section, one, many) in SECTIONS {
        let unused: Vec<&str> = members(root, &["components", section])
            .map(|(key, _)| key)
            .filter(|key| !used.holds(section, key))
            .collect();
        let Some(first) = unused.first() else {
            continue;
        };
        let what = if unused.len() == 1 { one } else { many };
        let place = Place::Key(Pointer::root().join("components").join(section).join(first));
        diagnostics
            .warning(
                "unused-component",
                place,
                format!("no operation uses the {what} {}", listed(&unused)),
            )
            .help("remove what is not needed, or refer to it");
    }
}

/// The components that operations use, directly or by way of other components.
struct Used<'n> {
    /// The components by section and key; each leaves when it is used.
    unused: HashMap<&'n str, HashMap<&'n str, &'n Node>>,
    waiting: Vec<&'n Node>,
}

impl<'n> Used<'n> {
    fn of(root: &'n Node) -> Self {
        let sections = members(root, &["components"]);
        let unused = sections
            .map(|(section, components)| (section, members(components, &[]).collect()))
            .collect();
        let waiting = ["paths", "webhooks"].iter().filter_map(|field| root.get(field)).collect();
        let mut used = Self { unused, waiting };
        used.follow();
        while used.add_subtypes(root) {
            used.follow();
        }
        used
    }

    fn holds(&self, section: &str, key: &str) -> bool {
        self.unused.get(section).is_none_or(|unused| !unused.contains_key(key))
    }

    fn follow(&mut self) {
        while let Some(node) = self.waiting.pop() {
            for target in targets(node) {
                // What is in a component counts as the whole component.
                if let ["components", section, key, ..] = target.segments().as_slice() {
                    self.add(section, key);
                }
            }
        }
    }

    fn add(&mut self, section: &str, key: &str) {
        self.waiting.extend(self.unused.get_mut(section).and_then(|unused| unused.remove(key)));
    }

    /// Adds the schemas that extend a used one with a discriminator by `allOf`: the discriminator names them implicitly
    /// (OpenAPI 3.1.1 §4.8.25.4). Returns whether there were any.
    fn add_subtypes(&mut self, root: &'n Node) -> bool {
        let before = self.waiting.len();
        let schemas = || members(root, &["components", "schemas"]);
        let bases: HashSet<&str> = schemas()
            .filter(|(key, schema)| {
                schema.get("discriminator").is_some() && self.holds("schemas", key)
            })
            .map(|(key, _)| key)
            .collect();
        for (key, schema) in schemas() {
            let parts = schema.get("allOf").and_then(Node::as_array).unwrap_or_default();
            let extends_base = parts.iter().any(|part| {
                let target = part.get("$ref").and_then(Node::as_str);
                let base = target.and_then(|target| target.strip_prefix("#/components/schemas/"));
                base.is_some_and(|base| bases.contains(base))
            });
            if extends_base {
                self.add("schemas", key);
            }
        }
        self.waiting.len() > before
    }
}
