//! What a schema is, from its syntax alone: decided before anything is lowered, so that names can be given first.

use crate::document::{AdditionalProperties, Schema, SchemaType};

/// What becomes of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// A struct of its own.
    Struct,
    /// An open enum of its own.
    Enum,
    /// A union of its own.
    Union,
    /// A type that needs no name: a primitive, a list, a map, or another schema's type.
    Transparent,
}

/// Tells what a schema is. A component of type object without members is a struct, because it has a name to be told
/// apart by; an inline one is a free-form object.
pub fn of(schema: &Schema, is_component: bool) -> Nature {
    if schema.reference.is_some() || schema.boolean.is_some() {
        return Nature::Transparent;
    }
    if is_string_enum(schema) {
        return Nature::Enum;
    }
    if let Some(inner) = sole_alternative(schema) {
        return of(inner, is_component);
    }
    if is_member_union(&schema.one_of) && schema.properties.is_empty() && schema.all_of.is_empty() {
        return Nature::Union;
    }
    if !schema.all_of.is_empty() {
        let alone =
            schema.all_of.len() == 1 && schema.properties.is_empty() && schema.one_of.is_empty();
        return match schema.all_of.first() {
            Some(part) if alone => of(part, is_component),
            _ if schema.all_of.iter().all(is_object_part) => Nature::Struct,
            _ => Nature::Transparent,
        };
    }
    if !is_object(schema) || !schema.any_of.is_empty() {
        return Nature::Transparent;
    }
    if !schema.properties.is_empty() {
        return Nature::Struct;
    }
    let closed = !matches!(
        schema.additional_properties,
        Some(AdditionalProperties::Any(true) | AdditionalProperties::Schema(_))
    );
    if is_component
        && closed
        && schema.one_of.is_empty()
        && schema.pattern_properties.is_empty()
        && schema.unread.is_empty()
    {
        Nature::Struct
    } else {
        Nature::Transparent
    }
}

/// Tells whether a schema only describes objects (or null).
pub fn is_object(schema: &Schema) -> bool {
    match schema.types.as_slice() {
        [] => !schema.properties.is_empty() || schema.additional_properties.is_some(),
        types => has_only(types, SchemaType::Object),
    }
}

/// Tells whether the types are the given one, perhaps with null.
pub fn has_only(types: &[SchemaType], wanted: SchemaType) -> bool {
    types.contains(&wanted) && types.iter().all(|&ty| ty == wanted || ty == SchemaType::Null)
}

/// Returns the values of a string enum, or of a string constant.
pub fn string_values(schema: &Schema) -> Vec<(usize, &str)> {
    let values = schema.enumeration.iter().flatten().enumerate();
    let mut values: Vec<(usize, &str)> =
        values.filter_map(|(index, value)| Some((index, value.as_str()?))).collect();
    if values.is_empty() {
        values.extend(
            schema.constant.as_ref().and_then(|value| value.as_str()).map(|value| (0, value)),
        );
    }
    values
}

fn is_string_enum(schema: &Schema) -> bool {
    let only_text = match &schema.enumeration {
        Some(values) => values.iter().all(|value| value.as_str().is_some() || value.is_null()),
        None => true,
    };
    let typed = schema.types.is_empty() || has_only(&schema.types, SchemaType::String);
    typed && only_text && !string_values(schema).is_empty()
}

/// Returns the one alternative of `oneOf` or `anyOf` that is not null, where there is one.
pub fn sole_alternative(schema: &Schema) -> Option<&Schema> {
    let ((alternatives, []) | ([], alternatives)) =
        (schema.one_of.as_slice(), schema.any_of.as_slice())
    else {
        return None;
    };
    if !schema.properties.is_empty() || !schema.all_of.is_empty() {
        return None;
    }
    let mut others = alternatives.iter().filter(|schema| !is_null(schema));
    let sole = others.next()?;
    let has_null = alternatives.iter().any(is_null);
    (others.next().is_none() && (has_null || alternatives.len() == 1) && !is_member_branch(sole))
        .then_some(sole)
}

/// Tells whether a schema allows null and nothing else.
pub fn is_null(schema: &Schema) -> bool {
    schema.types == [SchemaType::Null]
        || schema
            .enumeration
            .as_ref()
            .is_some_and(|values| values.iter().all(crate::document::Node::is_null))
}

/// Tells whether every branch describes an object with exactly one required member: the standard form of "one of several
/// members is present".
pub fn is_member_union(branches: &[Schema]) -> bool {
    !branches.is_empty() && branches.iter().all(is_member_branch)
}

fn is_member_branch(schema: &Schema) -> bool {
    match (schema.required.as_slice(), schema.properties.as_slice()) {
        ([required], [(member, _)]) => {
            required == member
                && schema.reference.is_none()
                && schema.all_of.is_empty()
                && schema.one_of.is_empty()
        }
        _ => false,
    }
}

fn is_object_part(part: &Schema) -> bool {
    let requires_members = part.types.is_empty() && !part.required.is_empty();
    part.reference.is_some()
        || is_object(part)
        || !part.all_of.is_empty()
        || is_member_union(&part.one_of)
        || requires_members
}
