//! The headers of replies.

use std::collections::BTreeMap;

use crate::diagnostics::Diagnostics;
use crate::document::{Document, Kind, View};
use crate::ir::{ReplyHeader, Type};
use crate::lower::classify::{Classified, Content, SchemaKind};
use crate::lower::docs;
use crate::lower::references::{self, resolve_refs};
use crate::names::{self, NameRequest};

/// The header that OpenAPI ignores as a header of a response (OpenAPI 3.1 §4.8.17.1).
const IGNORED: &str = "content-type";

/// Returns the headers of all replies of an operation, by name. A header that several replies describe has the
/// documentation of the first.
pub fn headers<'r, 'd: 'r>(
    responses: impl Iterator<Item = &'r View<'d>>,
    document: &'d Document,
    diagnostics: &mut Diagnostics,
) -> Vec<ReplyHeader> {
    let mut found: BTreeMap<String, (View<'d>, Type)> = BTreeMap::new();
    for response in responses {
        for (name, start) in response.map("headers") {
            let wire = name.to_ascii_lowercase();
            if wire == IGNORED {
                continue;
            }
            // What a broken reference loses has been reported; the header is a text.
            let target = references::item(document, &start, Kind::Header, &mut Diagnostics::new());
            let header = target.unwrap_or(start);
            let ty = value(&header);
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
    let constants = names::assign(
        requests,
        |_, text| names::constant(text),
        |name| format!("the constant `{name}`"),
        diagnostics,
    );
    let headers = found.into_iter().zip(constants).map(|((wire, (header, ty)), constant)| {
        let schema = header.schema();
        let of_schema = schema.as_ref().and_then(|schema| schema.description());
        let docs = docs(header.description().or(of_schema), None, header.deprecated());
        ReplyHeader { constant, wire, ty, docs, pointer: header.pointer.to_string() }
    });
    headers.collect()
}

/// Returns the type of a header: a scalar, or a list of them. The value of any other is its text.
fn value(header: &View<'_>) -> Type {
    let classified = header.schema().and_then(|schema| resolve_refs(&schema));
    match classified.map(|(_, classified)| classified) {
        Some(Classified { kind: SchemaKind::List(Content::Of(items)), .. }) => {
            match resolve_refs(&items) {
                Some((_, items)) => Type::List(Box::new(scalar(items))),
                None => Type::String,
            }
        }
        Some(classified) => scalar(classified),
        None => Type::String,
    }
}

/// Returns the type of a scalar, whose form in a header is its text.
fn scalar(classified: Classified<'_>) -> Type {
    let ty = match classified.kind {
        SchemaKind::Simple(Type::Int64Text) => Type::Int64,
        SchemaKind::Simple(Type::UInt64Text) => Type::UInt64,
        SchemaKind::Simple(ty) if ty.is_integer() => ty,
        SchemaKind::Simple(ty @ (Type::Bool | Type::Float64 | Type::Timestamp)) => ty,
        _ => Type::String,
    };
    if classified.secret { Type::Secret(Box::new(ty)) } else { ty }
}
