//! The type of a schema wherever one stands, and the shape of those that become types of their own.

mod components;
mod enumeration;
mod object;
pub mod protobuf_oneof;
mod union;

use super::classify as nature;
use super::classify::Nature;
use super::{Lowering, Owner, Typed};
use crate::diagnostics::Place;
use crate::document::{AdditionalProperties, Schema, SchemaType};
use crate::ir::{Rest, Shape, Struct, Type};
pub(crate) use components::Component;

/// How deep schemas may be nested, or refer to one another without a type of their own in between.
pub(crate) const DEEPEST: usize = 256;

impl<'d> Lowering<'d> {
    /// Returns the type of a schema; `owner` says what it is called should it need a name.
    pub(crate) fn type_of(&mut self, schema: &'d Schema, owner: &Owner) -> Typed {
        if self.depth == DEEPEST {
            self.too_deep(schema);
            return Typed::new(Type::Value);
        }
        self.depth += 1;
        let typed = self.plain_type(schema, owner);
        self.depth -= 1;
        let nullable = typed.nullable || Self::says_nullable(schema);
        let secret = schema.format.as_deref() == Some("password")
            && !matches!(typed.ty, Type::Secret(_) | Type::Named(_));
        Typed { ty: if secret { Type::Secret(Box::new(typed.ty)) } else { typed.ty }, nullable }
    }

    /// Tells whether a schema itself allows null, in the spelling of 3.0 or of 3.1.
    pub(crate) fn says_nullable(schema: &Schema) -> bool {
        let null_value = schema.enumeration.iter().flatten().any(crate::document::Node::is_null);
        let null_branch = schema.one_of.iter().chain(&schema.any_of).any(nature::is_null);
        schema.nullable || schema.types.contains(&SchemaType::Null) || null_value || null_branch
    }

    fn plain_type(&mut self, schema: &'d Schema, owner: &Owner) -> Typed {
        if let Some(target) = &schema.reference {
            return self.referenced_type(target, schema, owner);
        }
        if nature::of(schema, false) != Nature::Transparent {
            return Typed::new(Type::Named(self.inline_type(schema, owner)));
        }
        if let Some(inner) = nature::sole_alternative(schema) {
            return self.type_of(inner, owner);
        }
        if let ([part], true) =
            (schema.all_of.as_slice(), schema.properties.is_empty() && schema.one_of.is_empty())
        {
            return self.type_of(part, owner);
        }
        if schema.all_of.is_empty() && schema.one_of.is_empty() && schema.any_of.is_empty() {
            Typed::new(self.simple_type(schema, owner))
        } else {
            self.untyped(schema, &format!("this use of `{}`", combining_keyword(schema)));
            Typed::new(Type::Value)
        }
    }

    /// Makes a named type of a schema that stands in place, once however often it is met.
    fn inline_type(&mut self, schema: &'d Schema, owner: &Owner) -> crate::ir::TypeId {
        if let Some(&id) = self.inline.get(&schema.pointer) {
            return id;
        }
        let id = self.reserve();
        self.inline.insert(schema.pointer.clone(), id);
        let name = schema.rust_name.clone().unwrap_or_else(|| owner.name.clone());
        self.define(id, schema, &Owner { name, ..owner.clone() }, None);
        id
    }

    /// Lowers the shape of a schema that is a type of its own.
    pub(crate) fn shape_of(
        &mut self,
        schema: &'d Schema,
        owner: &Owner,
        is_component: bool,
    ) -> Shape {
        if let Some(inner) = nature::sole_alternative(schema) {
            return self.shape_of(inner, owner, is_component);
        }
        match nature::of(schema, is_component) {
            Nature::Enum => Shape::Enum(self.enum_of(schema, owner)),
            Nature::Union => Shape::Union(self.union_of(&schema.one_of, owner)),
            Nature::Struct => Shape::Struct(self.struct_of(schema, owner)),
            Nature::Transparent => {
                Shape::Struct(Struct { fields: Vec::new(), rest: Rest::Unknown })
            }
        }
    }

