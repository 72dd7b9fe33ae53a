//! Following references, and reporting values of the wrong type.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Node, Pointer, Tree, Version};

/// The longest chain of references; a longer one is a cycle.
const LONGEST_CHAIN: usize = 64;

/// What all readers share.
pub(super) struct Reader<'a> {
    /// The tree, to follow references in.
    pub(super) tree: &'a Tree,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) version: Version,
    /// The targets of the `$ref`s of schemas.
    pub(super) targets: Vec<String>,
}

impl<'a> Reader<'a> {
    /// Returns the target of a chain of references with its place; `None` if it does not exist or is a cycle.
    pub(super) fn follow(&self, target: &str) -> Option<(&'a Node, Pointer)> {
        let mut pointer = Pointer::from_reference(target)?;
        for _ in 0..LONGEST_CHAIN {
            let node = self.tree.at(&pointer)?;
            match node.get("$ref").and_then(Node::as_str) {
                Some(next) => pointer = Pointer::from_reference(next)?,
                None => return Some((node, pointer)),
            }
        }
        None
    }

    /// Returns the target of an object that is only a `$ref`, where the standard has none and documents do.
    pub(super) fn referenced(&self, node: &Node) -> Option<(&'a Node, Pointer)> {
        match node.as_object()? {
            [(key, Node::String(target))] if key == "$ref" => self.follow(target),
            _ => None,
        }
    }

    /// Reports a value of the wrong type.
    pub(super) fn wrong_type(
        &mut self,
        pointer: &Pointer,
        name: &str,
        expected: &str,
        found: &Node,
    ) {
        let message = format!("{name} must be {expected}, not {}", found.kind());
        let diagnostic = self.diagnostics.error("wrong-type", Place::value(pointer), message);
        match found {
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
    pub(super) fn invalid(
        &mut self,
        pointer: &Pointer,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.diagnostics.error("invalid-value", Place::value(pointer), message).help(help);
    }
}
