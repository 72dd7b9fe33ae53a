//! The types of schemas, and the definitions of those that are named types.

mod alternatives;
mod component;
mod components;
mod definitions;
mod draft;
mod enumeration;
mod object;
pub mod protobuf_oneof;
mod union;

use super::classify::{Classified, SchemaKind, classify};
use super::{Lowering, Owner, Typed};
use crate::diagnostics::Place;
use crate::document::{Pointer, Schema};
use crate::ir::Type;

pub use component::{Component, Resolving};
pub use draft::{Draft, Pending};

/// The deepest nesting of schemas and references without a named type in between.
pub const DEEPEST: usize = 256;

impl<'d> Lowering<'d> {
    /// Returns the type of a schema; `owner` names it if it is a named type.
    pub fn type_of(&mut self, schema: &Schema<'d>, owner: &Owner) -> Typed {
        self.type_of_classified(classify(schema, false), schema, owner)
    }

    fn type_of_classified(
        &mut self,
        classified: Classified<'d>,
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> Typed {
        if self.depth == DEEPEST {
            self.too_deep(schema);
            return Typed::new(Type::Value);
        }
        self.depth += 1;
        let Typed { ty, nullable } = self.type_of_kind(classified.kind, schema, owner);
        self.depth -= 1;
        let is_bare = !matches!(ty, Type::Secret(_) | Type::Named(_));
        Typed {
            ty: if classified.secret && is_bare { Type::Secret(Box::new(ty)) } else { ty },
            nullable: nullable || classified.nullable,
        }
    }

    fn type_of_kind(&mut self, kind: SchemaKind<'d>, schema: &Schema<'d>, owner: &Owner) -> Typed {
        Typed::new(match kind {
            SchemaKind::Ref(reference) => return self.referenced_type(&reference, owner),
            SchemaKind::Alternatives(keyword, branches) => {
                return self.common_type(&branches, owner).unwrap_or_else(|| {
                    self.untyped(&schema.pointer, &format!("this use of `{keyword}`"));
                    Typed::new(Type::Value)
                });
            }
            SchemaKind::Named(definition) => {
                Type::Named(self.inline_type(schema, definition, owner))
            }
            SchemaKind::List(items) => {
                let item = items.map(|items| self.contained_type(&items, &owner.element()));
                Type::List(Box::new(item.unwrap_or(Type::Value)))
            }
            SchemaKind::Map(values) => {
                match values.map(|values| self.contained_type(&values, &owner.value())) {
                    None | Some(Type::Value) => Type::Map,
                    Some(ty) => Type::Dictionary(Box::new(ty)),
                }
            }
            SchemaKind::Simple(ty) => ty,
            SchemaKind::Untyped(what, ty) => {
                self.untyped(&schema.pointer, what);
                ty
            }
        })
    }

    /// Returns the type of the elements of a list or of the values of a map.
    fn contained_type(&mut self, schema: &Schema<'d>, owner: &Owner) -> Type {
        self.resolving.containers += 1;
        let typed = self.type_of(schema, owner);
        self.resolving.containers -= 1;
        typed.ty
    }

    /// Reports schemas that are nested, or refer to one another, too deeply.
    fn too_deep(&mut self, schema: &Schema<'_>) {
        self.diagnostics
            .error(
                "too-deep",
                Place::value(&schema.pointer),
                format!("schemas and references are more than {DEEPEST} levels deep here"),
            )
            .help("point references directly to their targets, and move inner schemas to `components`");
    }

    /// Warns that a construct has no Rust type.
    fn untyped(&mut self, pointer: &Pointer, what: &str) {
        self.diagnostics
            .warning("untyped", Place::value(pointer), format!("{what} has no Rust type yet"))
            .help("the emitted code takes and returns plain JSON here; nothing is lost");
    }
}
