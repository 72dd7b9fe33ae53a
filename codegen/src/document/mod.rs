//! OpenAPI as written: the text, the tree in it, and typed views of the tree. Knows no Rust.

mod base;
mod check;
mod input;
mod keys;
mod names;
mod node;
mod overlay;
mod parse;
mod prune;
mod references;
#[cfg(test)]
mod tests;
mod tree;
mod validate;
mod view;

use crate::diagnostics::{Code, Diagnostics, Place};

pub use crate::source_map::Pointer;
pub(crate) use check::check;
pub use check::is_token;
pub use input::{Input, ReadFile, Readable, Source};
pub(crate) use keys::{Keys, descriptions, is_extension};
pub use node::Node;
pub(crate) use tree::Tree;
pub use tree::may_read;

pub use overlay::JsonPath;
pub use parse::{parse, to_yaml};
pub(crate) use prune::{Parts, path_of};
pub(crate) use references::targets;
pub use view::*;

/// Parses a document and applies its overlays. Reports problems; returns `None` if the document cannot be parsed.
pub fn effective(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Node> {
    let mut root = parse(&input.source, diagnostics)?;
    for overlay in &input.overlays {
        overlay::apply(&mut root, overlay, diagnostics);
    }
    Some(root)
}

/// Parses a document, applies its overlays, and loads the files that it refers to. Reports a syntax error and returns
/// `None` if the text of the document cannot be parsed.
pub(crate) fn load(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Tree> {
    let root = effective(input, diagnostics)?;
    Some(Tree::load(root, input, diagnostics))
}

/// Loads and reads a document. Reports problems: views omit the parts with errors. Returns `None` if
/// it is not an OpenAPI document.
pub fn open(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Document> {
    load(input, diagnostics).and_then(|tree| read(tree, diagnostics))
}

/// Reads a document from its tree.
///
/// Problems are reported to `diagnostics`; if there are errors, views omit the invalid elements. Returns `None` if the
/// tree is not an OpenAPI document.
pub(crate) fn read(tree: Tree, diagnostics: &mut Diagnostics) -> Option<Document> {
    if tree.root.is_null() {
        diagnostics
            .report(Code::EmptyDocument, Place::document(), "the document is empty")
            .help("an OpenAPI document begins with `openapi: 3.1.1`, `info` and `paths`");
        return None;
    }
    validate::validate(tree, diagnostics)
}
