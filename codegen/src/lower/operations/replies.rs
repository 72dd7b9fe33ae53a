//! The replies of an operation: the successful ones, and the bodies of errors.

use super::failures::FailureEnums;
use super::headers;
use super::media::ReplyKind;
use crate::document::{Kind, Schema, StatusKey, View};
use crate::ir::{
    Content, Docs, Failures, Origin, ReplyEnum, ReplyHeader, ReplyPart, ReplyVariant, Shape,
    Status, Successes, Type, TypeId,
};
use crate::lower::Owner;
use crate::lower::schemas::Schemas;
use crate::names;

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
    let headers = headers::headers(all, context);
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

/// Returns the word for a status in the names of types and variants.
pub fn word(status: Status) -> String {
    match status {
        Status::Code(code) => {
            let reason = http_reason(code);
            reason.map_or_else(|| format!("Status{code}"), names::camel)
        }
        Status::Range(2) => "Success".to_owned(),
        Status::Range(3) => "Redirection".to_owned(),
        Status::Range(4) => "ClientError".to_owned(),
        Status::Range(_) => "ServerError".to_owned(),
        Status::Default => "Error".to_owned(),
    }
}

/// Returns the reason phrase of a status, by the words of RFC 9110, section 15, and of the registry of IANA.
fn http_reason(code: u16) -> Option<&'static str> {
    REASONS.lines().flat_map(|line| line.split(", ")).find_map(|row| {
        let (listed, phrase) = row.split_once(' ')?;
        (listed.parse() == Ok(code)).then_some(phrase)
    })
}

/// The reason phrases of all registered statuses.
const REASONS: &str = "\
100 Continue, 101 Switching Protocols, 102 Processing, 103 Early Hints
200 OK, 201 Created, 202 Accepted, 203 Non Authoritative Information, 204 No Content, 205 Reset Content
206 Partial Content, 207 Multi-Status, 208 Already Reported, 226 IM Used
300 Multiple Choices, 301 Moved Permanently, 302 Found, 303 See Other, 304 Not Modified, 305 Use Proxy
307 Temporary Redirect, 308 Permanent Redirect
400 Bad Request, 401 Unauthorized, 402 Payment Required, 403 Forbidden, 404 Not Found, 405 Method Not Allowed
406 Not Acceptable, 407 Proxy Authentication Required, 408 Request Timeout, 409 Conflict, 410 Gone, 411 Length Required
412 Precondition Failed, 413 Content Too Large, 414 URI Too Long, 415 Unsupported Media Type, 416 Range Not Satisfiable
417 Expectation Failed, 418 I'm a teapot, 421 Misdirected Request, 422 Unprocessable Content, 423 Locked
424 Failed Dependency, 425 Too Early, 426 Upgrade Required, 428 Precondition Required, 429 Too Many Requests
431 Request Header Fields Too Large, 451 Unavailable For Legal Reasons
500 Internal Server Error, 501 Not Implemented, 502 Bad Gateway, 503 Service Unavailable, 504 Gateway Timeout
505 HTTP Version Not Supported, 506 Variant Also Negotiates, 507 Insufficient Storage, 508 Loop Detected
510 Not Extended, 511 Network Authentication Required";
