//! The named types: ids, shapes, and final names.

use std::collections::BTreeMap;

use super::draft::{Draft, Pending};
use crate::document::{Pointer, Schema};
use crate::ir::{Docs, ModulePath, Shape, TypeDef, TypeId, TypeName};
use crate::lower::classify::{Definition, takes_any_text};
use crate::lower::names;
use crate::lower::{Lowering, Owner, docs};

impl<'d> Lowering<'d> {
    /// Returns the named type of an inline schema, the same each time.
    pub fn inline_type(
        &mut self,
        schema: &Schema<'d>,
        definition: Definition<'d>,
        owner: &Owner,
    ) -> TypeId {
        if let Some(&id) = self.inline.get(&schema.pointer) {
            return id;
        }
        let id = self.reserve_inline(&schema.pointer);
        let owner = match self.pin(schema) {
            Some(pin) => owner.pinned(pin),
            None => owner.named(),
        };
        self.pending.push(Pending { id, schema: schema.clone(), definition, owner });
        id
    }

    /// Reserves the id of a type.
    pub fn reserve(&mut self) -> TypeId {
        self.types.push(None);
        TypeId::new(self.types.len() - 1)
    }

    /// Reserves the id of the type of an inline schema.
    pub fn reserve_inline(&mut self, pointer: &Pointer) -> TypeId {
        let id = self.reserve();
        self.inline.insert(pointer.clone(), id);
        id
    }

    /// Lowers all pending schemas. Inline types within them become pending in turn, so that nested types need no recursion.
    pub fn define_pending(&mut self) {
        while let Some(Pending { id, schema, definition, owner }) = self.pending.pop() {
            let shape = match definition {
                Definition::Enum(values) => {
                    Shape::Enum(self.enum_of(values, takes_any_text(&schema), &owner))
                }
                Definition::Union(branches) => Shape::Union(self.union_of(&branches, &owner)),
                Definition::Struct(object) => Shape::Struct(self.struct_of(&object, &owner)),
            };
            let docs = docs(schema.description(), schema.title(), schema.deprecated());
            self.place(id, &schema.pointer, &owner, docs, shape);
        }
    }

    /// Defines a type whose id was reserved.
    pub fn place(
        &mut self,
        id: TypeId,
        pointer: &Pointer,
        owner: &Owner,
        docs: Docs,
        shape: Shape,
    ) {
        let raw = owner.name();
        let definition = TypeDef {
            name: names::type_name(&raw),
            module: owner.module.clone(),
            file: owner.file.clone(),
            origin: owner.origin.clone(),
            docs,
            in_requests: false,
            shape,
            pointer: pointer.to_string(),
        };
        let (standing, pointer) = (owner.standing, pointer.clone());
        self.types[id.index()] = Some(Draft { definition, raw, standing, pointer });
    }

    /// Returns the types with their final names, unique in each module.
    pub fn name_types(&mut self) -> Vec<TypeDef> {
        let mut drafts: Vec<Draft> =
            std::mem::take(&mut self.types).into_iter().flatten().collect();
        let mut modules: BTreeMap<ModulePath, Vec<usize>> = BTreeMap::new();
        for (index, draft) in drafts.iter().enumerate() {
            modules.entry(draft.definition.module.clone()).or_default().push(index);
        }
        for members in modules.into_values() {
            let claims = members.iter().map(|&index| drafts[index].claim());
            let what = |name: &TypeName| format!("the type `{name}`");
            let given =
                names::assign(claims, |_, text| names::type_name(text), what, self.diagnostics);
            for (index, name) in members.into_iter().zip(given) {
                drafts[index].definition.name = name;
            }
        }
        for &id in &self.any_text {
            if let Shape::Enum(values) = &mut drafts[id.index()].definition.shape {
                values.takes_any = true;
            }
        }
        drafts.into_iter().map(|draft| draft.definition).collect()
    }
}
