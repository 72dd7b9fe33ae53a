//! The types of schemas, and the definitions of named types.

mod alternatives;
mod components;
mod enumeration;
mod object;
pub mod protobuf_oneof;
mod types;
pub mod union;

use std::collections::HashMap;

use super::classify::{Classified, Content, Definition, SchemaKind, classify};
use super::{Annotations, Context, Owner};
use crate::diagnostics::{Code, Cost, Place};
use crate::document::{Document, Pointer, Schema};
use crate::facts::{Containers, Listing, Values};
use crate::ir::{EnumKind, OpenEnum, Shape, Sites, Struct, Type, TypeId};

pub use types::{Typed, Types};

/// The maximum nesting depth of schemas and references without a named type in between.
const MAX_DEPTH: usize = 256;

/// Lowers schemas to types.
pub struct Schemas<'a, 'd> {
    pub context: &'a Context<'d>,
    pub types: Types,
    pub sites: Sites,
    /// The schemas of types that are not lowered yet.
    pending: Vec<Pending<'d>>,
    /// The types of the components that are known, by key.
    components: HashMap<String, Typed>,
    /// The structs (`…Base`) of components with a discriminator, by the union of the components that extend them.
    bases: HashMap<TypeId, TypeId>,
    /// The targets of references that are being followed, each with the number of lists and maps around it.
    following: Vec<(Pointer, usize)>,
    /// The number of lists and maps around the current schema.
    containers: usize,
    /// The nesting depth of the current schema.
    depth: usize,
}

/// A schema of a named type that is not lowered yet.
#[derive(Debug)]
struct Pending<'d> {
    id: TypeId,
    /// The schema, with the documentation of the type.
    schema: Schema<'d>,
    definition: Definition<'d>,
    owner: Owner,
}

impl<'a, 'd> Schemas<'a, 'd> {
    pub fn new(context: &'a Context<'d>) -> Self {
        Self {
            context,
            types: Types::default(),
            sites: Sites::default(),
            pending: Vec::new(),
            components: HashMap::new(),
            bases: HashMap::new(),
            following: Vec::new(),
            containers: 0,
            depth: 0,
        }
    }

    /// Returns the type of a schema; `owner` names it if it is a named type.
    pub fn type_of(&mut self, schema: &Schema<'d>, owner: &Owner) -> Typed {
        let classified = classify(schema, false, &self.context.reading);
        self.type_of_classified(classified, schema, owner)
    }

