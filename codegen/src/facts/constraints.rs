//! Schemas that only constrain or explain values, or only allow null.

use super::values::Range;
use crate::document::{Node, Schema, SchemaType};
use crate::ir::Scalar;
use crate::media_type::MediaKind;

/// Returns whether there are alternatives that are more than constraints.
pub fn has_alternatives(branches: &[Schema<'_>], schema: &Schema<'_>) -> bool {
    !only_constrain(branches.to_vec(), Some(schema))
}

/// Returns whether schemas constrain values of the types of another one, and have nothing that describes them.
fn only_constrain(mut schemas: Vec<Schema<'_>>, of: Option<&Schema<'_>>) -> bool {
    // What is nested less deeply first: most schemas are described there.
    while !schemas.is_empty() {
        if schemas.iter().any(|schema| has_description(schema, of)) {
            return false;
        }
        schemas = schemas.iter().flat_map(Schema::inner).collect();
    }
    true
}

/// Returns whether a schema itself describes values by more than their type.
pub fn describes_more_than_type(schema: &Schema<'_>) -> bool {
    schema.required().next().is_some() || has_description(schema, Some(schema))
}

/// Returns whether a schema itself has a keyword that describes values, other than the types of another one.
fn has_description(schema: &Schema<'_>, of: Option<&Schema<'_>>) -> bool {
    let has_types =
        schema.types().next().is_some() && !of.is_some_and(|of| of.types().eq(schema.types()));
    schema.reference().is_some()
        || has_types
        || is_about_objects(schema)
        || is_about_lists(schema)
        || schema.enumeration().is_some()
        || schema.constant().is_some()
        || of.is_none() && is_about_bytes(schema)
}

/// Returns whether a part of `allOf` is only a remark or a constraint, such as a description.
pub fn is_silent(part: &Schema<'_>) -> bool {
    part.required().next().is_none()
        && only_constrain(vec![part.clone()], None)
        && part.all_of().iter().all(is_silent)
}

/// Returns whether a schema has a keyword for objects other than `required`, which can be a condition of other values.
pub fn is_about_objects(schema: &Schema<'_>) -> bool {
    schema.has_properties()
        || schema.additional_properties().is_some()
        || schema.has("patternProperties")
}

pub fn is_about_lists(schema: &Schema<'_>) -> bool {
    schema.items().is_some() || schema.is_tuple()
}

/// Returns whether a schema has a keyword for bytes: `format: binary`, or what replaces it in OpenAPI 3.1.
pub fn is_about_bytes(schema: &Schema<'_>) -> bool {
    schema.format() == Some("binary")
        || schema.text("contentMediaType").is_some_and(MediaKind::is_bytes)
            && schema.text("contentEncoding").is_none()
}

pub fn is_decisive(format: &str) -> bool {
    Scalar::of_format(format).is_some() || is_fixed(format) || format == "int-or-string"
}

/// Returns whether a format decides more than a type, which cannot be that of another crate then.
pub fn is_fixed(format: &str) -> bool {
    !Range::of_format(Some(format)).is_default || matches!(format, "binary" | "password")
}

/// Returns whether a schema, or the target of its reference, allows only null, or is an alternative that is meant to:
/// `nullable: true` alone. In a component, that means any value.
pub fn is_null(schema: &Schema<'_>) -> bool {
    let target = schema.target();
    schema.flag("nullable") && is_silent(schema) || has_only_null(target.as_ref().unwrap_or(schema))
}

pub fn has_only_null(schema: &Schema<'_>) -> bool {
    schema.types().eq([SchemaType::Null])
        || schema.constant().is_some_and(Node::is_null)
        || schema.enumeration().is_some_and(|values| values.iter().all(Node::is_null))
}

/// Returns whether one of some alternatives allows only null, or is meant to: apispec writes `type: object` beside
/// `nullable: true`, next to a reference to the object, and the converter of `OData` next to any single reference.
pub fn is_null_among(branch: &Schema<'_>, branches: &[Schema<'_>]) -> bool {
    let is_object = |other: &Schema<'_>| other.target().is_some_and(|it| it.has_properties());
    let is_exact = || {
        branches.len() == 2
            && branch.description().is_none()
            && branches.iter().any(|other| other.reference().is_some())
    };
    is_null(branch)
        || branch.flag("nullable")
            && branch.has_only(SchemaType::Object)
            && branch.has_only_types()
            && (branches.iter().any(is_object) || is_exact())
}
