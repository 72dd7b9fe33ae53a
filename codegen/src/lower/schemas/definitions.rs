//! The named types: room for each, and in the end a name for each.

use std::collections::BTreeMap;

use crate::document::{Pointer, Schema};
use crate::ir::{Docs, ModulePath, Origin, Shape, TypeDef, TypeId};
use crate::lower::classify::Definition;
use crate::lower::names::{self, Claim, Standing};
use crate::lower::{Lowering, Owner, docs};

/// A type whose name is not decided yet.
#[derive(Debug)]
pub struct Draft {
    /// The type, with the name that it wants.
    definition: TypeDef,
    /// What the name is made of.
    raw: String,
    standing: Standing,
    /// Where the schema is written.
    pointer: Pointer,
}

impl Draft {
    /// Returns what the type is.
    pub fn shape(&self) -> &Shape {
        &self.definition.shape
    }

    /// Returns what the name is made of where the wanted one is another's. A component adds words for its spelling; a
    /// made-up name adds what the type is.
    fn raw(&self, attempt: usize) -> String {
        let is_made_up = !matches!(self.definition.origin, Origin::Component(_));
        if attempt == 0 || !is_made_up {
            return names::spelling(&self.raw, attempt).into_owned();
        }
        let what = match (&self.definition.shape, &self.definition.origin) {
            (_, Origin::RequestBody(_) | Origin::ResponseBody(_)) => "Body",
            (Shape::Enum(_) | Shape::Union(_), _) => "Kind",
            (Shape::Struct(_), Origin::Element(_)) => "Item",
            (Shape::Struct(_), _) => "Value",
        };
        match attempt {
            1 => format!("{}{what}", self.raw),
            _ => format!(
                "{}{what}_{:08x}",
                self.raw,
                names::checksum(&format!("{attempt}{}", self.pointer))
            ),
        }
    }
}

/// A schema that becomes a type of its own, as soon as nothing else is in progress.
#[derive(Debug)]
pub struct Pending<'d> {
    /// The room that was made for the type.
    pub id: TypeId,
    /// The schema, with the documentation of the type.
    pub schema: &'d Schema,
    /// What the type is.
    pub definition: Definition<'d>,
    /// What the type is named after.
    pub owner: Owner,
}

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
