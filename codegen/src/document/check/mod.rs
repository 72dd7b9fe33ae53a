//! Checks over a whole document. Each rule is one function, and only warns.

mod all_of;
mod keys;
mod paths;
mod security;
mod servers;
mod tags;
mod unused;

use super::{METHODS, Node};
use crate::diagnostics::Diagnostics;
use crate::source_map::Pointer;

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

/// How many names a message lists; the others are counted.
const LISTED: usize = 5;

/// Returns names as a list in a sentence.
fn listed(names: &[&str]) -> String {
    let mut shown: Vec<String> =
        names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    if names.len() > LISTED {
        shown.push(format!("{} more", names.len() - LISTED));
    }
    match shown.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => shown.concat(),
    }
}

/// Returns every operation of the document, with its place.
fn operations(root: &Node) -> impl Iterator<Item = (&Node, Pointer)> {
    let items = members(root, &["paths"]);
    items.flat_map(|(path, item)| {
        let pointer = Pointer::root().join("paths").join(path);
        METHODS.iter().filter_map(move |method| Some((item.get(method)?, pointer.join(method))))
    })
}

/// Returns the members of the object at a path; none if there is no such object.
fn members<'n>(root: &'n Node, path: &[&str]) -> impl Iterator<Item = (&'n str, &'n Node)> {
    let found = path.iter().try_fold(root, |node, key| node.get(key));
    let members = found.and_then(Node::as_object).unwrap_or_default();
    members.iter().map(|(key, node)| (key.as_str(), node))
}
