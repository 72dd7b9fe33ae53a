//! The parts of an `allOf`.

use std::collections::HashMap;

use crate::diagnostics::{Diagnostics, Place};
use crate::document::references::reference;
use crate::document::{Node, Tree};
use crate::source_map::Pointer;

/// Warns of `allOf`s in which no value can have all types: of the parts themselves, or of a property that several have.
pub(super) fn exclusive_types(tree: &Tree, diagnostics: &mut Diagnostics) {
    let mut waiting = vec![(Pointer::root(), &tree.root)];
    while let Some((pointer, node)) = waiting.pop() {
        match node {
            Node::Array(items) => {
                let items = items.iter().enumerate();
                waiting.extend(items.map(|(index, item)| (pointer.join_index(index), item)));
            }
            Node::Object(members) => {
                if let Some(parts) = node.get("allOf").and_then(Node::as_array) {
                    check(tree, parts, &pointer.join("allOf"), diagnostics);
                }
                waiting.extend(members.iter().map(|(key, node)| (pointer.join(key), node)));
            }
            _ => {}
        }
    }
}

fn check(tree: &Tree, parts: &[Node], pointer: &Pointer, diagnostics: &mut Diagnostics) {
    let mut types: HashMap<Option<&str>, (&str, Pointer)> = HashMap::new();
    for (index, part) in parts.iter().enumerate() {
        let (part, pointer) = followed(tree, part, pointer.join_index(index));
        let properties = part.get("properties").and_then(Node::as_object).unwrap_or_default();
        let inner = properties.iter().map(|(name, node)| {
            let pointer = pointer.join("properties").join(name);
            (Some(name.as_str()), node, pointer)
        });
        for (name, node, pointer) in std::iter::once((None, part, pointer.clone())).chain(inner) {
            let Some(ty) = node.get("type").and_then(Node::as_str) else {
                continue;
            };
            let (earlier, place) = types.entry(name).or_insert((ty, pointer.clone()));
            if exclude(earlier, ty) {
                let what =
                    name.map_or("a value".to_owned(), |name| format!("the property `{name}`"));
                let message = format!("{what} cannot be both of type `{earlier}` and `{ty}`");
                diagnostics
                    .warning("exclusive-types", Place::Value(pointer.join("type")), message)
                    .related(Place::Value(place.join("type")), format!("`{earlier}` here"))
                    .help("let both parts of the `allOf` have the same type");
            }
        }
    }
}

/// Returns what a part is, behind its reference.
fn followed<'n>(tree: &'n Tree, part: &'n Node, pointer: Pointer) -> (&'n Node, Pointer) {
    let target = reference(part).and_then(|target| Some((tree.at(&target)?, target)));
    target.unwrap_or((part, pointer))
}

fn exclude(one: &str, other: &str) -> bool {
    let is_numeric = |ty| matches!(ty, "integer" | "number");
    one != other && !(is_numeric(one) && is_numeric(other))
}
