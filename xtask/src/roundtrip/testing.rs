//! What the tests of several files need.

use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Node, Source, parse};

/// Reads the tree of a text that need not be a description. References in it count from its own root.
pub fn node(text: &str) -> Node {
    let head = "openapi: 3.1.1\ninfo: {title: T, version: '1'}\npaths: {}\nx-node:";
    let text = format!("{head} {text}\n");
    let mut diagnostics = Diagnostics::new();
    let source = Source { name: String::new(), text };
    parse(&source, &mut diagnostics).unwrap().get("x-node").unwrap().clone()
}
