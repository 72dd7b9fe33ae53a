//! Checks over a whole document. Each rule is one function, and only warns.

mod all_of;
mod keys;
mod listed;
mod paths;
mod security;
mod select;
mod servers;
mod tags;
mod unused;

use super::Node;
use crate::diagnostics::Diagnostics;

/// Runs all checks.
pub(super) fn check(root: &Node, diagnostics: &mut Diagnostics) {
    servers::undeclared_variables(root, diagnostics);
    tags::undeclared(root, diagnostics);
    paths::similar(root, diagnostics);
    keys::illegal(root, diagnostics);
    all_of::exclusive_types(root, diagnostics);
    security::undeclared(root, diagnostics);
    security::unsupported(root, diagnostics);
    unused::components(root, diagnostics);
}
