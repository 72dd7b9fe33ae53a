//! The replies of an operation: the successful ones, and the bodies of errors.

use std::collections::BTreeMap;

use super::failures::FailureEnums;
use super::media::ReplyKind;
use crate::document::{Kind, Schema, StatusKey, View};
use crate::facts::Values;
use crate::ir::{
    Content, Docs, Failures, JsonKind, Origin, ReplyEnum, ReplyHeader, ReplyPart, ReplyVariant,
    Shape, Status, Successes, Type, TypeId,
};
use crate::lower::schemas::Schemas;
use crate::lower::{Context, Owner, docs};
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
    for (key, view) in reader.operation.responses() {
        let response = context.item(&view, Kind::Response);
        responses.extend(response.map(|response| (status(key), response)));
    }
    responses.sort_by_key(|(status, _)| *status);
    let all = responses.iter().map(|(_, response)| response);
    let headers = headers(all, context);
    let is_own = |status: Status| [2, 3].iter().any(|it| Status::Range(*it).contains(status));
    let has_own = reader.operation.responses().any(|(key, _)| is_own(status(key)));
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

fn status(key: StatusKey) -> Status {
    match key {
        StatusKey::Code(code) => Status::Code(code),
        StatusKey::Range(first) => Status::Range(first),
        StatusKey::Default => Status::Default,
    }
}

/// The replies of an operation while they are lowered.
pub struct ReplyReader<'a, 's, 'd> {
    /// The Operation Object.
    pub operation: &'a View<'d>,
    /// The `operationId`.
    pub id: &'a str,
    /// The owner of its inline types.
    pub owner: &'a Owner,
    /// Whether replies have no bodies, such as replies to HEAD.
    pub is_head: bool,
    /// The JSON bodies. Equal inline schemas are one type.
    pub bodies: Vec<(View<'d>, Content)>,
    pub schemas: &'a mut Schemas<'s, 'd>,
}

impl<'d> ReplyReader<'_, '_, 'd> {
    /// Lowers JSON of a media type that has a schema. Its type is named after a word if it is inline.
    pub fn json(&mut self, word: &str, media: &View<'d>, schema: &Schema<'d>) -> Content {
        if let Some((_, content)) = self.bodies.iter().find(|(other, _)| schema.is_same(other)) {
            if let Content::Json(ty) = content {
                self.schemas.sites.roots.insert(schema.pointer.clone(), ty.clone());
            }
            return content.clone();
        }
        let owner = self.owner.at(&media.pointer, word, self.origin());
        let content = Content::Json(self.schemas.received_type_of(schema, &owner));
        self.bodies.push(((**schema).clone(), content.clone()));
        content
    }

    pub fn origin(&self) -> Origin {
        Origin::ResponseBody(self.id.to_owned())
    }

    /// Defines the enum of several contents.
    pub fn define(
        &mut self,
        variants: Vec<ReplyVariant>,
        part: ReplyPart,
        owner: &Owner,
    ) -> TypeId {
        let pointer = self.operation.pointer.join("responses");
        let types = &mut self.schemas.types;
        let id = types.reserve();
        let shape = Shape::Reply(ReplyEnum { variants, part });
        types.place(id, &pointer, owner, Docs::default(), shape);
        id
    }

    pub fn body(&mut self, word: &str, kind: ReplyKind, media: &View<'d>) -> Content {
        match (kind, media.schema()) {
            (ReplyKind::Json, Some(schema)) => self.json(word, media, &schema),
            (ReplyKind::Json, None) => Content::Json(Type::Value),
            (ReplyKind::Text | ReplyKind::Events | ReplyKind::Lines, _) => Content::Text,
            (ReplyKind::Bytes, _) => Content::Bytes,
        }
    }
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
        let docs = docs(header.description().or(of_schema), None, header.deprecated());
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

/// Returns the word for a status in the names of types and variants.
pub fn word(status: Status) -> String {
    match status {
        Status::Code(code) => {
            let reason = names::http_reason(code);
            reason.map_or_else(|| format!("Status{code}"), names::camel)
        }
        Status::Range(2) => "Success".to_owned(),
        Status::Range(3) => "Redirection".to_owned(),
        Status::Range(4) => "ClientError".to_owned(),
        Status::Range(_) => "ServerError".to_owned(),
        Status::Default => "Error".to_owned(),
    }
}
