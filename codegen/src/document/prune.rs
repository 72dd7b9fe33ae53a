//! Removes elements with errors from a tree, and the elements that need them. An error costs only the operations that
//! need its element.

use std::collections::{HashMap, HashSet};

use super::view::{Version, is_shared, methods};
use super::{Node, Tree};
use crate::document::keys::is_extension;
use crate::document::references::{is_only_reference, reference, required_schemes, targets};
use crate::source_map::Pointer;

/// Maximum length of a chain of path items.
const MAX_CHAIN: usize = 8;

/// The parts of a document that can be omitted, by place: operations, path items, components, the `security` of the
/// document, and other targets of a `$ref` in files and extensions.
#[derive(Default)]
pub(crate) struct Parts {
    /// All parts, and the files as wholes.
    known: HashSet<Pointer>,
    /// The operations with their titles, one for each of their paths, such as `GET /pets`.
    operations: HashMap<Pointer, Vec<String>>,
    /// The parts that refer to a part, or contain it.
    users: HashMap<Pointer, Vec<Pointer>>,
    /// The parts that operations need.
    needed: HashSet<Pointer>,
}

impl Parts {
    /// Finds the parts of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let mut files: HashSet<Pointer> = tree.files().map(Pointer::to_file).collect();
        let mut parts = Self { known: files.clone(), ..Self::default() };
        let mut waiting = Vec::new();
        let components = Pointer::root().join("components");
        for (section, inner) in tree.root.members(&["components"]) {
            let pointer = components.join(section);
            // A `$ref` in place of the components of a section.
            if is_only_reference(inner) {
                parts.known.insert(pointer);
                continue;
            }
            for (key, node) in inner.members(&[]) {
                let pointer = pointer.join(key);
                // The operations of path items are parts of their own, if a path has them.
                if section != "pathItems" {
                    waiting.push((pointer.clone(), targets(node)));
                }
                parts.known.insert(pointer);
            }
        }
        if tree.root.get("components").is_some_and(is_only_reference) {
            parts.known.insert(components.clone());
        }
        if let Some(sets) = tree.root.get("security") {
            let security = Pointer::root().join("security");
            let sets = sets.as_array().unwrap_or_default();
            waiting.push((security.clone(), required_schemes(sets).collect()));
            parts.known.insert(security);
        }
        let paths = Pointer::root().join("paths");
        parts.known.extend(tree.root.members(&["paths"]).map(|(path, _)| paths.join(path)));
        for (path, item) in tree.root.members(&["paths"]) {
            parts.add_path(path, item, paths.join(path), tree, &mut waiting);
        }
        for (key, node) in tree.root.members(&["components", "pathItems"]) {
            let pointer = components.join("pathItems").join(key);
            if !parts.users.contains_key(&pointer) {
                waiting.push((pointer, targets(node)));
            }
        }
        while let Some((user, targets)) = waiting.pop() {
            for target in targets {
                let holder = parts.at(&target).filter(|_| target.file().is_none());
                let part = holder.unwrap_or_else(|| target.clone());
                if !parts.known.contains(&part) && !is_separate(&part) {
                    continue;
                }
                if let (Some(file), Some(_)) = (part.file(), tree.unread(&part)) {
                    parts.users.entry(Pointer::to_file(file)).or_default().push(part.clone());
                }
                if (parts.known.insert(part.clone()) || files.remove(&part))
                    && let Some(node) = tree.at(&part)
                {
                    waiting.push((part.clone(), self::targets(node)));
                }
                parts.users.entry(part).or_default().push(user.clone());
            }
        }
        for part in &parts.known {
            if !parts.operations.contains_key(part)
                && let Some(holder) = part.parent().and_then(|outer| parts.at(outer))
            {
                parts.users.entry(part.clone()).or_default().push(holder);
            }
        }
        parts.needed = parts.needed_by(Vec::new());
        parts
    }

    /// Adds the path item of a path, which can be in another file.
    fn add_path(
        &mut self,
        path: &str,
        item: &Node,
        pointer: Pointer,
        tree: &Tree,
        waiting: &mut Vec<(Pointer, Vec<Pointer>)>,
    ) {
        let mut item = item;
        let mut pointer = pointer;
        for _ in 0..MAX_CHAIN {
            self.known.insert(pointer.clone());
            let fields = item.members(&[]).filter(|(field, _)| is_shared(field));
            let shared = fields.flat_map(|(_, node)| targets(node)).collect();
            for (method, path_of_operation, node) in methods(item, Version::V3_2) {
                let steps = path_of_operation.into_iter().flatten();
                let operation = steps.fold(pointer.clone(), |pointer, step| pointer.join(step));
                // An operation needs the shared parameters of its path item.
                self.users.entry(pointer.clone()).or_default().push(operation.clone());
                let mut needed = targets(node);
                if let Some(Node::Array(sets)) = node.get("security") {
                    needed.extend(required_schemes(sets));
                } else {
                    let security = Pointer::root().join("security");
                    self.users.entry(security).or_default().push(operation.clone());
                }
                waiting.push((operation.clone(), needed));
                self.known.insert(operation.clone());
                let titles = self.operations.entry(operation).or_default();
                titles.push(format!("{method} {path}"));
            }
            waiting.push((pointer.clone(), shared));
            let Some(target) = reference(item) else { return };
            self.users.entry(target.clone()).or_default().push(pointer.clone());
            let is_part = self.at(&target).is_some() || is_separate(&target);
            let Some(next) = tree.at(&target).filter(|_| is_part) else {
                self.operations.insert(pointer, vec![path.to_owned()]);
                return;
            };
            (item, pointer) = (next, target);
        }
    }

    /// Returns the parts that operations and some other parts need.
    pub(super) fn needed_by(&self, others: Vec<Pointer>) -> HashSet<Pointer> {
        let mut needs: HashMap<&Pointer, Vec<&Pointer>> = HashMap::new();
        for (part, users) in &self.users {
            for user in users {
                needs.entry(user).or_default().push(part);
            }
        }
        let mut needed = HashSet::new();
        let others = others.into_iter().map(|other| self.at(&other).unwrap_or(other));
        let mut waiting: Vec<Pointer> = self.operations.keys().cloned().chain(others).collect();
        while let Some(part) = waiting.pop() {
            if needed.insert(part.clone()) {
                waiting.extend(needs.get(&part).into_iter().flatten().copied().cloned());
            }
        }
        needed
    }

    /// Returns the innermost part that contains a place.
    pub(crate) fn at(&self, pointer: &Pointer) -> Option<Pointer> {
        pointer.and_outer().find(|place| self.known.contains(*place)).cloned()
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

    /// Returns the places of the operations that need the part with an error.
    pub(crate) fn needed_at(&self, error: &Pointer) -> Vec<Pointer> {
        let needing = self.needing(self.at(error));
        needing.into_iter().filter(|part| self.operations.contains_key(part)).collect()
    }

    /// Returns whether an error is in a component that no operation needs. In a document without operations, all
    /// components are needed.
    pub(crate) fn is_unneeded(&self, error: &Pointer) -> bool {
        let is_path = error.file().is_none() && error.segments().first() == Some(&"paths");
        let part = self.at(error).filter(|_| !is_path && !self.operations.is_empty());
        part.is_some_and(|part| !self.needed.contains(&part))
    }

    /// Returns the places of the operations, with their titles.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (&Pointer, &[String])> {
        self.operations.iter().map(|(pointer, titles)| (pointer, titles.as_slice()))
    }

    /// Removes operations from their tree, and the parts that only they need.
    pub(crate) fn remove(&self, tree: &mut Tree, operations: &[Pointer]) {
        for operation in operations {
            tree.remove(operation);
        }
        let rest = Self::new(tree);
        let titles = rest.operations.values().flatten();
        let left: HashSet<&str> = titles.map(|title| path_of(title)).collect();
        let emptied = tree.root.members(&["paths"]).filter(|(path, _)| !left.contains(path));
        let emptied = emptied.map(|(path, _)| Pointer::root().join("paths").join(path));
        // What webhooks need stays, and what components need that no operation needed before. A file, which needs all of its
        // parts, is none of them.
        let webhooks = tree.root.get("webhooks").map(targets).unwrap_or_default();
        let of_root = self.known.iter().filter(|part| part.file().is_none());
        let unneeded = of_root.filter(|part| self.is_unneeded(part)).cloned();
        let needed = rest.needed_by(unneeded.chain(webhooks).collect());
        let removed: Vec<Pointer> =
            self.needed.difference(&needed).cloned().chain(emptied).collect();
        for part in removed {
            tree.remove(&part);
        }
    }

    /// Removes the parts with errors from their tree, and the parts that need them. Returns the titles of the removed
    /// operations, or `None` if an error is not in a part, or only in removed ones.
    pub(crate) fn prune(&self, tree: &mut Tree, errors: &[Pointer]) -> Option<Vec<String>> {
        let broken = errors.iter().map(|error| self.at(error)).collect::<Option<Vec<_>>>()?;
        let left_out = self.needing(broken);
        let removed = left_out.iter().filter(|part| tree.remove(part)).count();
        if removed == 0 && !errors.iter().all(|error| self.is_unneeded(error)) {
            return None;
        }
        let titles = left_out.iter().filter_map(|part| self.operations.get(part));
        Some(titles.flatten().cloned().collect())
    }
}

pub(crate) fn path_of(title: &str) -> &str {
    title.split_once(' ').map_or(title, |(_, path)| path)
}

/// Returns whether a place is in another file or in an extension, where other parts cannot be.
fn is_separate(pointer: &Pointer) -> bool {
    pointer.file().is_some() || pointer.segments().first().is_some_and(|field| is_extension(field))
}
