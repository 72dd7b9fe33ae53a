//! Alternatives with a common type.

use super::union::Alternatives;
use super::{Schemas, union, untyped};
use crate::document::{AdditionalProperties, Schema};
use crate::facts::{composition, is_null_among};
use crate::ir::Type;
use crate::lower::classify::{Classified, Definition, SchemaKind};
use crate::lower::references::classify_target;
use crate::lower::{Alternative, Owner, Typed};

impl<'d> Schemas<'_, 'd> {
    /// Returns the type of the branches of a keyword: their common type, or any JSON.
    pub(super) fn alternatives_type(
        &mut self,
        keyword: &str,
        branches: &[Schema<'d>],
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> Typed {
        match Classified::of_scalars(branches) {
            Some(scalars) => self.type_of_classified(scalars, schema, owner),
            None => self.distinct_type(keyword, branches, schema, owner),
        }
    }

    /// Returns the type of branches without a common type: the type of the only branch, or a union.
    fn distinct_type(
        &mut self,
        keyword: &str,
        branches: &[Schema<'d>],
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> Typed {
        let Alternatives { branches, nullable } = Alternatives::new(branches, schema);
        let Some(branches) = branches else {
            return Typed { ty: Type::Value, nullable };
        };
        let ty = match branches.as_slice() {
            [] => {
                untyped(&schema.pointer, &format!("this use of `{keyword}`"), self.diagnostics);
                Type::Value
            }
            [only] => self.type_of_alternative(only, owner),
            several => match union::base_among(schema, several, self.context) {
                Some(base) => self.type_of(base, owner).ty,
                None => Type::Named(self.inline_type(schema, Definition::Union(branches), owner)),
            },
        };
        Typed { ty, nullable }
    }

    /// Returns the type of the values of an alternative.
    pub(super) fn type_of_alternative(&mut self, branch: &Alternative<'d>, owner: &Owner) -> Type {
        let (first, all) = (branch.schema(), &branch.schemas);
        let of_all = || Classified::of_scalars(all).or_else(|| containers(all));
        match (all.len() > 1).then(of_all).flatten() {
            Some(classified) => self.type_of_classified(classified, first, owner).ty,
            None => self.type_of(first, owner).ty,
        }
    }

    /// Returns the type of an inline object, which can be a union.
    pub(super) fn object_type(
        &mut self,
        object: Schema<'d>,
        of: &Schema<'d>,
        owner: &Owner,
    ) -> Type {
        let definition = union_alone(&object).unwrap_or(Definition::Struct(object));
        Type::Named(self.inline_type(of, definition, owner))
    }
}

/// Classifies lists, or maps: their contents are alternatives.
fn containers<'d>(all: &[Schema<'d>]) -> Option<Classified<'d>> {
    let others = all.iter().filter(|schema| !is_null_among(schema, all));
    let classified = others.map(|schema| match classify_target(schema)? {
        Classified { kind: SchemaKind::Alternatives(_, inner), nullable, .. } => {
            let inner = containers(&inner)?;
            Some(Classified { nullable: inner.nullable || nullable, ..inner })
        }
        classified => Some(classified),
    });
    let classified = classified.collect::<Option<Vec<_>>>()?;
    classified.into_iter().reduce(Classified::join)
}

/// Returns the definition of a component that is a union.
pub(super) fn component_union<'d>(
    classified: &Classified<'d>,
    schema: &Schema<'d>,
) -> Option<Classified<'d>> {
    if let SchemaKind::Named(Definition::Struct(object)) = &classified.kind {
        let kind = SchemaKind::Named(union_alone(object)?);
        return Some(Classified { kind, ..classified.clone() });
    }
    let SchemaKind::Alternatives(_, branches) = &classified.kind else { return None };
    let alternatives = Alternatives::new(branches, schema);
    let nullable = classified.nullable || alternatives.nullable;
    let branches = alternatives.branches.filter(|branches| branches.len() > 1)?;
    let definition = Definition::Union(branches);
    let kind = SchemaKind::Named(definition);
    Some(Classified { kind, nullable, secret: classified.secret })
}

/// Returns the union of an object that only has properties that all variants describe.
fn union_alone<'d>(schema: &Schema<'d>) -> Option<Definition<'d>> {
    let keywords = composition::alternatives(schema);
    let [(_, branches)] = keywords.as_slice() else { return None };
    let is_alone = composition::member_union(schema).is_none()
        && !composition::has_parts(schema)
        && !matches!(schema.additional_properties(), Some(AdditionalProperties::Schema(_)));
    let branches = is_alone.then(|| union::objects(branches, schema))??;
    let shared = union::shared_properties(schema, &branches);
    let is_union =
        branches.len() > 1 && schema.properties().all(|(name, _)| shared.contains(&name));
    is_union.then_some(Definition::Union(branches))
}
