//! Leaves out of a tree what has errors, and what needs it: one bad spot costs the operations that need it, and no others.

use std::collections::{HashMap, HashSet};

use super::{Node, is_method};
use crate::document::references::targets;
use crate::source_map::Pointer;

/// The parts of a document that can be left out: an operation, a path item or a component, each by its place.
#[derive(Default)]
pub(crate) struct Parts {
    /// The operations.
    operations: HashSet<Pointer>,
    /// The parts that refer to a part.
    users: HashMap<Pointer, Vec<Pointer>>,
    /// The parts that operations need.
    needed: HashSet<Pointer>,
}

impl Parts {
    /// Finds the parts of a tree.
    pub(crate) fn of(root: &Node) -> Self {
        let mut parts = Self::default();
        for (path, item) in members(root, "paths") {
            let pointer = Pointer::root().join("paths").join(path);
            for (field, node) in item.as_object().unwrap_or_default() {
                let inner = pointer.join(field);
                if is_method(field) {
                    parts.add_user(&inner, node);
                    // An operation needs what its path item has for all of them.
                    parts.users.entry(pointer.clone()).or_default().push(inner.clone());
                    parts.operations.insert(inner);
                }
            }
            let shared = item.as_object().unwrap_or_default().iter();
            let shared = shared.filter(|(field, _)| !is_method(field)).cloned();
            parts.add_user(&pointer, &Node::Object(shared.collect()));
            if item.get("$ref").is_some() {
                parts.operations.insert(pointer);
            }
        }
        for (section, components) in members(root, "components") {
            let pointer = Pointer::root().join("components").join(section);
            for (key, node) in components.as_object().unwrap_or_default() {
                parts.add_user(&pointer.join(key), node);
            }
        }
        parts.needed = parts.found_needed();
        parts
    }

    fn found_needed(&self) -> HashSet<Pointer> {
        let mut needs: HashMap<&Pointer, Vec<&Pointer>> = HashMap::new();
        for (part, users) in &self.users {
            for user in users {
                needs.entry(user).or_default().push(part);
            }
        }
        let mut needed = HashSet::new();
        let mut waiting: Vec<&Pointer> = self.operations.iter().collect();
        while let Some(part) = waiting.pop() {
            if needed.insert(part.clone()) {
                waiting.extend(needs.get(part).into_iter().flatten());
            }
        }
        needed
    }

    fn add_user(&mut self, user: &Pointer, node: &Node) {
        for target in targets(node) {
            if let Some(part) = part_at(&target) {
                self.users.entry(part).or_default().push(user.clone());
            }
        }
    }

    /// Returns a part with everything that needs it.
    fn needing(&self, parts: impl IntoIterator<Item = Pointer>) -> HashSet<Pointer> {
        let mut needing = HashSet::new();
        let mut waiting: Vec<Pointer> = parts.into_iter().collect();
        while let Some(part) = waiting.pop() {
            if needing.insert(part.clone()) {
                waiting.extend(self.users.get(&part).into_iter().flatten().cloned());
            }
        }
        needing
    }

    /// Returns whether an error is in a component that no operation needs. In a document without operations, the
    /// components are what it is for.
    pub(crate) fn is_unneeded(&self, error: &Pointer) -> bool {
        let component =
            part_at(error).filter(|part| part.segments().first() == Some(&"components"));
        component.is_some_and(|component| {
            !self.operations.is_empty() && !self.needed.contains(&component)
        })
    }

    /// Removes the parts with errors from the tree they were found in, and whatever needs them; returns the operations among
    /// them. Returns `None` if an error is in no part, or in none that is left.
    pub(crate) fn prune(
        &self,
        root: &mut Node,
        errors: &[Option<Pointer>],
    ) -> Option<Vec<Pointer>> {
        let errors = errors.iter().map(Option::as_ref);
        let broken = errors.map(|error| part_at(error?)).collect::<Option<Vec<_>>>()?;
        let left_out = self.needing(broken);
        let removed = left_out.iter().filter(|part| remove(root, part)).count();
        if removed == 0 {
            return None;
        }
        Some(left_out.into_iter().filter(|part| self.operations.contains(part)).collect())
    }
}

/// Returns the part that holds a place.
pub(crate) fn part_at(pointer: &Pointer) -> Option<Pointer> {
    if pointer.file().is_some() {
        return None;
    }
    let length = match pointer.segments().as_slice() {
        ["paths", _, method, ..] if is_method(method) => 3,
        ["paths", _, ..] => 2,
        ["components", _, _, ..] => 3,
        _ => return None,
    };
    let segments = pointer.segments();
    let part = segments.iter().take(length);
    Some(part.fold(Pointer::root(), |pointer, segment| pointer.join(segment)))
}

fn members<'n>(root: &'n Node, field: &str) -> impl Iterator<Item = (&'n str, &'n Node)> {
    let members = root.get(field).and_then(Node::as_object).unwrap_or_default();
    members.iter().map(|(key, node)| (key.as_str(), node))
}

/// Removes a member; returns whether it was there.
fn remove(root: &mut Node, pointer: &Pointer) -> bool {
    let segments = pointer.segments();
    let Some((last, path)) = segments.split_last() else {
        return false;
    };
    let holder = path.iter().try_fold(root, |node, segment| match node {
        Node::Object(members) => {
            members.iter_mut().find(|(key, _)| key == segment).map(|(_, node)| node)
        }
        _ => None,
    });
    let Some(Node::Object(members)) = holder else {
        return false;
    };
    let before = members.len();
    members.retain(|(key, _)| key != last);
    members.len() < before
}
