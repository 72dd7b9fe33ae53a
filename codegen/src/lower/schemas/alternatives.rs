//! Alternatives with a common type.

use std::collections::HashSet;

use super::union::{Alternatives, AlternativesKind};
use super::{Schemas, union, untyped};
use crate::document::{AdditionalProperties, Document, Schema, SchemaType};
use crate::ir::{EnumKind, Type};
use crate::lower::classify::{
    self, Classified, Definition, Object, PartKind, SchemaKind, own_alternatives,
};
use crate::lower::constraints::is_null;
use crate::lower::references::resolve_refs;
use crate::lower::values::Value;
use crate::lower::{Alternative, Owner, Typed};

/// The common type of alternatives.
struct Merged<'d> {
    common: Common<'d>,
    /// Whether null is among them.
    nullable: bool,
}

enum Common<'d> {
    Simple(Type),
    /// The enum that the `$ref` of this branch refers to, which is the only one with named values.
    Enum {
        branch: Schema<'d>,
        kind: EnumKind,
        /// Whether other branches allow other values.
        takes_any: bool,
    },
    /// The values of all enums among the branches.
    Values {
        kind: EnumKind,
        values: Vec<Value<'d>>,
        /// Whether other branches allow other values.
        takes_any: bool,
    },
}

/// A branch that is an enum: its target, the branch itself, and the values.
type ListedValues<'b, 'd> = (Schema<'d>, &'b Schema<'d>, EnumKind, Vec<Value<'d>>);

