//! The named types: room for each, and in the end a name for each.

use std::collections::BTreeMap;

use super::draft::{Draft, Pending};
use crate::document::{Pointer, Schema};
use crate::ir::{Docs, ModulePath, Shape, TypeDef, TypeId};
use crate::lower::classify::Definition;
use crate::lower::names::{self, Claim};
use crate::lower::{Lowering, Owner, docs};

impl<'d> Lowering<'d> {
    /// Makes a named type of a schema that stands in place, once however often it is met.
    pub fn inline_type(
        &mut self,
        schema: &'d Schema,
        definition: Definition<'d>,
        owner: &Owner,
    ) -> TypeId {
        if let Some(&id) = self.inline.get(&schema.pointer) {
            return id;
        }
        let id = self.reserve_inline(&schema.pointer);
        let owner = match self.pin(&schema.pointer, schema.rust_name.as_deref()) {
            Some(pin) => owner.pinned(pin),
            None => owner.clone(),
        };
        self.pending.push(Pending { id, schema, definition, owner });
        id
    }

    /// Makes room for a type whose shape comes later.
    pub fn reserve(&mut self) -> TypeId {
        self.types.push(None);
        TypeId::new(self.types.len() - 1)
    }

    /// Makes room for the type of a schema that stands in place.
    pub fn reserve_inline(&mut self, pointer: &Pointer) -> TypeId {
        let id = self.reserve();
        self.inline.insert(pointer.clone(), id);
        id
    }

    /// Lowers every schema that room was made for. What they contain waits in turn, so that no depth of types is a depth
    /// of calls, and no type is in progress when it is met again.
    pub fn define_pending(&mut self) {
        while let Some(Pending { id, schema, definition, owner }) = self.pending.pop() {
            let shape = match definition {
                Definition::Enum(values) => Shape::Enum(self.enum_of(values, &owner)),
                Definition::Union(branches) => Shape::Union(self.union_of(&branches, &owner)),
                Definition::Struct(object) => Shape::Struct(self.struct_of(&object, &owner)),
            };
            let docs = docs(schema.description.as_ref(), schema.title.as_ref(), schema.deprecated);
            self.place(id, &schema.pointer, &owner, docs, shape);
        }
    }

    /// Puts a finished shape into the room that was made for it.
    pub fn place(
        &mut self,
        id: TypeId,
        pointer: &Pointer,
        owner: &Owner,
        docs: Docs,
        shape: Shape,
    ) {
        let definition = TypeDef {
            name: names::type_name(&owner.name),
            aliases: Vec::new(),
            module: owner.module.clone(),
            file: owner.file.clone(),
            origin: owner.origin.clone(),
            docs,
            in_requests: false,
            shape,
            pointer: pointer.to_string(),
        };
        let (raw, standing, pointer) = (owner.name.clone(), owner.standing, pointer.clone());
        self.types[id.index()] = Some(Draft { definition, raw, standing, pointer });
    }

    /// Returns the types, each with a name that no other of its module has.
    pub fn name_types(&mut self) -> Vec<TypeDef> {
        let mut drafts: Vec<Draft> =
            std::mem::take(&mut self.types).into_iter().flatten().collect();
        let mut modules: BTreeMap<ModulePath, Vec<usize>> = BTreeMap::new();
        for (index, draft) in drafts.iter().enumerate() {
            modules.entry(draft.definition.module.clone()).or_default().push(index);
        }
        for members in modules.into_values() {
            let claims: Vec<Claim<'_>> = members
                .iter()
                .map(|&index| &drafts[index])
                .map(|draft| Claim {
                    standing: draft.standing,
                    raw: &draft.raw,
                    pointer: &draft.pointer,
                })
                .collect();
            let given = names::assign(
                &claims,
                |claim, attempt| names::type_name(&drafts[members[claim]].raw(attempt)),
                |name| format!("the type `{name}`"),
                self.diagnostics,
            );
            for (index, name) in members.into_iter().zip(given) {
                drafts[index].definition.name = name;
            }
        }
        drafts.into_iter().map(|draft| draft.definition).collect()
    }
}
