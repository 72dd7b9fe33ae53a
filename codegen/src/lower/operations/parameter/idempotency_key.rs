//! The header by which a server recognizes the attempts of a call (draft-ietf-httpapi-idempotency-key-header).

use crate::document::Schema;
use crate::ir::{Location, Parameter, ParameterKind};
use crate::lower::Context;
use crate::lower::docs::with_paragraph;

/// The name of the header, if the settings have none.
const NAME: &str = "Idempotency-Key";

/// The length of the generated keys, which are UUIDs.
const LENGTH: u64 = 36;

/// Returns whether a parameter is an idempotency key that calls can generate: a header with room for a UUID.
pub(super) fn is_key<'d>(
    parameter: &Parameter,
    schema: Option<&Schema<'d>>,
    context: &Context<'d>,
) -> bool {
    let own = |schema: &Schema<'d>| schema.child("maxLength")?.to_text().parse::<u64>().ok();
    let limit = schema.and_then(|schema| {
        let target = |schema| Some(context.reading.target(schema)?.0.clone());
        let schema = target(schema)?;
        let parts = schema.all_of();
        let of_parts = parts.iter().filter_map(|part| own(&target(part)?));
        of_parts.chain(own(&schema)).min()
    });
    let Parameter { location, wire, ty, kind, .. } = parameter;
    wire.eq_ignore_ascii_case(context.settings.idempotency_key.as_deref().unwrap_or(NAME))
        && (*location, *kind) == (Location::Header, ParameterKind::Scalar)
        && ty.is_string()
        && limit.is_none_or(|limit| limit >= LENGTH)
}

/// Makes a parameter optional, because each call has a key by itself.
pub(super) fn generated(parameter: Parameter) -> Parameter {
    let sentence = "A call sends a new UUID, the same in all its attempts, unless this is set.";
    let docs = with_paragraph(parameter.docs, sentence);
    Parameter { required: false, is_idempotency_key: true, docs, ..parameter }
}
