//! The parts of the tree that checks go through.

use crate::document::{METHODS, Node, Pointer};

/// Returns every operation of the document, with its place.
pub(super) fn operations(root: &Node) -> impl Iterator<Item = (&Node, Pointer)> {
    let items = members(root, &["paths"]);
    items.flat_map(|(path, item)| {
        let pointer = Pointer::root().join("paths").join(path);
        METHODS
            .iter()
            .filter_map(move |(method, _)| Some((item.get(method)?, pointer.join(method))))
    })
}

/// Returns the members of the object at a path; none if there is no such object.
pub(super) fn members<'n>(
    root: &'n Node,
    path: &[&str],
) -> impl Iterator<Item = (&'n str, &'n Node)> {
    let found = path.iter().try_fold(root, |node, key| node.get(key));
    let members = found.and_then(Node::as_object).unwrap_or_default();
    members.iter().map(|(key, node)| (key.as_str(), node))
}
