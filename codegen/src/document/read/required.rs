//! The `required` of a schema.

use std::collections::HashSet;

use super::Reader;
use crate::diagnostics::Place;
use crate::document::{AdditionalProperties, Schema};

/// Warns of names that are required and not described, where the schema describes its properties alone.
pub(super) fn check(schema: &Schema, reader: &mut Reader<'_>) {
    let is_combined = schema.reference.is_some()
        || !(schema.all_of.is_empty() && schema.any_of.is_empty() && schema.one_of.is_empty());
    let is_open = !schema.pattern_properties.is_empty()
        || matches!(
            schema.additional_properties,
            Some(AdditionalProperties::Any(true) | AdditionalProperties::Schema(_))
        );
    if schema.properties.is_empty() || is_combined || is_open {
        return;
    }
    let described: HashSet<&str> =
        schema.properties.iter().map(|(name, _)| name.as_str()).collect();
    for (index, name) in schema.required.iter().enumerate() {
        if described.contains(name.as_str()) {
            continue;
        }
        let place = Place::Value(schema.pointer.join("required").join_index(index));
        let help = match reader.diagnostics.spelling().closest(name, described.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("describe `{name}` in `properties`, or remove it from `required`"),
        };
        reader
            .diagnostics
            .warning("required", place, format!("the required property `{name}` is not described"))
            .help(help);
    }
}
