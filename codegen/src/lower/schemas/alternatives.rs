//! Alternatives of one type.

use crate::document::{LONGEST_CHAIN, Schema, SchemaType};
use crate::ir::Type;
use crate::lower::classify::{Classified, Definition, SchemaKind, classify, is_null};
use crate::lower::{Lowering, Owner, Typed};

impl<'d> Lowering<'d> {
    /// Returns the type that all alternatives have. Texts of several kinds are an enum, which takes any text, if one of them
    /// is, and otherwise a string.
    pub fn common_type(&mut self, branches: &[Schema<'d>], owner: &Owner) -> Option<Typed> {
        let mut common = None;
        let mut enums = Vec::new();
        let (mut nullable, mut texts) = (false, 0);
        for branch in branches {
            let (schema, Classified { kind, nullable: allows_null, secret }) =
                self.behind(branch)?;
            nullable |= allows_null;
            if is_null(&schema) {
                continue;
            }
            texts += 1;
            let ty = match kind {
                SchemaKind::Simple(ty) if ty != Type::Value && !secret => ty,
                SchemaKind::Named(Definition::Enum(values)) => {
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
        match enums.as_slice() {
            [(sole, branch)] if sole.pointer != branch.pointer => {
                let typed = self.type_of(branch, owner);
                self.any_text.extend(typed.ty.named().filter(|_| texts > 1));
                Some(Typed { nullable, ..typed })
            }
            _ => common.map(|ty| Typed { ty, nullable }),
        }
    }

    /// Returns whether a schema is a construct without a Rust type, without a report.
    pub fn is_untyped(&mut self, schema: &Schema<'d>, owner: &Owner) -> bool {
        match self.behind(schema).map(|(_, classified)| classified.kind) {
            Some(SchemaKind::Alternatives(_, branches)) => {
                self.common_type(&branches, owner).is_none()
            }
            Some(SchemaKind::Untyped(..)) => true,
            _ => false,
        }
    }

    /// Returns whether all values of a schema are scalars.
    pub fn is_scalar(&self, schema: &Schema<'d>) -> bool {
        let Some((schema, Classified { kind, .. })) = self.behind(schema) else { return false };
        let mut types = schema.types().peekable();
        match kind {
            SchemaKind::Alternatives(_, branches) => {
                branches.iter().all(|branch| self.is_scalar(branch))
            }
            SchemaKind::Named(Definition::Enum(_)) => true,
            _ => {
                types.peek().is_some()
                    && types.all(|ty| !matches!(ty, SchemaType::Array | SchemaType::Object))
            }
        }
    }

    /// Returns what a schema is, behind its `$ref`s; `None` if they lead nowhere.
    fn behind(&self, schema: &Schema<'d>) -> Option<(Schema<'d>, Classified<'d>)> {
        let mut current = schema.clone();
        let mut nullable = false;
        for _ in 0..LONGEST_CHAIN {
            let mut classified = classify(&current, true);
            nullable |= classified.nullable;
            classified.nullable = nullable;
            match classified.kind {
                SchemaKind::Ref(reference) => {
                    current = self.document.schema_at(reference.reference()?)?;
                }
                _ => return Some((current, classified)),
            }
        }
        None
    }
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::String | Type::Timestamp | Type::Int64Text | Type::UInt64Text)
}
