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

use std::collections::HashMap;

use super::model::{Node, OpenApi, Schema, Version};
use crate::diagnostics::Diagnostics;
use crate::source_map::Pointer;

use object::Object;
use reader::Reader;

/// The typed view of a tree.
pub(super) struct Read {
    /// The typed view.
    pub(super) openapi: OpenApi,
    /// The schemas outside `components.schemas` that a `$ref` leads to.
    pub(super) referenced_schemas: HashMap<Pointer, Schema>,
}

/// Reads a whole document. Returns `None` if it is not OpenAPI in a version that can be read.
pub(super) fn document(root: &Node, diagnostics: &mut Diagnostics) -> Option<Read> {
    let mut reader = Reader { root, diagnostics, version: Version::V3_1, targets: Vec::new() };
    let openapi = root::openapi(root, &mut reader)?;
    let mut referenced_schemas = HashMap::new();
    while let Some(target) = reader.targets.pop() {
        let Some(pointer) = Pointer::from_fragment(&target) else {
            continue;
        };
        if is_component_schema(&pointer) || referenced_schemas.contains_key(&pointer) {
            continue;
        }
        if let Some(node @ (Node::Object(_) | Node::Bool(_))) = root.at(&pointer) {
            let schema = schema::schema(node, pointer.clone(), &mut reader);
            referenced_schemas.insert(pointer, schema);
        }
    }
    Some(Read { openapi, referenced_schemas })
}

/// Returns whether a pointer leads to one of `components.schemas` itself.
fn is_component_schema(pointer: &Pointer) -> bool {
    matches!(pointer.segments().as_slice(), ["components", "schemas", _])
}
