//! The parameters of an operation.

mod value;

use self::value::Value;
use super::described::ParameterDraft;
use crate::document::{ParameterIn, Schema};
use crate::ir::{Docs, FieldName, Location, Origin, Parameter, ParameterKind, Type};
use crate::lower::schemas::Schemas;
use crate::lower::{Annotations, Context, Owner, docs, with_paragraph};

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
    if is_key(&lowered, schema.as_ref(), schemas.context) {
        return generated(lowered);
    }
    lowered
}

/// The name of the header by which a server recognizes the attempts of a call (draft-ietf-httpapi-idempotency-key-header),
/// if the settings have none.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// The length of the generated idempotency keys, which are UUIDs.
const KEY_LENGTH: u64 = 36;

/// Returns whether a parameter is an idempotency key that calls can generate: a header with room for a UUID.
fn is_key<'d>(parameter: &Parameter, schema: Option<&Schema<'d>>, context: &Context<'d>) -> bool {
    let own = |schema: &Schema<'d>| schema.child("maxLength")?.to_text().parse::<u64>().ok();
    let limit = schema.and_then(|schema| {
        let target = |schema| Some(context.reading.target(schema)?.0.clone());
        let schema = target(schema)?;
        let parts = schema.all_of();
        let of_parts = parts.iter().filter_map(|part| own(&target(part)?));
        of_parts.chain(own(&schema)).min()
    });
    let Parameter { location, wire, ty, kind, .. } = parameter;
    wire.eq_ignore_ascii_case(
        context.settings.idempotency_key.as_deref().unwrap_or(IDEMPOTENCY_KEY),
    ) && (*location, *kind) == (Location::Header, ParameterKind::Scalar)
        && ty.is_string()
        && limit.is_none_or(|limit| limit >= KEY_LENGTH)
}

/// Makes a parameter optional, because each call has a key by itself.
fn generated(parameter: Parameter) -> Parameter {
    let sentence = "A call sends a new UUID, the same in all its attempts, unless this is set.";
    let docs = with_paragraph(parameter.docs, sentence);
    Parameter { required: false, is_idempotency_key: true, docs, ..parameter }
}
