//! The differences between two values of a type.

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
    let removed = old.keys().filter(|name| !new.contains_key(*name));
    let mut names: Vec<&String> = new.keys().chain(removed).collect();
    names.sort_unstable();
    for name in names {
        let old = old.get(name);
        let new = new.get(name);
        if old == new || is_same_json(original, value, name, [old, new]) {
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

/// Returns whether a property is the same JSON although only one of the values is typed: it belongs to a union that
/// holds one property before the edit and several after it, or the reverse.
fn is_same_json(
    original: &dyn Wire,
    value: &dyn Wire,
    name: &str,
    entries: [Option<&Entry<'_>>; 2],
) -> bool {
    let [Some(old), Some(new)] = entries else { return false };
    if old.is_json() == new.is_json() {
        return false;
    }
    let mut digits = Digits::new();
    match (to_map(original, &mut digits), to_map(value, &mut digits)) {
        (Ok(original), Ok(value)) => original.get(name) == value.get(name),
        _ => false,
    }
}
