//! The `enum` of a schema.

use super::Reader;
use crate::diagnostics::Place;
use crate::document::{Node, Schema, SchemaType};

/// Warns of the first value that the types of the schema do not allow.
pub(super) fn check(schema: &Schema, reader: &mut Reader<'_>) {
    let values = schema.enumeration.iter().flatten().enumerate();
    let wrong = values.filter(|(_, value)| !schema.types.is_empty() && !value.is_null());
    let wrong = wrong.filter(|(_, value)| !schema.types.iter().any(|ty| allows(*ty, value)));
    if let Some((index, value)) = wrong.into_iter().next() {
        let place = Place::Value(schema.pointer.join("enum").join_index(index));
        let help = if schema.types.contains(&SchemaType::String) {
            "put it in quotes, or correct the `type`"
        } else {
            "correct the value or the `type`"
        };
        let message = format!("{} is not a value of the schema's type", value.kind());
        reader.diagnostics.warning("enum-type", place, message).help(help);
    }
}

fn allows(ty: SchemaType, value: &Node) -> bool {
    match value {
        Node::Null => ty == SchemaType::Null,
        Node::Bool(_) => ty == SchemaType::Boolean,
        Node::Integer(_) => matches!(ty, SchemaType::Integer | SchemaType::Number),
        Node::Float(value) => {
            ty == SchemaType::Number || ty == SchemaType::Integer && value.fract() == 0.0
        }
        Node::String(_) => ty == SchemaType::String,
        Node::Array(_) => ty == SchemaType::Array,
        Node::Object(_) => ty == SchemaType::Object,
    }
}
