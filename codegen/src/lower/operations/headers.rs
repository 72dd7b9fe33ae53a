//! The headers of replies.

use std::collections::BTreeMap;

use crate::document::{Kind, Schema, View};
use crate::facts::Values;
use crate::ir::{JsonKind, ReplyHeader, Type};
use crate::lower::{Context, docs};
use crate::names::{self, NameRequest};

/// The header that OpenAPI ignores as a header of a response (OpenAPI 3.1 §4.8.17.1).
const IGNORED: &str = "content-type";

/// Returns the headers of all replies of an operation, by name. A header that several replies describe has the
/// documentation of the first.
pub fn headers<'r, 'd: 'r>(
    responses: impl Iterator<Item = &'r View<'d>>,
    context: &Context<'d>,
) -> Vec<ReplyHeader> {
    let mut found: BTreeMap<String, (View<'d>, Type)> = BTreeMap::new();
    for response in responses {
        for (name, start) in response.map("headers") {
            let wire = name.to_ascii_lowercase();
            if wire == IGNORED {
                continue;
            }
            // What a broken reference loses has been reported; the header is a text.
            let target = start.clone().followed();
            let is_header = |it: &View<'d>| context.document.item(Kind::Header, it.pointer.clone());
            let header = target.filter(|it| is_header(it).is_some()).unwrap_or(start);
            let ty = value(&header, context);
            match found.get_mut(&wire) {
                Some((_, first)) if *first == ty => {}
                Some((_, first)) => *first = Type::String,
                None => {
                    found.insert(wire, (header, ty));
                }
            }
        }
    }
    let requests = found.iter().map(|(wire, (header, _))| NameRequest::new(wire, &header.pointer));
    let what = |name: &String| format!("the constant `{name}`");
    let constants = context.assign(requests, |_, text| names::constant(text), what);
    let headers = found.into_iter().zip(constants).map(|((wire, (header, ty)), constant)| {
        let schema = header.schema();
        let of_schema = schema.as_ref().and_then(|schema| schema.description());
        let docs = docs(header.description().or(of_schema), None, header.deprecated());
        ReplyHeader { constant, wire, ty, docs, pointer: header.pointer.to_string() }
    });
    headers.collect()
}

/// Returns the type of a header: a scalar or a list of scalars, or `String` for any other schema.
fn value<'d>(header: &View<'d>, context: &Context<'d>) -> Type {
    let Some(schema) = header.schema() else { return Type::String };
    let values = context.reading.values(&schema);
    match values.items().filter(|_| values.only_kind() == Some(JsonKind::Array)) {
        Some(items) => Type::List(Box::new(scalar(items, &context.reading.values(items), context))),
        None => scalar(&schema, &values, context),
    }
}

/// Returns the type of a scalar, whose form in a header is its text.
fn scalar<'d>(schema: &Schema<'d>, values: &Values<'d>, context: &Context<'d>) -> Type {
    let target = context.reading.target(schema);
    let described = target.as_ref().map_or(schema, |target| &target.0);
    let ty = match (context.own_type(described, values.format()), values.simple()) {
        (Some(own), _) => own,
        (None, Some(Type::Scalar(scalar))) => Type::Scalar(scalar.in_rust()),
        _ => Type::String,
    };
    if values.is_secret { Type::Secret(Box::new(ty)) } else { ty }
}
