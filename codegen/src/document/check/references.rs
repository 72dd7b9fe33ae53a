//! References in what is not generated, such as the branches of a `oneOf` without a type, callbacks and links.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::references::reference;
use crate::document::{Node, Tree};
use crate::source_map::Pointer;

/// The fields with values of the API, in which nothing is a reference.
const VALUES: [&str; 5] = ["const", "default", "enum", "example", "examples"];

/// Warns of references to nothing in the document.
pub(super) fn dangling(root: &Node, tree: &Tree, diagnostics: &mut Diagnostics) {
    let mut waiting = vec![(Pointer::root(), root)];
    while let Some((pointer, node)) = waiting.pop() {
        match node {
            Node::Array(items) => {
                let items = items.iter().enumerate();
                waiting.extend(items.map(|(index, item)| (pointer.join_index(index), item)));
            }
            Node::Object(members) => {
                if let Some(target) = reference(node).filter(|_| !is_name(&pointer))
                    && target.file().is_none()
                    && tree.at(&target).is_none()
                {
                    let message = format!("`#{target}` does not exist");
                    diagnostics
                        .warning("dangling-ref", Place::Value(pointer.join("$ref")), message)
                        .help("correct the reference, or add the missing component");
                }
                let inner = members.iter().filter(|(key, _)| {
                    is_name(&pointer) || !VALUES.contains(&key.as_str()) && !key.starts_with("x-")
                });
                waiting.extend(inner.map(|(key, node)| (pointer.join(key), node)));
            }
            _ => {}
        }
    }
}

/// Returns whether the keys of an object are names of properties, and none of them a keyword.
fn is_name(pointer: &Pointer) -> bool {
    pointer.segments().last() == Some(&"properties")
}
