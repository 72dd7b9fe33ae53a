//! The parts of the tree that checks go through.

use crate::document::references::reference;
use crate::document::{METHODS, Node, Pointer, Tree};

/// Returns every operation of the document, with its place; a path item can be written elsewhere.
pub(super) fn operations(tree: &Tree) -> impl Iterator<Item = (&Node, Pointer)> {
    members(&tree.root, &["paths"]).flat_map(|(path, item)| {
        let (item, pointer) = match reference(item).and_then(|at| Some((tree.at(&at)?, at))) {
            Some(found) => found,
            None => (item, Pointer::root().join("paths").join(path)),
        };
        METHODS
            .iter()
            .filter_map(move |(method, _)| Some((item.get(method)?, pointer.join(method))))
    })
}

/// Returns the properties of the object at a path; none if there is no such object.
pub(super) fn members<'n>(
    root: &'n Node,
    path: &[&str],
) -> impl Iterator<Item = (&'n str, &'n Node)> {
    let found = path.iter().try_fold(root, |node, key| node.get(key));
    let members = found.and_then(Node::as_object).unwrap_or_default();
    members.iter().map(|(key, node)| (key.as_str(), node))
}
