//! The names that schemas give themselves: `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema 2020-12 Core §8.2).
//!
//! A reference to a name becomes one to the place of the schema, so that nothing else has to know about names.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::Node;
use super::base::{Base, reference_to};
use super::keys::descriptions;
use crate::source_map::Pointer;

/// A reference to replace.
pub(super) struct Replacement {
    /// The place of its object.
    pub(super) object: Pointer,
    /// Its key, which becomes `$ref`.
    pub(super) key: &'static str,
    pub(super) reference: String,
}

/// Returns the references to schemas by name in trees by path, with the places of the schemas.
pub(super) fn replacements(trees: &BTreeMap<&str, &Node>, base: &Base) -> Vec<Replacement> {
    let objects = || {
        trees.iter().flat_map(|(path, root)| {
            let place = if path.is_empty() { Pointer::root() } else { Pointer::to_file(path) };
            descriptions(place, root).map(move |(pointer, node, _)| (*path, pointer, node))
        })
    };
    // The schemas by name; `None` if several have the name.
    let mut anchors = HashMap::new();
    let mut dynamic = HashMap::new();
    let mut ids = HashMap::new();
    for (path, pointer, node) in objects() {
        let text = |key| node.get(key).and_then(Node::as_str);
        for name in [text("$anchor"), text("$dynamicAnchor")].into_iter().flatten() {
            add(&mut anchors, (path.to_owned(), name), &pointer);
        }
        if let Some(name) = text("$dynamicAnchor") {
            add(&mut dynamic, name, &pointer);
        }
        if let Some(id) = text("$id") {
            add(&mut ids, id, &pointer);
        }
    }
    let replaced = objects().filter_map(|(path, object, node)| {
        let text = |key| Some((key, node.get(key)?.as_str()?));
        let (key, written) = text("$ref").or_else(|| text("$dynamicRef"))?;
        let (target, name) = written.split_once('#').unwrap_or((written, ""));
        // A `$dynamicRef` depends on the schemas that refer to it if several have the name.
        let only = dynamic.get(name).filter(|_| key == "$dynamicRef");
        let place = only.or_else(|| anchors.get(&(base.target(target, path), name)));
        let place = place.or_else(|| ids.get(written));
        let reference = match place {
            Some(place) => reference_to(place.as_ref()?),
            None if key == "$dynamicRef" && name.starts_with('/') => base.resolved(written, path),
            None => return None,
        };
        Some(Replacement { object, key, reference })
    });
    replaced.collect()
}

fn add<K: Eq + Hash>(names: &mut HashMap<K, Option<Pointer>>, name: K, place: &Pointer) {
    names.entry(name).and_modify(|place| *place = None).or_insert_with(|| Some(place.clone()));
}
