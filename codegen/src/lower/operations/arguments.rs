//! The names of the arguments and setters of a request.

use std::borrow::Cow;

use super::described::ParameterDraft;
use crate::document::{Location, Pointer, View};
use crate::ir::{Body, FieldName};
use crate::lower::Context;
use crate::names::{self, NameRequest, Priority};

/// Names the arguments and setters of a request: its parameters, and the fields of its body.
pub fn names(
    described: &[ParameterDraft<'_>],
    body: &mut Body,
    operation: &View<'_>,
    context: &Context<'_>,
) -> Vec<FieldName> {
    let is_whole = matches!(body, Body::Whole { required: true, .. });
    let fields = match body {
        Body::Fields(_, fields) => fields.as_mut_slice(),
        _ => &mut [],
    };
    let parameters = described.iter().map(|described| {
        let pin = described.parameter.as_ref().and_then(|parameter| context.pin(parameter));
        let priority = match (&pin, described.location) {
            (Some(_), _) => Priority::Pinned,
            (None, Location::Path) => Priority::Declared,
            (None, Location::Query | Location::QueryString) => Priority::Query,
            (None, Location::Header | Location::Cookie) => Priority::Header,
        };
        let location = described.location.name();
        name_request(&described.name, &described.pointer, pin, priority, location)
    });
    let of_body = operation.pointer.join("requestBody");
    let of_fields = fields
        .iter()
        .map(|field| name_request(field.name.bare(), &of_body, None, Priority::BodyField, "body"));
    // The argument of the body as a whole.
    let whole = is_whole
        .then(|| name_request("body", &of_body, Some("body".to_owned()), Priority::Pinned, "body"));
    let requests: Vec<NameRequest<'_>> = parameters.chain(of_fields).chain(whole).collect();
    let name = |index: usize, text: &str| match described.get(index) {
        Some(described) if described.location == Location::Path => names::argument(text),
        _ => names::setter(text),
    };
    let what = |name: &FieldName| format!("the argument `{name}`");
    let mut given = context.assign(requests, name, what);
    let of_fields = given.split_off(described.len());
    for (field, name) in fields.iter_mut().zip(of_fields) {
        field.name = name;
    }
    given
}

/// Returns the request for the name of an argument; after a collision, with its symbols spelled out, or its location.
fn name_request<'a>(
    raw: &str,
    pointer: &'a Pointer,
    pin: Option<String>,
    priority: Priority,
    location: &str,
) -> NameRequest<'a> {
    let is_symbol = |char: char| !char.is_alphanumeric() && !"-_".contains(char);
    let spelled = names::spelling(raw, 1).into_owned();
    let located = format!("{location}_{spelled}");
    let second = if raw.contains(is_symbol) { spelled } else { format!("{location}_{raw}") };
    let first = pin.unwrap_or_else(|| raw.to_owned());
    let candidates = [first, second, located].map(Cow::from).into();
    NameRequest { priority, candidates, ..NameRequest::new(raw.to_owned(), pointer) }
}
