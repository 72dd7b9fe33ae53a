//! One operation: its request and its response.

use super::Draft;
use super::naming::Names;
use crate::document::Pointer;
use crate::ir::{ModulePath, Operation, Origin};
use crate::lower::names::Standing;
use crate::lower::{Lowering, Owner, docs};

impl<'d> Lowering<'d> {
    /// Returns the owner of inline types in a part of an operation. What operations can share is named after the component
    /// or the path that has it, never after one of them.
    pub fn owner_at(&self, place: &Pointer, owner: &Owner, word: &str, origin: Origin) -> Owner {
        let shared = |name: &str| Owner {
            file: self.modules.free_file(&owner.module, name),
            outer: name.to_owned(),
            inner: Vec::new(),
            ..owner.clone()
        };
        match place.segments().as_slice() {
            ["components", "pathItems", key, part, ..] => {
                shared(&format!("{key}_{part}")).child(word, origin)
            }
            ["components", _, key, ..] => Owner { origin, ..shared(key) },
            ["paths", path, "parameters", ..] => shared(path).child(word, origin),
            _ => owner.child(word, origin),
        }
    }

    /// Lowers an operation.
    pub fn operation(&mut self, draft: &Draft<'d>, names: Names) -> Operation {
        let Draft { path, item, method, operation, .. } = draft;
        let owner = Owner {
            file: self.modules.free_file(&ModulePath::default(), &names.owner),
            module: ModulePath::default(),
            outer: names.owner,
            inner: Vec::new(),
            standing: Standing::MadeUp,
            origin: Origin::Operation(draft.id.clone()),
        };
        let described = self.described_parameters(path, item, operation);
        let mut body = self.body(operation, &draft.id, &owner);
        let arguments = self.argument_names(&described, &mut body, operation);
        let parameters = self.parameters(described, arguments, &owner);
        let output = self.output(operation, &draft.id, &owner);
        let paging = self.paging(&parameters, &body, &output);
        Operation {
            builder: names.builder,
            id: draft.id.clone(),
            method_name: names.method,
            summary: operation.text("summary").or(item.text("summary")).map(str::to_owned),
            docs: docs(
                operation.description().or(item.description()),
                None,
                operation.deprecated(),
            ),
            http_method: method,
            path: (*path).to_owned(),
            parameters,
            body,
            output,
            paging,
            pointer: operation.pointer.to_string(),
        }
    }
}
