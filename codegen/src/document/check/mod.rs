//! Checks over a whole document. Each rule is one function, and only warns.

mod all_of;
mod keys;
mod listed;
mod paths;
mod references;
mod security;
mod servers;
mod tags;
mod unused;

use super::view::Document;
use crate::diagnostics::Diagnostics;

/// Runs all checks.
pub(super) fn check(document: &Document, diagnostics: &mut Diagnostics) {
    servers::undeclared_variables(document, diagnostics);
    tags::undeclared(document, diagnostics);
    paths::similar(document, diagnostics);
    keys::illegal(document, diagnostics);
    all_of::exclusive_types(document, diagnostics);
    references::dangling(document, diagnostics);
    security::undeclared(document, diagnostics);
    security::unsupported(document, diagnostics);
    unused::components(document, diagnostics);
}