    /// Returns the type of a schema that combines nothing.
    fn simple_type(&mut self, schema: &'d Schema, owner: &Owner) -> Type {
        let mut types = schema.types.iter().copied().filter(|&ty| ty != SchemaType::Null);
        let sole = match (types.next(), types.next()) {
            (Some(sole), None) => sole,
            (None, _) => return self.type_without_type(schema, owner),
            (Some(_), Some(_)) => {
                self.untyped(schema, "a choice between several primitive types");
                return Type::Value;
            }
        };
        match sole {
            SchemaType::Boolean => Type::Bool,
            SchemaType::Integer => integer(schema.format.as_deref()),
            SchemaType::Number => match schema.format.as_deref() {
                Some("float") => Type::Float32,
                _ => Type::Float64,
            },
            SchemaType::String => self.text(schema),
            SchemaType::Array => self.list(schema, owner),
            SchemaType::Object | SchemaType::Null => self.map(schema, owner),
        }
    }

    fn type_without_type(&mut self, schema: &'d Schema, owner: &Owner) -> Type {
        if schema.items.is_some() {
            self.list(schema, owner)
        } else if schema.additional_properties.is_some() {
            self.map(schema, owner)
        } else {
            Type::Value
        }
    }

    fn text(&mut self, schema: &Schema) -> Type {
        match schema.format.as_deref() {
            Some("date-time") => Type::Timestamp,
            Some("int64") => Type::Int64Text,
            Some("uint64") => Type::UInt64Text,
            Some("binary") => {
                self.untyped(schema, "`format: binary`");
                Type::String
            }
            _ => Type::String,
        }
    }

    fn list(&mut self, schema: &'d Schema, owner: &Owner) -> Type {
        if !schema.prefix_items.is_empty() {
            self.untyped(schema, "`prefixItems`");
            return Type::List(Box::new(Type::Value));
        }
        let item = match &schema.items {
            Some(items) => self.type_of(items, &owner.child("Item")).ty,
            None => Type::Value,
        };
        Type::List(Box::new(item))
    }

    fn map(&mut self, schema: &'d Schema, owner: &Owner) -> Type {
        if !schema.pattern_properties.is_empty() {
            self.untyped(schema, "`patternProperties`");
        }
        match &schema.additional_properties {
            Some(AdditionalProperties::Schema(values)) => {
                match self.type_of(values, &owner.child("Value")).ty {
                    Type::Value => Type::Map,
                    ty => Type::Dictionary(Box::new(ty)),
                }
            }
            _ => Type::Map,
        }
    }

    /// Reports schemas that are nested, or refer to one another, too deep to be followed.
    pub(crate) fn too_deep(&mut self, schema: &Schema) {
        self.diagnostics
            .error("too-deep", Place::value(&schema.pointer), format!("schemas and references lead more than {DEEPEST} levels deep here"))
            .help("let references name what they mean directly, and move inner schemas to `components`");
    }

    /// Warns that something is typed more loosely than the description says.
    pub(crate) fn untyped(&mut self, schema: &Schema, what: &str) {
        self.diagnostics
            .warning(
                "untyped",
                Place::value(&schema.pointer),
                format!("{what} has no Rust type yet"),
            )
            .help("the emitted code takes and gives JSON as it is here; nothing is lost");
    }
}

fn combining_keyword(schema: &Schema) -> &'static str {
    if !schema.one_of.is_empty() {
        "oneOf"
    } else if !schema.any_of.is_empty() {
        "anyOf"
    } else {
        "allOf"
    }
}

fn integer(format: Option<&str>) -> Type {
    match format {
        Some("int32") => Type::Int32,
        Some("uint32") => Type::UInt32,
        Some("uint64") => Type::UInt64,
        _ => Type::Int64,
    }
}
