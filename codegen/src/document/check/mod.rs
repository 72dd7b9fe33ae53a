//! Checks over a whole document. Each rule is one function, and only warns.

mod all_of;
mod keys;
mod listed;
mod paths;
mod references;
mod security;
mod select;
mod servers;
mod tags;
mod unused;

use super::Tree;
use crate::diagnostics::Diagnostics;

/// Runs all checks.
pub(super) fn check(tree: &Tree, diagnostics: &mut Diagnostics) {
    let root = &tree.root;
    servers::undeclared_variables(root, diagnostics);
    tags::undeclared(tree, diagnostics);
    paths::similar(root, diagnostics);
    keys::illegal(root, diagnostics);
    all_of::exclusive_types(tree, diagnostics);
    references::dangling(root, tree, diagnostics);
    security::undeclared(tree, diagnostics);
    security::unsupported(root, diagnostics);
    unused::components(tree, diagnostics);
}
