//! From the tree to the typed view. Every reader reports what is wrong and carries on.

mod body;
mod components;
mod enumeration;
mod format;
mod keywords;
mod media_type;
mod object;
mod operation;
mod parameter;
mod required;
mod root;
mod schema;
mod security;
mod server;

use std::collections::HashMap;

use super::model::{Node, OpenApi, RefOr, Reference, Schema, Version};
use crate::diagnostics::{Diagnostics, Place};
use crate::source_map::Pointer;

use object::Object;

/// The typed view of a tree.
pub(super) struct Read {
    /// The typed view.
    pub(super) openapi: OpenApi,
    /// The schemas outside `components.schemas` that a `$ref` leads to.
    pub(super) referenced_schemas: HashMap<Pointer, Schema>,
}

/// Reads a whole document. Returns `None` if it is not OpenAPI in a version that can be read.
pub(super) fn document(root: &Node, diagnostics: &mut Diagnostics) -> Option<Read> {
    let mut reader = Reader { root, diagnostics, version: Version::V3_1, targets: Vec::new() };
    let openapi = root::openapi(root, &mut reader)?;
    let mut referenced_schemas = HashMap::new();
    while let Some(target) = reader.targets.pop() {
        let Some(pointer) = Pointer::from_fragment(&target) else {
            continue;
        };
        if is_component_schema(&pointer) || referenced_schemas.contains_key(&pointer) {
            continue;
        }
        if let Some(node @ (Node::Object(_) | Node::Bool(_))) = root.at(&pointer) {
            let schema = schema::schema(node, pointer.clone(), &mut reader);
            referenced_schemas.insert(pointer, schema);
        }
    }
    Some(Read { openapi, referenced_schemas })
}

/// Returns whether a pointer leads to one of `components.schemas` itself.
fn is_component_schema(pointer: &Pointer) -> bool {
    matches!(pointer.segments().as_slice(), ["components", "schemas", _])
}

/// How many references may lead to one another before they are taken for a cycle.
const LONGEST_CHAIN: usize = 64;

/// What all readers share.
struct Reader<'a> {
    /// The tree, to follow references in.
    root: &'a Node,
    diagnostics: &'a mut Diagnostics,
    version: Version,
    /// The targets of the `$ref`s of schemas.
    targets: Vec<String>,
}

impl<'a> Reader<'a> {
    /// Returns what a chain of references leads to, and where that is; `None` if it leads to nothing or back.
    fn follow(&self, target: &str) -> Option<(&'a Node, Pointer)> {
        let mut pointer = Pointer::from_fragment(target)?;
        for _ in 0..LONGEST_CHAIN {
            let node = self.root.at(&pointer)?;
            match node.get("$ref").and_then(Node::as_str) {
                Some(next) => pointer = Pointer::from_fragment(next)?,
                None => return Some((node, pointer)),
            }
        }
        None
    }

    /// Returns what an object stands for that is nothing but a `$ref`, where the standard has none and documents do.
    fn referenced(&self, node: &Node) -> Option<(&'a Node, Pointer)> {
        match node.as_object()? {
            [(key, Node::String(target))] if key == "$ref" => self.follow(target),
            _ => None,
        }
    }

    /// Reports a value of the wrong type.
    fn wrong_type(&mut self, pointer: &Pointer, name: &str, expected: &str, found: &Node) {
        let message = format!("{name} must be {expected}, not {}", found.kind());
        let diagnostic = self.diagnostics.error("wrong-type", Place::value(pointer), message);
        match found {
            Node::Bool(_) | Node::Integer(_) | Node::Float(_) if expected == object::A_STRING => {
                diagnostic.help("put the value in quotes");
            }
            Node::Null => {
                diagnostic.help("remove the key, or write a value behind it");
            }
            Node::Array(_) if expected.ends_with("an object") => {
                diagnostic.help("write `key: value` lines instead of a list");
            }
            Node::Object(_) if expected.ends_with("an array") => {
                diagnostic.help("write a list: begin each element with `- `");
            }
            _ => {}
        }
    }

    /// Reports a value that is not allowed.
    fn invalid(&mut self, pointer: &Pointer, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.error("invalid-value", Place::value(pointer), message).help(help);
    }

    /// Reads something that can also be a `$ref` to it.
    fn ref_or<T>(
        &mut self,
        node: &Node,
        pointer: Pointer,
        read: impl FnOnce(&Node, Pointer, &mut Self) -> Option<T>,
    ) -> Option<RefOr<T>> {
        if node.get("$ref").is_none() {
            return read(node, pointer, self).map(RefOr::Item);
        }
        let mut object = Object::open(node, pointer, "a reference", self)?;
        let target = object.string("$ref", self);
        object.accept(&["summary", "description"]);
        object.close_reference(self);
        let target = target?;
        // What is neither a component nor in a path is read where it is used: there may be anything.
        let is_elsewhere = Pointer::from_fragment(&target).is_some_and(|pointer| {
            !matches!(pointer.segments().first(), Some(&("components" | "paths")))
        });
        if is_elsewhere && let Some((node, pointer)) = self.follow(&target) {
            return read(node, pointer, self).map(RefOr::Item);
        }
        Some(RefOr::Ref(Reference { pointer: object.pointer, target }))
    }
}
