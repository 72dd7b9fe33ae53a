//! The replies of an operation: the successful ones, and the bodies of errors.

use std::collections::BTreeMap;

use super::bodies::ReplyReader;
use super::failures::FailureEnums;
use crate::document::{Kind, Schema, View};
use crate::facts::Values;
use crate::ir::{Failures, JsonKind, ReplyHeader, Status, Successes, Type};
use crate::lower::{Context, docs};
use crate::names::{self, NameRequest};

#[derive(Debug)]
pub struct Replies {
    pub successes: Successes,
    pub failures: Option<Failures>,
    pub headers: Vec<ReplyHeader>,
    /// Whether successful replies have the header `Link`.
    pub has_links: bool,
}

/// Lowers the replies of an operation. Declared redirects are successful. The default response is that of errors, and a
/// successful one if there is no other.
pub fn replies(mut reader: ReplyReader<'_, '_, '_>, enums: &mut FailureEnums) -> Replies {
    let context = reader.schemas.context;
    let mut responses: Vec<(Status, View<'_>)> = Vec::new();
    for (status, view) in reader.operation.responses() {
        let response = context.item(&view, Kind::Response);
        responses.extend(response.map(|response| (status, response)));
    }
    responses.sort_by_key(|(status, _)| *status);
    let all = responses.iter().map(|(_, response)| response);
    let headers = headers(all, context);
    let is_own = |status: Status| [2, 3].iter().any(|it| Status::Range(*it).contains(status));
    let has_own = reader.operation.responses().any(|(status, _)| is_own(status));
    let is_success = |status| is_own(status) || status == Status::Default && !has_own;
    let is_success = |(status, _): &&(Status, View<'_>)| is_success(*status);
    let successes: Vec<_> = responses.iter().filter(is_success).cloned().collect();
    let has_links = successes
        .iter()
        .flat_map(|(_, response)| response.map("headers"))
        .any(|(name, _)| name.eq_ignore_ascii_case("link"));
    let successes = reader.successes(&successes);
    let failures = reader.failures(&responses, enums).filter(|_| !reader.is_head);
    Replies { successes, failures, headers, has_links }
}

/// The header that OpenAPI ignores as a header of a response (OpenAPI 3.1 §4.8.17.1).
const IGNORED_HEADER: &str = "content-type";

/// Returns the headers of all replies of an operation, by name. A header that several replies describe has the
/// documentation of the first.
fn headers<'r, 'd: 'r>(
    responses: impl Iterator<Item = &'r View<'d>>,
    context: &Context<'d>,
) -> Vec<ReplyHeader> {
    let mut found: BTreeMap<String, (View<'d>, Type)> = BTreeMap::new();
    for response in responses {
        for (name, start) in response.map("headers") {
            let wire = name.to_ascii_lowercase();
            if wire == IGNORED_HEADER {
                continue;
            }
            // What a broken reference loses has been reported; the header is a text.
            let target = start.clone().followed();
            let is_header = |it: &View<'d>| context.document.item(Kind::Header, it.pointer.clone());
            let header = target.filter(|it| is_header(it).is_some()).unwrap_or(start);
            let ty = header_type(&header, context);
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
        let docs = docs(header.description().or(of_schema), None, header.flag("deprecated"));
        ReplyHeader { constant, wire, ty, docs, pointer: header.pointer.to_string() }
    });
    headers.collect()
}

/// Returns the type of a header: a scalar or a list of scalars, or `String` for any other schema.
fn header_type<'d>(header: &View<'d>, context: &Context<'d>) -> Type {
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
