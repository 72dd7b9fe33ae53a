//! The names that schemas give themselves: `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema 2020-12 Core §8.2).
//!
//! A reference to a name becomes one to the place of the schema, so that nothing else has to know about names.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::Node;
use super::base::{Base, reference_to};
use super::keys::descriptions;
use crate::source_map::Pointer;

pub(super) struct Replacement {
    pub(super) object: Pointer,
    /// Its key, which becomes `$ref`.
    pub(super) key: &'static str,
    pub(super) reference: String,
}

/// Returns the references to schemas by name in trees by path, with the places of the schemas.
pub(super) fn replacements(trees: &BTreeMap<&str, &Node>, base: &Base) -> Vec<Replacement> {
    // The schemas by name; `None` if several have the name.
    let mut anchors = HashMap::new();
    let mut dynamic = HashMap::new();
    let mut ids = HashMap::new();
    for (path, pointer, node) in objects(trees) {
        for name in [node.text("$anchor"), node.text("$dynamicAnchor")].into_iter().flatten() {
            add(&mut anchors, (path.to_owned(), name), &pointer);
        }
        if let Some(name) = node.text("$dynamicAnchor") {
            add(&mut dynamic, name, &pointer);
        }
        if let Some(id) = node.text("$id") {
            add(&mut ids, id, &pointer);
        }
    }
    let replaced = objects(trees).filter_map(|(path, object, node)| {
        let mut references = ["$ref", "$dynamicRef"].into_iter();
        let (key, written) = references.find_map(|key| Some((key, node.text(key)?)))?;
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

fn objects<'a>(
    trees: &'a BTreeMap<&str, &'a Node>,
) -> impl Iterator<Item = (&'a str, Pointer, &'a Node)> {
    trees.iter().flat_map(|(path, root)| {
        let place = if path.is_empty() { Pointer::root() } else { Pointer::to_file(path) };
        descriptions(place, root).map(move |(pointer, node, _)| (*path, pointer, node))
    })
}

fn add<K: Eq + Hash>(names: &mut HashMap<K, Option<Pointer>>, name: K, place: &Pointer) {
    names.entry(name).and_modify(|place| *place = None).or_insert_with(|| Some(place.clone()));
}
