//! OpenAPI as written: the text, the tree in it, and typed views of the tree. Knows no Rust.

mod check;
mod model;
mod overlay;
mod parse;
mod prune;
mod read;
mod references;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::diagnostics::{Diagnostics, Place};

pub use crate::source_map::Pointer;
pub use model::*;
pub use overlay::apply as apply_overlay;

use parse::parse_file;
pub(crate) use prune::{Parts, part_at};

/// A text to read.
#[derive(Clone, Debug)]
pub struct Source {
    /// How messages name it: a path as the user knows it.
    pub name: String,
    /// The whole text, in YAML or JSON.
    pub text: String,
}

/// A document that was read.
#[derive(Clone, Debug)]
pub struct Document {
    /// The typed view.
    pub openapi: OpenApi,
    /// The tree that the view was read from.
    pub(crate) root: Node,
    /// The positions of `components.schemas` by key.
    schema_keys: HashMap<String, usize>,
    /// The schemas outside `components.schemas` that a `$ref` leads to.
    referenced_schemas: HashMap<Pointer, Schema>,
}

impl Document {
    /// Returns the operations of all paths.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> + Clone {
        self.openapi
            .paths
            .iter()
            .flat_map(|(_, item)| item.operations.iter().map(|(_, operation)| operation))
    }

    /// Warns of what only the whole document shows. Where something is left out because of an error, more would seem unused
    /// than is, so this comes last, for documents without errors.
    pub fn check(&self, diagnostics: &mut Diagnostics) {
        check::check(&self.root, diagnostics);
    }

    /// Returns the schema that a `$ref` leads to, wherever in the document it is written.
    ///
    /// Returns `None` if it leads out of the document, nowhere, or to something that is not a schema.
    pub fn schema_at(&self, target: &str) -> Option<&Schema> {
        let pointer = Pointer::from_fragment(target)?;
        let component = match pointer.segments().as_slice() {
            ["components", "schemas", key] => self.schema_keys.get(*key),
            _ => None,
        };
        let component = component.and_then(|index| self.openapi.components.schemas.get(*index));
        component.map(|(_, schema)| schema).or_else(|| self.referenced_schemas.get(&pointer))
    }
}

/// Parses a text, YAML or JSON, into its tree. Returns `None` if it is neither, which is reported.
pub fn parse(source: &Source, diagnostics: &mut Diagnostics) -> Option<Node> {
    parse_file(None, &source.name, &source.text, diagnostics)
}

/// Reads a document from its tree.
///
/// Everything that is wrong with it goes into `diagnostics`; if they hold an error, the view lacks what is wrong. Returns `None` if
/// the tree is no OpenAPI document at all.
pub fn read(root: Node, diagnostics: &mut Diagnostics) -> Option<Document> {
    if root.is_null() {
        diagnostics
            .error("empty-document", Place::document(), "the document is empty")
            .help("an OpenAPI document begins with `openapi: 3.1.1`, `info` and `paths`");
        return None;
    }
    let read = read::document(&root, diagnostics)?;
    let schemas = read.openapi.components.schemas.iter();
    let schema_keys = schemas.enumerate().map(|(index, (key, _))| (key.clone(), index)).collect();
    let referenced_schemas = read.referenced_schemas;
    Some(Document { openapi: read.openapi, root, schema_keys, referenced_schemas })
}