    /// Returns the type of values to which several schemas apply, by the schema that describes them.
    fn type_of_all(&mut self, all: &[Schema<'d>], schema: &Schema<'d>, owner: &Owner) -> Typed {
        let mut classified = classify(schema, false, &self.context.reading);
        if all.len() == 1 {
            return self.type_of_classified(classified, schema, owner);
        }
        let values = all.iter().map(|schema| self.context.reading.values(schema));
        let values = values.fold(Values::ANY, |all, values| values.meet(all));
        classified.secret |= values.is_secret;
        let Typed { ty, .. } = self.type_of_classified(classified, schema, owner);
        Typed { ty, nullable: values.is_nullable() }
    }

    /// Returns the type of a parameter or a request body, with all named types within it defined. It is not decoded, so no
    /// value of an enum is drift.
    pub fn sent_type_of(&mut self, schema: &Schema<'d>, owner: &Owner) -> Type {
        let typed = self.type_of(schema, owner);
        self.define_pending();
        self.sites.roots.insert(schema.pointer.clone(), typed.clone().into_element());
        typed.ty.map_innermost(&mut |ty| match ty {
            Type::AnyText(id) => Type::Named(id),
            ty => ty,
        })
    }

    /// Returns the type of a response body, which may be null, with all named types within it defined.
    pub fn received_type_of(&mut self, schema: &Schema<'d>, owner: &Owner) -> Type {
        let ty = self.type_of(schema, owner).into_element();
        self.define_pending();
        self.sites.roots.insert(schema.pointer.clone(), ty.clone());
        ty
    }

    fn type_of_classified(
        &mut self,
        classified: Classified<'d>,
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> Typed {
        if self.depth == MAX_DEPTH {
            too_deep(schema, self.context);
            return Typed::new(Type::Value);
        }
        self.depth += 1;
        let Typed { ty, nullable } = match self.context.own_type(schema, classified.format) {
            Some(ty) => Typed { ty, nullable: self.context.reading.values(schema).is_nullable() },
            None => self.type_of_kind(classified.kind, schema, owner),
        };
        self.depth -= 1;
        Typed {
            ty: if classified.secret { secret(ty) } else { ty },
            nullable: nullable || classified.nullable,
        }
    }

    fn type_of_kind(&mut self, kind: SchemaKind<'d>, schema: &Schema<'d>, owner: &Owner) -> Typed {
        Typed::new(match kind {
            SchemaKind::Ref(reference) => return self.referenced_type(&reference, owner),
            SchemaKind::Alternatives(keyword, branches) => {
                return self.alternatives_type(keyword, &branches, schema, owner);
            }
            SchemaKind::Named(definition) => {
                Type::Named(self.inline_type(schema, definition, owner))
            }
            SchemaKind::List(items) => {
                Type::List(Box::new(self.content_type(&items, schema, &owner.element())))
            }
            SchemaKind::Map(values) => match self.content_type(&values, schema, &owner.value()) {
                Type::Value => Type::Map,
                ty => Type::Dictionary(Box::new(ty)),
            },
            SchemaKind::OpenEnum(kind, reference) => {
                let ty = self.referenced_type(&reference, owner).ty;
                match (ty, kind) {
                    (Type::Named(id), EnumKind::Text) => Type::AnyText(id),
                    (Type::Named(id), EnumKind::Integer) => {
                        self.types.any_text.insert(id);
                        Type::Named(id)
                    }
                    (ty, _) => ty,
                }
            }
            SchemaKind::Simple(ty) => ty,
            SchemaKind::Untyped(what) => {
                untyped(&schema.pointer, what, self.context);
                Type::Value
            }
        })
    }

    /// Returns the type of the elements of a list or of the values of a map, which can be described in parts of it.
    fn content_type(&mut self, content: &Content<'d>, of: &Schema<'d>, owner: &Owner) -> Type {
        self.containers += 1;
        let keyword = content.keyword;
        let typed = match content.schemas.as_slice() {
            [] => Typed::new(Type::Value),
            [schema] => {
                self.sites.contents.insert(of.pointer.clone(), schema.pointer.clone());
                let owner = if of.has_all_of() { &owner.met() } else { owner };
                self.type_of(schema, owner)
            }
            several => {
                let place = of.at_keyword(keyword);
                self.alternatives_type(keyword, several, place.as_ref().unwrap_or(of), owner)
            }
        };
        self.containers -= 1;
        typed.into_element()
    }

    /// Returns the type that the `$ref` of a schema names.
    fn referenced_type(&mut self, schema: &Schema<'d>, owner: &Owner) -> Typed {
        let typed = self.target_type(schema, owner);
        if let Some(target) = schema.target() {
            self.sites.refer(&schema.pointer, &target.pointer);
        }
        typed
    }

    fn target_type(&mut self, schema: &Schema<'d>, owner: &Owner) -> Typed {
        let target = schema.reference().unwrap_or_default();
        let pointer = &schema.pointer;
        if let Some(key) = Document::key_of(target)
            && let Some(typed) = self.component_type(&key, pointer)
        {
            return typed;
        }
        let document = self.context.document;
        if let Some(found) = document.schema_at(target) {
            let classified = classify(&found, false, &self.context.reading);
            return self.followed_type(classified, &found, owner, pointer);
        }
        self.context.unresolved(pointer, target, Cost::Operation);
        Typed::new(Type::Value)
    }

    /// Returns the type of the target of a reference, unless the target contains the schema that refers to it (`user`).
    fn followed_type(
        &mut self,
        classified: Classified<'d>,
        target: &Schema<'d>,
        owner: &Owner,
        user: &Pointer,
    ) -> Typed {
        let outer = self.following.iter().find(|(pointer, _)| *pointer == target.pointer);
        match outer.map(|(_, containers)| self.containers - containers) {
            None => {
                self.following.push((target.pointer.clone(), self.containers));
                let typed = self.type_of_classified(classified, target, owner);
                self.following.pop();
                return typed;
            }
            Some(0) => self.context.cyclic(user),
            Some(_) => untyped(user, "a list or map of itself", self.context),
        }
        Typed::new(Type::Value)
    }

    /// Lowers all pending schemas. Inline types within them become pending in turn, so that nested types need no recursion.
    fn define_pending(&mut self) {
        while let Some(Pending { id, schema, definition, owner }) = self.pending.pop() {
            if matches!(definition, Definition::Union(_)) && union::is_open(&schema) {
                let values = Containers::of(&schema).values(&self.context.reading);
                untyped_next_to_union(&values, self.context);
            }
            let mut shape = self.shape_of(definition, &schema, &owner);
            if let Shape::Union(union) = &mut shape {
                union.base = self.bases.get(&id).copied();
            }
            let docs = Annotations::of(&schema, &self.context.reading)
                .docs_of(&self.context.name_of(&owner));
            self.types.place(id, &schema.pointer, &owner, docs, shape);
        }
    }

    fn shape_of(
        &mut self,
        definition: Definition<'d>,
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> Shape {
        if self.context.room.get() == 0 {
            return Shape::Struct(Struct::default());
        }
        let shape = match definition {
            Definition::Enum(kind, Listing { values, is_open, .. }) => {
                let variants = enumeration::variants(values, kind, owner, self.context);
                Shape::Enum(OpenEnum { kind, variants, takes_any: is_open })
            }
            Definition::Properties(branches) => Shape::Union(self.property_union(&branches, owner)),
            Definition::Union(branches) => Shape::Union(self.union_of(branches, schema, owner)),
            Definition::Struct(object) => {
                Shape::Struct(self.struct_of(&object, &owner.of_members()))
            }
        };
        self.context.take(shape.texts().into_iter(), &schema.pointer);
        shape
    }
}

/// Returns the type of secrets: in lists and maps, each of the values is a secret, and null is not.
fn secret(ty: Type) -> Type {
    ty.map_innermost(&mut |ty| match ty {
        Type::Secret(_) | Type::Named(_) | Type::AnyText(_) => ty,
        ty => Type::Secret(Box::new(ty)),
    })
}

/// Reports schemas that are nested, or refer to one another, too deeply.
fn too_deep(schema: &Schema<'_>, context: &Context<'_>) {
    let place = Place::value(&schema.pointer);
    let message = format!("schemas and references nest deeper than {MAX_DEPTH} levels");
    let help = "point references directly to their targets, and move inner schemas to `components`";
    context.report(Code::TooDeep, place, message).help(help);
}

/// Warns that a union retains properties whose values have these schemas.
fn untyped_next_to_union(values: &[Schema<'_>], context: &Context<'_>) {
    if let Some(values) = values.first() {
        untyped(&values.pointer, "`additionalProperties` next to a union", context);
    }
}

/// Warns that a construct has no Rust type.
fn untyped(pointer: &Pointer, what: &str, context: &Context<'_>) {
    context.report(Code::Untyped, Place::value(pointer), format!("{what} has no Rust type yet"))
        .help(
            "the emitted code takes and returns plain JSON; no data is lost. To get a type, rewrite the schema, for \
             example by an overlay; if a value has one of several types, use `oneOf`",
        );
}
