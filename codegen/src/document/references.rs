//! References of the parts of a tree.

use super::Node;
use crate::source_map::Pointer;

/// Returns the references of a part of a document: each `$ref`, and the `mapping` of a discriminator.
pub(crate) fn targets(part: &Node) -> Vec<Pointer> {
    let mut targets = Vec::new();
    let mut waiting = vec![part];
    while let Some(node) = waiting.pop() {
        match node {
            Node::Array(items) => waiting.extend(items),
            Node::Object(members) => {
                for (key, value) in members {
                    match (key.as_str(), value) {
                        ("$ref", Node::String(target)) => {
                            targets.extend(Pointer::from_reference(target));
                        }
                        ("mapping", Node::Object(mapping)) => {
                            targets.extend(mapping.iter().filter_map(|(_, node)| mapped(node)));
                            waiting.push(value);
                        }
                        _ => waiting.push(value),
                    }
                }
            }
            _ => {}
        }
    }
    targets
}

/// Returns the schema of a value in a `mapping`: a reference, or the name of a schema (OpenAPI 3.1.1 §4.8.25.3).
pub(super) fn mapped(node: &Node) -> Option<Pointer> {
    let text = node.as_str()?;
    Pointer::from_reference(text).or_else(|| {
        let is_name = !text.contains(['#', '/']);
        is_name.then(|| Pointer::root().join("components").join("schemas").join(text))
    })
}

/// Returns the schemes of security requirements.
pub(super) fn required_schemes(sets: &[Node]) -> impl Iterator<Item = Pointer> {
    let schemes = Pointer::root().join("components").join("securitySchemes");
    let keys = sets.iter().flat_map(|set| set.members(&[])).map(|(key, _)| key);
    keys.map(move |key| schemes.join(key))
}

pub(super) fn reference(node: &Node) -> Option<Pointer> {
    node.text("$ref").and_then(Pointer::from_reference)
}

/// Returns whether a node is only a `$ref`.
pub(super) fn is_only_reference(node: &Node) -> bool {
    matches!(node.as_object(), Some([(key, Node::String(_))]) if key == "$ref")
}

/// Returns whether a pointer is to a component of the document that is not a schema.
pub(super) fn is_other_component(pointer: &Pointer) -> bool {
    let segments = pointer.segments();
    let is_component =
        matches!(segments.as_slice(), ["components", section, _] if *section != "schemas");
    is_component && pointer.file().is_none()
}

/// Returns the key of a schema in `openapi.components`: its own in the document, the pointer in another file.
pub(crate) fn component_key(pointer: &Pointer) -> Option<String> {
    match (pointer.file(), pointer.segments().as_slice()) {
        (Some(_), _) => Some(pointer.to_string()),
        (None, ["components", "schemas", key]) => Some((*key).to_owned()),
        _ => None,
    }
}
