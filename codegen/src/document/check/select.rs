//! The parts of the tree that checks go through.

use crate::document::references::reference;
use crate::document::{METHODS, Node, Pointer, Tree};

/// Returns every operation of the document, with its place; a path item can be written elsewhere.
pub(super) fn operations(tree: &Tree) -> impl Iterator<Item = (&Node, Pointer)> {
    tree.root.members(&["paths"]).flat_map(|(path, item)| {
        let (item, pointer) = match reference(item).and_then(|at| Some((tree.at(&at)?, at))) {
            Some(found) => found,
            None => (item, Pointer::root().join("paths").join(path)),
        };
        METHODS
            .iter()
            .filter_map(move |(method, _)| Some((item.get(method)?, pointer.join(method))))
    })
}
