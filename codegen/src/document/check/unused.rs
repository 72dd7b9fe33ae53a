//! Components that no operation uses.

use std::collections::HashSet;

use super::{listed, members, operations};
use crate::diagnostics::{Diagnostics, Place};
use crate::document::Node;
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
    root: &'n Node,
    found: HashSet<(String, String)>,
    waiting: Vec<&'n Node>,
}

impl<'n> Used<'n> {
    fn of(root: &'n Node) -> Self {
        let waiting = ["paths", "webhooks"].iter().filter_map(|field| root.get(field)).collect();
        let mut used = Self { root, found: HashSet::new(), waiting };
        used.follow();
        while used.add_subtypes() {
            used.follow();
        }
        used
    }

    fn holds(&self, section: &str, key: &str) -> bool {
        self.found.contains(&(section.to_owned(), key.to_owned()))
    }

    fn follow(&mut self) {
        while let Some(node) = self.waiting.pop() {
            match node {
                Node::Array(items) => self.waiting.extend(items),
                Node::Object(members) => {
                    for (key, value) in members {
                        match value {
                            Node::String(target) if key == "$ref" => self.add_target(target),
                            _ => self.waiting.push(value),
                        }
                        if key == "mapping" {
                            self.add_mapping(value);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds what a reference leads to: a component, or something in one, which then counts as a whole.
    fn add_target(&mut self, target: &str) {
        let pointer = Pointer::from_fragment(target);
        match pointer.as_ref().map(Pointer::segments).unwrap_or_default().as_slice() {
            [components, section, key, ..] if components == "components" => {
                self.add(section, key);
            }
            _ => {}
        }
    }

    /// Adds the schemas of a discriminator's `mapping`: references, or names of schemas.
    fn add_mapping(&mut self, mapping: &Node) {
        for (_, target) in mapping.as_object().unwrap_or_default() {
            match target.as_str() {
                Some(target) if target.starts_with('#') => self.add_target(target),
                Some(key) => self.add("schemas", key),
                None => {}
            }
        }
    }

    fn add(&mut self, section: &str, key: &str) {
        let node = self.root.get("components").and_then(|it| it.get(section)?.get(key));
        if let Some(node) = node
            && self.found.insert((section.to_owned(), key.to_owned()))
        {
            self.waiting.push(node);
        }
    }

    /// Adds the schemas that extend a used one with a discriminator by `allOf`: the discriminator names them implicitly
    /// (OpenAPI 3.1.1 §4.8.25.4). Returns whether there were any.
    fn add_subtypes(&mut self) -> bool {
        let before = self.found.len();
        for (key, schema) in members(self.root, &["components", "schemas"]) {
            let parts = schema.get("allOf").and_then(Node::as_array).unwrap_or_default();
            let extends_used = parts.iter().any(|part| {
                let target = part.get("$ref").and_then(Node::as_str);
                let base = target.and_then(|target| target.strip_prefix("#/components/schemas/"));
                base.is_some_and(|base| {
                    let schemas = self.root.get("components").and_then(|it| it.get("schemas"));
                    let base_schema = schemas.and_then(|schemas| schemas.get(base));
                    self.holds("schemas", base)
                        && base_schema.is_some_and(|it| it.get("discriminator").is_some())
                })
            });
            if extends_used {
                self.add("schemas", key);
            }
        }
        self.found.len() > before
    }
}
