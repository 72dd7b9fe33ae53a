//! The parameters of an operation.

mod idempotency_key;
mod value;

use self::value::Value;
use super::described::ParameterDraft;
use crate::document::ParameterIn;
use crate::ir::{Docs, FieldName, Location, Origin, Parameter, ParameterKind, Type};
use crate::lower::docs::with_paragraph;
use crate::lower::schemas::Schemas;
use crate::lower::{Annotations, Owner, docs};

/// Lowers the parameters of an operation.
pub fn parameters<'d>(
    described: Vec<ParameterDraft<'d>>,
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
    described: ParameterDraft<'d>,
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
    let undescribed = Parameter {
        location,
        name,
        wire: described.name,
        ty: Type::String,
        kind: ParameterKind::Scalar,
        serialization: location.serialization(),
        required: true,
        constant: None,
        is_secret: false,
        is_idempotency_key: false,
        docs: Docs::default(),
        pointer: described.pointer.to_string(),
    };
    let Some(parameter) = described.parameter else { return undescribed };
    let origin = Origin::Parameter(parameter.name.to_owned());
    let owner = owner.at(&parameter.pointer, parameter.name, origin);
    let Value { ty, kind, serialization, is_secret } =
        value::value(&parameter, location, &owner, schemas);
    let schema = parameter.schema();
    let of_schema = schema.as_ref().and_then(|schema| schema.description());
    let docs = docs(parameter.description().or(of_schema), None, parameter.deprecated());
    let is_sent = parameter.required() && location != Location::Path;
    let is_scalar = kind == ParameterKind::Scalar && !is_secret;
    let of_scalar = schema.as_ref().filter(|_| is_sent && is_scalar);
    let reading = &schemas.context.reading;
    let constant = of_scalar.and_then(|schema| reading.values(schema).constant());
    let docs = if constant.is_some() {
        with_paragraph(docs, "A call sends its only value unless this is set.")
    } else {
        let mut values = schema.as_ref().map(|it| Annotations::of(it, reading)).unwrap_or_default();
        values.limits.with_example_of(&parameter);
        values.with_values(docs, &ty, is_secret).0
    };
    let required = parameter.required() && constant.is_none();
    let lowered =
        Parameter { ty, kind, serialization, required, constant, is_secret, docs, ..undescribed };
    if idempotency_key::is_key(&lowered, schema.as_ref(), schemas.context) {
        return idempotency_key::generated(lowered);
    }
    lowered
}
