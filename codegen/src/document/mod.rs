//! OpenAPI as written: the text, the tree in it, and typed views of the tree. Knows no Rust.

mod check;
mod input;
mod model;
mod overlay;
mod parse;
mod prune;
mod read;
mod references;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::HashMap;

use crate::diagnostics::{Diagnostics, Place};

pub use crate::source_map::Pointer;
pub use input::{Input, ReadFile, Source};
pub use model::*;
pub(crate) use tree::Tree;

pub use parse::parse;
pub(crate) use prune::Parts;
pub(crate) use references::component_key;

/// A document that was read.
#[derive(Clone, Debug)]
pub struct Document {
    /// The typed view.
    pub openapi: OpenApi,
    /// The tree that the view was read from.
    pub(crate) tree: Tree,
    /// The positions of the schemas of `openapi.components` by key.
    schema_keys: HashMap<String, usize>,
    /// The schemas elsewhere in the document that are targets of a `$ref`.
    referenced_schemas: HashMap<Pointer, Schema>,
}

impl Document {
    /// Returns the operations of all paths.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> + Clone {
        let items = self.openapi.paths.iter().filter_map(|(_, item)| item.item());
        items.flat_map(|item| item.operations.iter().map(|(_, operation)| operation))
    }

    /// Warns of what only the whole document shows. Where something is left out because of an error, more would seem unused
    /// than is, so this comes last, for documents without errors.
    pub fn check(&self, diagnostics: &mut Diagnostics) {
        check::check(&self.tree, diagnostics);
    }

    /// Returns the target of a `$ref` to a schema anywhere in the document.
    ///
    /// Returns `None` if it leads out of the document, nowhere, or to something that is not a schema.
    pub fn schema_at(&self, target: &str) -> Option<&Schema> {
        let pointer = Pointer::from_reference(target)?;
        let component = component_key(&pointer).and_then(|key| self.schema_keys.get(&key));
        let component = component.and_then(|index| self.openapi.components.schemas.get(*index));
        component.map(|(_, schema)| schema).or_else(|| self.referenced_schemas.get(&pointer))
    }
}

/// Parses a document, applies its overlays, and loads the files that it refers to. Returns `None` if the text of the document
/// has no tree, which is reported.
pub(crate) fn load(input: &Input<'_>, diagnostics: &mut Diagnostics) -> Option<Tree> {
    let mut root = parse(&input.source, diagnostics)?;
    for overlay in &input.overlays {
        overlay::apply(&mut root, overlay, diagnostics);
    }
    Some(Tree::load(root, &input.source.name, &*input.read_file, diagnostics))
}

/// Reads a document from its tree.
///
/// Everything that is wrong with it goes into `diagnostics`; if they hold an error, the view lacks what is wrong. Returns `None` if
/// the tree is no OpenAPI document at all.
pub(crate) fn read(tree: Tree, diagnostics: &mut Diagnostics) -> Option<Document> {
    if tree.root.is_null() {
        diagnostics
            .error("empty-document", Place::document(), "the document is empty")
            .help("an OpenAPI document begins with `openapi: 3.1.1`, `info` and `paths`");
        return None;
    }
    let read = read::document(&tree, diagnostics)?;
    let schemas = read.openapi.components.schemas.iter();
    let schema_keys = schemas.enumerate().map(|(index, (key, _))| (key.clone(), index)).collect();
    let referenced_schemas = read.referenced_schemas;
    Some(Document { openapi: read.openapi, tree, schema_keys, referenced_schemas })
}
