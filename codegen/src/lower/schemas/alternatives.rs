//! Alternatives with a common type.

use std::collections::HashSet;

use super::{Schemas, untyped};
use crate::document::{Document, Schema, SchemaType};
use crate::ir::{EnumKind, Type};
use crate::lower::classify::{Classified, Definition, SchemaKind};
use crate::lower::constraints::is_null;
use crate::lower::references::resolve_refs;
use crate::lower::{Owner, Typed};

/// The common type of alternatives.
struct Alternatives<'d> {
    common: Common<'d>,
    /// Whether null is among them.
    nullable: bool,
}

enum Common<'d> {
    Simple(Type),
    /// The enum that the `$ref` of this branch refers to, which is the only one with named values.
    Enum {
        branch: Schema<'d>,
        /// Whether other branches allow other texts.
        takes_any: bool,
    },
}

impl<'d> Alternatives<'d> {
    /// Finds the type that all branches have, without lowering them. Texts of several kinds are an enum that accepts
    /// any text if one of them is an enum, and a string otherwise.
    fn plan(branches: &[Schema<'d>], document: &'d Document) -> Option<Self> {
        let mut common = None;
        let mut enums = Vec::new();
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
                SchemaKind::Named(Definition::Enum(EnumKind::Text, values)) => {
                    if values.iter().any(|value| !value.text.is_empty()) {
                        enums.push((schema, branch));
                    }
                    Type::String
                }
                _ => return None,
            };
            common = match common {
                None => Some(ty),
                Some(earlier) if earlier == ty => Some(ty),
                Some(earlier) if is_text(&earlier) && is_text(&ty) => Some(Type::String),
                Some(_) => return None,
            };
        }
        let common = match enums.as_slice() {
            [(sole, branch)] if sole.pointer != branch.pointer => {
                Common::Enum { branch: (*branch).clone(), takes_any: types > 1 }
            }
            _ => Common::Simple(common?),
        };
        Some(Self { common, nullable })
    }
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
        let Some(plan) = Alternatives::plan(branches, self.context.document) else {
            untyped(&schema.pointer, &format!("this use of `{keyword}`"), self.diagnostics);
            return Typed::new(Type::Value);
        };
        let ty = match plan.common {
            Common::Simple(ty) => ty,
            Common::Enum { branch, takes_any } => {
                let Typed { ty, .. } = self.type_of(&branch, owner);
                if takes_any && let Some(id) = ty.named() {
                    self.types.allow_any_text(id);
                }
                ty
            }
        };
        Typed { ty, nullable: plan.nullable }
    }
}

/// Returns whether a schema has no Rust type.
pub fn is_untyped<'d>(schema: &Schema<'d>, document: &'d Document) -> bool {
    match resolve_refs(document, schema).map(|(_, Classified { kind, .. })| kind) {
        Some(SchemaKind::Alternatives(_, branches)) => {
            Alternatives::plan(&branches, document).is_none()
        }
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