impl<'d> Merged<'d> {
    /// Finds the type that all branches have, without lowering them. Strings are an enum of all values that branches
    /// list, which accepts any string if a branch allows it, or a plain string if no branch lists values. The same
    /// holds for integers.
    fn plan(branches: &[Schema<'d>], document: &'d Document) -> Option<Self> {
        let mut common = None;
        let mut enums: Vec<ListedValues<'_, 'd>> = Vec::new();
        let mut takes_any = false;
        let mut nullable = false;
        let mut types = 0;
        for branch in branches {
            let (schema, classified) = resolve_refs(document, branch)?;
            nullable |= classified.nullable;
            if is_null(&schema) {
                continue;
            }
            types += 1;
            let ty = match classified.kind {
                SchemaKind::Simple(ty) if ty != Type::Value && !classified.secret => ty,
                SchemaKind::Named(Definition::Enum(kind, values)) => {
                    if values.iter().any(|value| !value.text.is_empty()) {
                        takes_any |= classify::takes_any(&schema, kind);
                        enums.push((schema, branch, kind, values));
                    }
                    match kind {
                        EnumKind::Text => Type::String,
                        EnumKind::Integer => Type::Int64,
                    }
                }
                _ => return None,
            };
            common = match common {
                None => Some(ty),
                Some(earlier) if earlier == ty => Some(ty),
                Some(earlier) if is_text(&earlier) && is_text(&ty) => Some(Type::String),
                Some(earlier) if is_unsigned(&earlier) && is_unsigned(&ty) => Some(Type::UInt64),
                Some(earlier) if is_integer(&earlier) && is_integer(&ty) => {
                    let is_wide = |ty: &Type| matches!(ty, Type::UInt64 | Type::Int128);
                    let has_wide = is_wide(&earlier) || is_wide(&ty);
                    Some(if has_wide { Type::Int128 } else { Type::Int64 })
                }
                Some(earlier) if is_number(&earlier) && is_number(&ty) => Some(Type::Float64),
                Some(_) => return None,
            };
        }
        takes_any |= enums.len() < types;
        let common = common?;
        let common = match enums.as_slice() {
            [] => Common::Simple(common),
            _ if !matches!(common, Type::String | Type::Int64) => Common::Simple(common),
            [(sole, branch, kind, _)] if sole.pointer != branch.pointer => {
                Common::Enum { branch: (*branch).clone(), kind: *kind, takes_any }
            }
            [(_, _, kind, _), ..] => {
                Common::Values { kind: *kind, values: distinct(enums), takes_any }
            }
        };
        Some(Self { common, nullable })
    }
}

/// Returns the values of several enums, each once.
fn distinct<'d>(enums: Vec<ListedValues<'_, 'd>>) -> Vec<Value<'d>> {
    let mut seen = HashSet::new();
    let mut values: Vec<Value<'d>> = enums.into_iter().flat_map(|(.., values)| values).collect();
    values.retain(|value| seen.insert(value.text.clone()));
    values
}

impl<'d> Schemas<'_, 'd> {
    /// Returns the type of the branches of a keyword: their common type, or any JSON.
    pub(super) fn alternatives_type(
        &mut self,
        keyword: &str,
        branches: &[Schema<'d>],
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> Typed {
        let Some(plan) = Merged::plan(branches, self.context.document) else {
            return self.distinct_type(keyword, branches, schema, owner);
        };
        let ty = match plan.common {
            Common::Simple(ty) => ty,
            Common::Enum { branch, kind, takes_any } => {
                let Typed { ty, .. } = self.type_of(&branch, owner);
                match ty {
                    Type::Named(id) if takes_any && kind == EnumKind::Text => Type::AnyText(id),
                    Type::Named(id) if takes_any => {
                        self.types.allow_any_text(id);
                        ty
                    }
                    ty => ty,
                }
            }
            Common::Values { kind, values, takes_any } => {
                let id = self.inline_type(schema, Definition::Enum(kind, values), owner);
                if takes_any {
                    self.types.allow_any_text(id);
                }
                Type::Named(id)
            }
        };
        Typed { ty, nullable: plan.nullable }
    }

    /// Returns the type of branches without a common type: that of the only one, or a union.
    fn distinct_type(
        &mut self,
        keyword: &str,
        branches: &[Schema<'d>],
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> Typed {
        let Alternatives { kind, nullable } = Alternatives::new(branches, self.context.document);
        let AlternativesKind::Branches(branches) = kind else {
            return Typed { ty: Type::Value, nullable };
        };
        let ty = match branches.as_slice() {
            [] => {
                untyped(&schema.pointer, &format!("this use of `{keyword}`"), self.diagnostics);
                Type::Value
            }
            [Alternative::Schema(sole) | Alternative::Scalars(_, sole, _)] => {
                self.type_of(sole, owner).ty
            }
            _ => Type::Named(self.inline_type(schema, Definition::Union(branches), owner)),
        };
        Typed { ty, nullable }
    }

    /// Returns the union of an object that has no other properties than those that all variants describe.
    pub(super) fn union_alone(&self, object: &Object<'d>) -> Option<Definition<'d>> {
        let Object { schema, parts, union: None, .. } = object else { return None };
        let keywords = own_alternatives(schema);
        let [(_, branches)] = keywords.as_slice() else { return None };
        let is_alone = parts.iter().all(|part| matches!(part.kind, PartKind::Remark))
            && !matches!(schema.additional_properties(), Some(AdditionalProperties::Schema(_)));
        let document = self.context.document;
        let branches = is_alone.then(|| union::objects(document, branches))??;
        let shared = union::shared_properties(document, schema, &branches);
        let is_union =
            branches.len() > 1 && schema.properties().all(|(name, _)| shared.contains(&name));
        is_union.then_some(Definition::Union(branches))
    }

    /// Returns the definition of a component that is a union.
    pub(super) fn component_union(&self, classified: &Classified<'d>) -> Option<Classified<'d>> {
        if let SchemaKind::Named(Definition::Struct(object)) = &classified.kind {
            let kind = SchemaKind::Named(self.union_alone(object)?);
            return Some(Classified { kind, ..classified.clone() });
        }
        let SchemaKind::Alternatives(_, branches) = &classified.kind else { return None };
        let document = self.context.document;
        if Merged::plan(branches, document).is_some() {
            return None;
        }
        let alternatives = Alternatives::new(branches, document);
        let nullable = classified.nullable || alternatives.nullable;
        let definition = Definition::Union(alternatives.into_union()?);
        let kind = SchemaKind::Named(definition);
        Some(Classified { kind, nullable, secret: classified.secret })
    }
}

/// Returns whether a schema has no Rust type.
pub fn is_untyped<'d>(schema: &Schema<'d>, document: &'d Document) -> bool {
    match resolve_refs(document, schema).map(|(_, Classified { kind, .. })| kind) {
        Some(SchemaKind::Alternatives(_, branches)) => Merged::plan(&branches, document).is_none(),
        Some(SchemaKind::Untyped(..)) => true,
        _ => false,
    }
}

/// Returns whether all values of a schema are scalars. Visits each schema once.
pub fn is_scalar<'d>(schema: &Schema<'d>, document: &'d Document) -> bool {
    let mut seen = HashSet::new();
    let mut waiting = vec![schema.clone()];
    while let Some(schema) = waiting.pop() {
        let Some((schema, Classified { kind, .. })) = resolve_refs(document, &schema) else {
            return false;
        };
        if !seen.insert(schema.pointer.clone()) {
            continue;
        }
        let mut types = schema.types().peekable();
        let is_scalar = match kind {
            SchemaKind::Alternatives(_, branches) => {
                waiting.extend(branches);
                true
            }
            SchemaKind::Named(Definition::Enum(..)) => true,
            _ => {
                types.peek().is_some()
                    && types.all(|ty| !matches!(ty, SchemaType::Array | SchemaType::Object))
            }
        };
        if !is_scalar {
            return false;
        }
    }
    true
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::String | Type::Timestamp | Type::Int64Text | Type::UInt64Text)
}

fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Int32 | Type::Int64 | Type::Int128 | Type::UInt32 | Type::UInt64)
}

fn is_unsigned(ty: &Type) -> bool {
    matches!(ty, Type::UInt32 | Type::UInt64)
}

fn is_number(ty: &Type) -> bool {
    is_integer(ty) || *ty == Type::Float64
}
