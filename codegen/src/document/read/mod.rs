//! From the tree to the typed view. Every reader reports what is wrong and carries on.

mod body;
mod components;
mod enumeration;
mod format;
mod keywords;
mod media_type;
mod object;
mod operation;
mod parameter;
mod reader;
mod required;
mod root;
mod schema;
mod security;
mod server;

use std::collections::{HashMap, HashSet};

use super::model::{Node, OpenApi, Schema, Version};
use super::{Tree, component_key};
use crate::diagnostics::Diagnostics;
use crate::source_map::Pointer;

use object::Object;
use reader::Reader;

/// The typed view of a tree.
pub(super) struct Read {
    /// The typed view. The schemas of its components include those of other files.
    pub(super) openapi: OpenApi,
    /// The schemas elsewhere in the document that are targets of a `$ref`.
    pub(super) referenced_schemas: HashMap<Pointer, Schema>,
}

/// Reads a whole document. Returns `None` if it is not OpenAPI in a version that can be read.
pub(super) fn document(tree: &Tree, diagnostics: &mut Diagnostics) -> Option<Read> {
    let mut reader = Reader { tree, diagnostics, version: Version::V3_1, targets: Vec::new() };
    let mut openapi = root::openapi(&tree.root, &mut reader)?;
    let mut components: HashSet<String> =
        openapi.components.schemas.iter().map(|(key, _)| key.clone()).collect();
    let mut referenced_schemas = HashMap::new();
    while let Some(target) = reader.targets.pop() {
        let Some(pointer) = Pointer::from_reference(&target) else {
            continue;
        };
        let key = component_key(&pointer);
        let is_read = key.as_ref().is_some_and(|key| components.contains(key));
        if is_read || referenced_schemas.contains_key(&pointer) {
            continue;
        }
        if let Some(node @ (Node::Object(_) | Node::Bool(_))) = tree.at(&pointer) {
            let schema = schema::schema(node, pointer.clone(), &mut reader);
            match key {
                Some(key) => {
                    components.insert(key.clone());
                    openapi.components.schemas.push((key, schema));
                }
                None => drop(referenced_schemas.insert(pointer, schema)),
            }
        }
    }
    Some(Read { openapi, referenced_schemas })
}
