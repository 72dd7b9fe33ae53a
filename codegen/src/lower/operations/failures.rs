//! The bodies of errors.

use super::media::{ReplyKind, reply_kind};
use crate::diagnostics::Diagnostics;
use crate::document::{Pointer, StatusKey, View};
use crate::ir::{
    Content, Docs, Failures, ModulePath, Origin, ReplyCase, ReplyEnum, ReplyVariant, Shape, Status,
    Type, TypeId, VariantName,
};
use crate::lower::Owner;
use crate::lower::names::{self, NameRequest, Priority};
use crate::lower::schemas::{Schemas, Types};

/// Maximum number of bodies that name their enum. An enum of more belongs to one operation, whose name is shorter.
const MAX_NAMING: usize = 3;

/// The enums of bodies that operations share, each with its bodies.
#[derive(Debug, Default)]
pub struct FailureEnums(Vec<(Vec<Content>, TypeId, Vec<VariantName>)>);

/// An operation whose replies are lowered.
#[derive(Clone, Copy)]
pub struct Replying<'a, 'd> {
    /// The Operation Object.
    pub operation: &'a View<'d>,
    /// The `operationId`.
    pub id: &'a str,
    /// The owner of its inline types.
    pub owner: &'a Owner,
}

/// Lowers the bodies of the errors of an operation: JSON, or else text, of each status. Any JSON is not typed.
pub fn failures<'d>(
    replying: Replying<'_, 'd>,
    responses: &[(StatusKey, View<'d>)],
    enums: &mut FailureEnums,
    schemas: &mut Schemas<'_, 'd>,
) -> Option<Failures> {
    let mut inline: Vec<(View<'d>, Content)> = Vec::new();
    let mut cases = Vec::new();
    for (key, response) in responses {
        let Some(status) = failing(*key) else { continue };
        let mut media = response.content();
        let content = match best(&mut media) {
            None => continue,
            Some((ReplyKind::Text, _)) => Content::Text,
            Some((ReplyKind::Json, media)) => json(replying, status, &media, &mut inline, schemas),
            Some(_) => Content::Untyped,
        };
        cases.push(ReplyCase { status, content, variant: None });
    }
    without_needless(&mut cases);
    let first = cases.iter().find(|case| case.content != Content::Untyped)?;
    let mut typed = cases.iter().filter(|case| case.content != Content::Untyped);
    if typed.all(|case| case.content == first.content) {
        return Some(Failures { union: None, cases });
    }
    let (union, variants) = enums.of(replying, &cases, schemas);
    for case in &mut cases {
        let variant = variants.iter().find(|(content, _)| *content == case.content);
        case.variant = variant.map(|(_, name)| name.clone());
    }
    Some(Failures { union: Some(union), cases })
}

/// Lowers a JSON body. Equal inline schemas of an operation are one type.
fn json<'d>(
    replying: Replying<'_, 'd>,
    status: Status,
    media: &View<'d>,
    inline: &mut Vec<(View<'d>, Content)>,
    schemas: &mut Schemas<'_, 'd>,
) -> Content {
    let (Some(place), Some(schema)) = (media.child("schema"), media.schema()) else {
        return Content::Untyped;
    };
    if let Some((_, content)) = inline.iter().find(|(other, _)| place.is_same(other)) {
        return content.clone();
    }
    let origin = Origin::ResponseBody(replying.id.to_owned());
    let word = word(status);
    let owner = schemas.context.owner_at(&media.pointer, replying.owner, &word, origin);
    let content = match schemas.received_type_of(&schema, &owner) {
        Type::Value => Content::Untyped,
        ty => Content::Json(ty),
    };
    inline.push((place, content.clone()));
    content
}

/// Removes the statuses without a type, unless one with a type contains them.
fn without_needless(cases: &mut Vec<ReplyCase>) {
    let is_typed = |case: &ReplyCase| case.content != Content::Untyped;
    let typed: Vec<Status> =
        cases.iter().filter(|case| is_typed(case)).map(|case| case.status).collect();
    cases.retain(|case| is_typed(case) || typed.iter().any(|typed| typed.contains(case.status)));
}

impl FailureEnums {
    /// Returns the enum of the bodies of an operation, with the variant of each.
    fn of<'d>(
        &mut self,
        replying: Replying<'_, 'd>,
        cases: &[ReplyCase],
        schemas: &mut Schemas<'_, 'd>,
    ) -> (TypeId, Vec<(Content, VariantName)>) {
        let types = &schemas.types;
        let mut labeled: Vec<(String, Content)> = Vec::new();
        for ReplyCase { content, .. } in cases {
            if *content == Content::Untyped {
                continue;
            }
            if labeled.iter().all(|(_, other)| other != content) {
                labeled.push((label(content, types), content.clone()));
            }
        }
        // The order of the document makes no difference.
        labeled.sort_by(|(one, _), (other, _)| one.cmp(other));
        let contents: Vec<Content> = labeled.iter().map(|(_, content)| content.clone()).collect();
        let is_shared = contents.len() <= MAX_NAMING;
        let with_variants =
            |names: &[VariantName]| contents.iter().cloned().zip(names.iter().cloned()).collect();
        let known = self.0.iter().find(|(known, ..)| is_shared && *known == contents);
        if let Some((_, id, names)) = known {
            return (*id, with_variants(names));
        }
        let pointer = replying.operation.pointer.join("responses");
        let names = variants(&labeled, &pointer, schemas.diagnostics);
        let owner = if is_shared {
            let labels: Vec<&str> = labeled.iter().map(|(label, _)| label.as_str()).collect();
            shared(&labels.join("Or"), schemas)
        } else {
            let origin = Origin::ResponseBody(replying.id.to_owned());
            replying.owner.child("Failure", origin).named()
        };
        let variants = names
            .iter()
            .zip(&contents)
            .map(|(name, content)| ReplyVariant { name: name.clone(), content: content.clone() });
        let shape = Shape::Reply(ReplyEnum { variants: variants.collect() });
        let id = schemas.types.reserve();
        schemas.types.place(id, &pointer, &owner, Docs::default(), shape);
        let with_variants = with_variants(&names);
        self.0.extend(is_shared.then_some((contents, id, names)));
        (id, with_variants)
    }
}

/// Returns the status of an error.
fn failing(key: StatusKey) -> Option<Status> {
    match key {
        StatusKey::Code(code @ 400..) => Some(Status::Code(code)),
        StatusKey::Range(range @ 4..) => Some(Status::Range(range)),
        StatusKey::Default => Some(Status::Default),
        StatusKey::Code(_) | StatusKey::Range(_) => None,
    }
}

/// Returns the media type that is decoded: the first one that is JSON, or else the first text, or else any.
fn best<'d>(media: &mut dyn Iterator<Item = (&'d str, View<'d>)>) -> Option<(ReplyKind, View<'d>)> {
    media.map(|(name, view)| (reply_kind(name, &view), view)).min_by_key(|(kind, _)| *kind)
}

