//! The parameters of an operation.

mod serialization;
mod value;

use super::described::Described;
use crate::document::ParameterIn;
use crate::ir::{Docs, FieldName, Location, Origin, Parameter, ParameterKind, Type};
use crate::lower::schemas::Schemas;
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
        ParameterIn::QueryString => Location::QueryString,
        ParameterIn::Header => Location::Header,
        ParameterIn::Cookie => Location::Cookie,
    };
    let Some(parameter) = described.parameter else {
        return Parameter {
            location,
            name,
            wire: described.name,
            ty: Type::String,
            kind: ParameterKind::Scalar,
            serialization: location.serialization(),
            required: true,
            docs: Docs::default(),
            pointer: described.pointer.to_string(),
        };
    };
    let origin = Origin::Parameter(parameter.name.to_owned());
    let owner = schemas.context.owner_at(&parameter.pointer, owner, parameter.name, origin);
    let (ty, kind, serialization) = value::value(&parameter, location, &owner, schemas);
    let of_schema = parameter.schema().and_then(|schema| schema.description());
    Parameter {
        location,
        name,
        wire: described.name,
        ty,
        kind,
        serialization,
        required: parameter.required(),
        docs: docs(parameter.description().or(of_schema), None, parameter.deprecated()),
        pointer: parameter.pointer.to_string(),
    }
}
