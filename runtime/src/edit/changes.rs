//! The differences between two values of a type.

use std::cell::LazyCell;

use crate::wire::Wire;
use crate::wire::lookup::{Digits, Entry, entries, to_map};

/// A property that differs, or one within it.
pub(super) struct EditedPath<'a> {
    /// The names of the properties, from the outermost to the innermost.
    pub names: Vec<String>,
    /// Whether the type describes the innermost.
    pub is_described: bool,
    /// The values of the innermost, if both are objects with described properties.
    pub objects: Option<(&'a dyn Wire, &'a dyn Wire)>,
}

impl EditedPath<'_> {
    /// Returns the names with dots between them.
    pub(super) fn path(&self) -> String {
        self.names.join(".")
    }
}

/// Returns the properties that differ, in the order of their names. With `nested`, those within objects that both values
/// have, and not the objects.
pub(super) fn changes<'a>(
    original: &'a dyn Wire,
    value: &'a dyn Wire,
    nested: bool,
) -> Vec<EditedPath<'a>> {
    let mut found = Vec::new();
    add(original, value, nested, &mut Vec::new(), &mut found);
    found
}

fn add<'a>(
    original: &'a dyn Wire,
    value: &'a dyn Wire,
    nested: bool,
    outer: &mut Vec<String>,
    found: &mut Vec<EditedPath<'a>>,
) {
    let old = entries(original);
    let new = entries(value);
    // A union holds one property before the edit and several after it, or the reverse: typed, and as JSON.
    let json = LazyCell::new(|| {
        let mut digits = Digits::new();
        to_map(original, &mut digits).ok().zip(to_map(value, &mut digits).ok())
    });
    let removed = old.keys().filter(|name| !new.contains_key(*name));
    let mut names: Vec<&String> = new.keys().chain(removed).collect();
    names.sort_unstable();
    for name in names {
        let old = old.get(name);
        let new = new.get(name);
        let are_same = || json.as_ref().is_some_and(|(old, new)| old.get(name) == new.get(name));
        let is_typed_once = old.zip(new).is_some_and(|(old, new)| old.is_json() != new.is_json());
        if old == new || is_typed_once && are_same() {
            continue;
        }
        outer.push(name.clone());
        let count = found.len();
        let objects = old.and_then(Entry::object).zip(new.and_then(Entry::object));
        if let Some((original, value)) = objects.filter(|_| nested) {
            add(original, value, nested, outer, found);
        }
        if found.len() == count {
            let is_described = [old, new].into_iter().flatten().any(|entry| entry.is_described);
            found.push(EditedPath { names: outer.clone(), is_described, objects });
        }
        outer.pop();
    }
}