/// Returns the word for the status in the names of inline types.
fn word(status: Status) -> String {
    match status {
        Status::Code(code) => {
            let reason = http_reason(code);
            reason.map_or_else(|| format!("Status{code}"), str::to_owned)
        }
        Status::Range(4) => "ClientError".to_owned(),
        Status::Range(_) => "ServerError".to_owned(),
        Status::Default => "Error".to_owned(),
    }
}

/// Returns the reason phrase of a status (RFC 9110, section 15; RFC 6585), as a name.
fn http_reason(code: u16) -> Option<&'static str> {
    Some(match code {
        400 => "BadRequest",
        401 => "Unauthorized",
        402 => "PaymentRequired",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        406 => "NotAcceptable",
        407 => "ProxyAuthenticationRequired",
        408 => "RequestTimeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "LengthRequired",
        412 => "PreconditionFailed",
        413 => "ContentTooLarge",
        414 => "UriTooLong",
        415 => "UnsupportedMediaType",
        416 => "RangeNotSatisfiable",
        417 => "ExpectationFailed",
        421 => "MisdirectedRequest",
        422 => "UnprocessableContent",
        423 => "Locked",
        424 => "FailedDependency",
        425 => "TooEarly",
        426 => "UpgradeRequired",
        428 => "PreconditionRequired",
        429 => "TooManyRequests",
        431 => "RequestHeaderFieldsTooLarge",
        451 => "UnavailableForLegalReasons",
        500 => "InternalServerError",
        501 => "NotImplemented",
        502 => "BadGateway",
        503 => "ServiceUnavailable",
        504 => "GatewayTimeout",
        505 => "HttpVersionNotSupported",
        507 => "InsufficientStorage",
        _ => return None,
    })
}

/// Returns the word for a body in the names of enums and variants.
fn label(content: &Content, types: &Types<'_>) -> String {
    match content {
        Content::Text | Content::Untyped => "Text".to_owned(),
        Content::Json(ty) => label_of(ty, types),
    }
}

fn label_of(ty: &Type, types: &Types<'_>) -> String {
    match ty {
        Type::Named(id) | Type::AnyText(id) => names::camel(types.raw_name(*id)),
        Type::List(item) => format!("{}List", label_of(item, types)),
        Type::Dictionary(value) => format!("{}Map", label_of(value, types)),
        Type::Nullable(inner) | Type::Secret(inner) => label_of(inner, types),
        Type::Map | Type::TypedObject => "Map".to_owned(),
        Type::Bool => "Boolean".to_owned(),
        Type::Float64 => "Number".to_owned(),
        ty if ty.is_integer() => "Integer".to_owned(),
        _ => "String".to_owned(),
    }
}

fn variants(
    labeled: &[(String, Content)],
    pointer: &Pointer,
    diagnostics: &mut Diagnostics,
) -> Vec<VariantName> {
    let requests = labeled.iter().map(|(label, _)| NameRequest::new(label.as_str(), pointer));
    let what = |name: &VariantName| format!("the variant `{name}`");
    names::assign(requests, |_, text| names::variant(text), what, diagnostics)
}

/// Returns the owner of an enum that operations share.
fn shared(name: &str, schemas: &Schemas<'_, '_>) -> Owner {
    let module = ModulePath::default();
    Owner {
        file: schemas.context.modules.free_file(&module, name),
        module,
        outer: name.to_owned(),
        inner: Vec::new(),
        full: None,
        priority: Priority::Derived,
        origin: Origin::Failures,
    }
}
