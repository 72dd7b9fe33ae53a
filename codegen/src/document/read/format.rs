//! The `format` of a schema.

use super::Reader;
use crate::diagnostics::Place;
use crate::document::{Schema, SchemaType};

/// The formats that decide a type, each with the types of schemas that they are for.
const DECISIVE: [(&str, &[SchemaType]); 8] = [
    ("binary", &[SchemaType::String]),
    ("date-time", &[SchemaType::String]),
    ("double", &[SchemaType::Number]),
    ("float", &[SchemaType::Number]),
    ("int32", &[SchemaType::Integer, SchemaType::Number]),
    ("int64", &[SchemaType::Integer, SchemaType::Number, SchemaType::String]),
    ("password", &[SchemaType::String]),
    ("uint64", &[SchemaType::Integer, SchemaType::String]),
];

/// Formats that resemble a decisive one, and are others (OpenAPI Format Registry).
const OTHERS: [&str; 5] = ["int8", "int16", "uint8", "uint16", "uint32"];

/// Warns of a format that is probably misspelled.
pub(super) fn check(schema: &Schema, reader: &mut Reader<'_>) {
    let Some(format) = schema.format.as_deref() else {
        return;
    };
    let fits = |types: &[SchemaType]| schema.types.iter().any(|ty| types.contains(ty));
    let known = || DECISIVE.iter().filter(|(_, types)| fits(types)).map(|(name, _)| *name);
    if known().any(|known| known == format) || OTHERS.contains(&format) {
        return;
    }
    if let Some(meant) = reader.diagnostics.spelling().closest(format, known()) {
        let place = Place::Value(schema.pointer.join("format"));
        reader
            .diagnostics
            .warning("unknown-format", place, format!("the format `{format}` has no effect"))
            .help(format!("did you mean `{meant}`?"));
    }
}
