//! The names of the fields of an object.

use std::borrow::Cow;

use super::parts::{Member, Parts};
use crate::document::Pointer;
use crate::ir::FieldName;
use crate::lower::{Context, Owner};
use crate::names::{self, NameRequest, Priority};

/// The name of the field of additional properties.
const ADDITIONAL: &str = "additional_properties";

/// Names the members of an object, and after them the field of additional properties, if there is one.
pub fn field_names(parts: &Parts<'_>, owner: &Owner, context: &Context<'_>) -> Vec<FieldName> {
    let members = parts.members.iter().map(|member| match member {
        Member::Property(property) => {
            let schema = &property.schema;
            NameRequest::new(property.name, &schema.pointer).pinned(context.pin(schema))
        }
        Member::Union(union) => derived(&union.name, &union.pointer, "kind"),
    });
    let additional =
        parts.additional.iter().map(|rest| derived(ADDITIONAL, &rest.of.pointer, "value"));
    let what = |name: &FieldName| format!("the field `{}::{name}`", owner.name());
    context.assign(members.chain(additional), |_, text| names::field(text), what)
}

/// Returns the request for a name that is not in the document. After a collision, it is extended by a word.
fn derived<'a>(raw: &'a str, pointer: &'a Pointer, word: &str) -> NameRequest<'a> {
    NameRequest {
        priority: Priority::Derived,
        candidates: vec![Cow::from(raw), format!("{raw}_{word}").into()],
        ..NameRequest::new(raw, pointer)
    }
}
