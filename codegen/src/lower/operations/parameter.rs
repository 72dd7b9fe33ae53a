//! The types of the parameters of an operation.

use super::described::Described;
use crate::diagnostics::Place;
use crate::document::{self, ParameterIn, Pointer};
use crate::ir::{Docs, FieldName, Location, Origin, Parameter, Shape, Type};
use crate::lower::schemas::{Schemas, Types, is_scalar, is_untyped};
use crate::lower::{Owner, docs};

/// Lowers the parameters of an operation.
pub fn parameters<'d>(
    described: Vec<Described<'d>>,
    names: Vec<FieldName>,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = described
        .into_iter()
        .zip(names)
        .map(|(described, name)| parameter(described, name, owner, schemas))
        .collect();
    parameters.sort_by_key(|parameter| parameter.location);
    parameters
}

fn parameter<'d>(
    described: Described<'d>,
    name: FieldName,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> Parameter {
    let location = match described.location {
        ParameterIn::Path => Location::Path,
        ParameterIn::Query => Location::Query,
        ParameterIn::Header | ParameterIn::Cookie => Location::Header,
    };
    let Some(parameter) = described.parameter else {
        return Parameter {
            location,
            name,
            wire: described.name,
            ty: Type::String,
            separator: None,
            required: true,
            docs: Docs::default(),
            pointer: described.pointer.to_string(),
        };
    };
    let (ty, separator) = parameter_type(&parameter, owner, schemas);
    let of_schema = parameter.schema().and_then(|schema| schema.description());
    Parameter {
        location,
        name,
        wire: described.name,
        ty,
        separator,
        required: parameter.required(),
        docs: docs(parameter.description().or(of_schema), None, parameter.deprecated()),
        pointer: parameter.pointer.to_string(),
    }
}

/// Returns the type of a parameter, and for a list in the query the separator of its values.
fn parameter_type<'d>(
    parameter: &document::Parameter<'d>,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> (Type, Option<&'static str>) {
    let context = schemas.context;
    let document = context.document;
    let origin = Origin::Parameter(parameter.name.to_owned());
    let owner = context.owner_at(&parameter.pointer, owner, parameter.name, origin);
    let ty = match parameter.schema() {
        Some(schema) if !is_untyped(&schema, document) => schemas.defined_type_of(&schema, &owner),
        Some(schema) if is_scalar(&schema, document) => Type::String,
        _ => Type::Value,
    };
    match ty {
        Type::List(item) if is_textual(&item, &schemas.types) && is_list_in_query(parameter) => {
            (Type::List(item), separator(parameter))
        }
        ty => (textual_type(ty, &parameter.pointer, schemas), None),
    }
}

/// Returns the type of a parameter, which is sent as text. If a type has several textual forms, the caller passes a
/// string. A secret needs no wrapper, because values of parameters are never shown.
fn textual_type(ty: Type, pointer: &Pointer, schemas: &mut Schemas<'_, '_>) -> Type {
    let ty = if let Type::Secret(inner) = ty { *inner } else { ty };
    if is_textual(&ty, &schemas.types) {
        return ty;
    }
    let message = "a parameter that can be a list or an object has no Rust type yet";
    schemas
        .diagnostics
        .warning("untyped", Place::value(pointer), message)
        .help("the argument is the text to send, before percent-encoding");
    Type::String
}

/// Returns whether a type has a single textual form.
fn is_textual(ty: &Type, types: &Types<'_>) -> bool {
    match ty {
        Type::Named(_) => matches!(types.shape(ty), Some(Shape::Enum(_))),
        Type::Value
        | Type::Map
        | Type::TypedObject
        | Type::List(_)
        | Type::Dictionary(_)
        | Type::Secret(_) => false,
        _ => true,
    }
}

/// Returns whether the values of a list are sent in the query, together or separately.
fn is_list_in_query(parameter: &document::Parameter<'_>) -> bool {
    parameter.location == ParameterIn::Query && parameter.style() != "deepObject"
}

/// Returns the separator of the values of a list in the query; `None` if each is a separate pair.
fn separator(parameter: &document::Parameter<'_>) -> Option<&'static str> {
    let separator = match parameter.style() {
        "spaceDelimited" => " ",
        "pipeDelimited" => "|",
        _ => ",",
    };
    (!parameter.explode()).then_some(separator)
}
