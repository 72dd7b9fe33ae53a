//! Alternatives with a common type.

use super::{Pending, Schemas, Typed, union, untyped};
use crate::document::{AdditionalProperties, Schema};
use crate::facts::{composition, is_null_among};
use crate::ir::{Type, TypeId};
use crate::lower::classify::{Classified, Definition, SchemaKind};
use crate::lower::references::classify_target;
use crate::lower::{Alternative, Owner, Reading};

impl<'d> Schemas<'_, 'd> {
    /// Returns the type of the branches of a keyword: their common type, the type of the only branch, a union, or any JSON.
    pub(super) fn alternatives_type(
        &mut self,
        keyword: &str,
        branches: &[Schema<'d>],
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> Typed {
        let values = self.context.reading.values_of_any(branches);
        if let Some(scalars) = Classified::of_scalars(&values) {
            return self.type_of_classified(scalars, schema, owner);
        }
        let ty = match union::alternatives(branches, schema, &self.context.reading).as_deref() {
            None => Type::Value,
            Some([]) => {
                untyped(&schema.pointer, &format!("this use of `{keyword}`"), self.context);
                Type::Value
            }
            Some(branches @ [only]) if !union::are_variants(branches, schema) => {
                let ty = self.type_of_alternative(only, owner);
                self.sites.refer(&schema.pointer, &only.schema().pointer);
                ty
            }
            Some(several) => {
                if let Some(base) = union::base_among(schema, several, self.context) {
                    self.type_of(base, owner).ty
                } else {
                    let union = Definition::Union(several.to_vec());
                    Type::Named(self.inline_type(schema, union, owner))
                }
            }
        };
        Typed { ty, nullable: values.is_nullable() }
    }

    /// Returns the named type of an inline schema, the same each time.
    pub(super) fn inline_type(
        &mut self,
        schema: &Schema<'d>,
        definition: Definition<'d>,
        owner: &Owner,
    ) -> TypeId {
        let owner = match self.context.pin(schema) {
            Some(pin) => owner.pinned(pin),
            None => owner.clone(),
        };
        let (id, is_new) = self.types.inline(schema.pointers(), &owner);
        if is_new {
            let (schema, definition) = (schema.clone(), refined(definition, &self.context.reading));
            self.pending.push(Pending { id, schema, definition, owner });
        }
        id
    }

    pub(super) fn type_of_alternative(&mut self, branch: &Alternative<'d>, owner: &Owner) -> Type {
        let (first, all) = (branch.schema(), &branch.schemas);
        let known = &self.context.reading;
        let of_all =
            || Classified::of_scalars(&known.values_of_any(all)).or_else(|| containers(all, known));
        match (all.len() > 1).then(of_all).flatten() {
            Some(classified) => self.type_of_classified(classified, first, owner).ty,
            None => self.type_of(first, owner).ty,
        }
    }
}

/// Classifies lists, or maps: their contents are alternatives.
fn containers<'d>(all: &[Schema<'d>], known: &Reading<'d>) -> Option<Classified<'d>> {
    let others = all.iter().filter(|schema| !is_null_among(schema, all));
    let classified = others.map(|schema| match classify_target(schema, known)? {
        Classified { kind: SchemaKind::Alternatives(_, inner), .. } => containers(&inner, known),
        classified => Some(classified),
    });
    let mut classified = classified.collect::<Option<Vec<_>>>()?.into_iter();
    let mut first = classified.next()?;
    for other in classified {
        first.secret |= other.secret;
        if let SchemaKind::List(content) | SchemaKind::Map(content) = &mut first.kind
            && let SchemaKind::List(more) | SchemaKind::Map(more) = other.kind
        {
            // Their schema has no such keyword: nothing else applies to all of them.
            *content = content.join(&more, known);
        }
    }
    Some(first)
}

pub(super) fn definition_of<'d>(
    kind: SchemaKind<'d>,
    schema: &Schema<'d>,
    known: &Reading<'d>,
) -> Option<Definition<'d>> {
    match kind {
        SchemaKind::Named(definition) => Some(refined(definition, known)),
        SchemaKind::Alternatives(_, branches) => {
            let branches = union::alternatives(&branches, schema, known)?;
            union::are_variants(&branches, schema).then_some(Definition::Union(branches))
        }
        _ => None,
    }
}

/// Returns the definition of a named type: an object can be a union.
fn refined<'d>(definition: Definition<'d>, known: &Reading<'d>) -> Definition<'d> {
    match definition {
        Definition::Struct(object) => {
            union_alone(&object, known).unwrap_or(Definition::Struct(object))
        }
        definition => definition,
    }
}

/// Returns the union of an object that only has properties that all variants describe.
fn union_alone<'d>(schema: &Schema<'d>, known: &Reading<'d>) -> Option<Definition<'d>> {
    let keywords = composition::alternatives(schema);
    let [(_, branches)] = keywords.as_slice() else { return None };
    let is_alone = composition::member_union(schema).is_none()
        && !composition::has_parts(schema)
        && !matches!(schema.additional_properties(), Some(AdditionalProperties::Schema(_)));
    let branches = is_alone.then(|| union::objects(branches, schema, known))??;
    let shared = union::shared_properties(schema, &branches, known);
    let is_union = union::are_variants(&branches, schema)
        && schema.properties().all(|(name, _)| shared.contains(&name));
    is_union.then_some(Definition::Union(branches))
}
