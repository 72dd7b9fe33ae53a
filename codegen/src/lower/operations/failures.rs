//! The bodies of errors.

use super::bodies::{ReplyReader, word};
use super::media::{ReplyKind, preference, reply_kind};
use crate::document::{Pointer, View};
use crate::facts::Known;
use crate::ir::{
    Content, Failures, ModulePath, Origin, ReplyCase, ReplyPart, ReplyVariant, Status, Type,
    TypeId, VariantName,
};
use crate::lower::schemas::Types;
use crate::lower::{Context, Owner};
use crate::media_type::essence;
use crate::names::{self, NameRequest, Priority};

/// Maximum number of bodies that name their enum. An enum of more, or of a body without a name, belongs to one operation.
const MAX_NAMING: usize = 3;

/// The enums of bodies that operations share, each with its bodies.
#[derive(Debug, Default)]
pub struct FailureEnums(Vec<(Vec<Content>, TypeId, Vec<VariantName>)>);

impl<'d> ReplyReader<'_, '_, 'd> {
    /// Lowers the bodies of the errors of an operation: JSON, or else text, of each status. Any JSON is not typed. A response
    /// of several types of JSON has them by their media types, the most common one for any other.
    pub fn failures(
        &mut self,
        responses: &[(Status, View<'d>)],
        enums: &mut FailureEnums,
    ) -> Option<Failures> {
        let known = &self.schemas.context.reading;
        let mut cases = Vec::new();
        for (status, response) in responses {
            let status = *status;
            if !matches!(status, Status::Code(400..) | Status::Range(4..) | Status::Default) {
                continue;
            }
            let kinds = response
                .content()
                .map(|(name, view)| (failure_kind(name, &view, known), name, view));
            let mut media: Vec<_> = kinds.collect();
            media.sort_by_key(|(kind, name, _)| preference(*kind, name));
            if media.is_empty() {
                let content = Some(Content::Untyped);
                cases.push(ReplyCase { status, content, variant: None, media: None });
            }
            for (index, (kind, name, view)) in media.iter().enumerate() {
                let content = match kind {
                    ReplyKind::Json => {
                        let body = self.body(&word(status), *kind, view);
                        // A null has no information about the error.
                        match body.without_null() {
                            Content::Json(Type::Value) => Content::Untyped,
                            content => content,
                        }
                    }
                    _ if index > 0 => break,
                    ReplyKind::Text => Content::Text,
                    _ => Content::Untyped,
                };
                let content = Some(content);
                if cases.iter().all(|case| case.status != status || case.content != content) {
                    let media = (index > 0).then(|| essence(name));
                    cases.push(ReplyCase { status, content, variant: None, media });
                }
            }
        }
        cases.sort_by_key(|ReplyCase { status, media, .. }| {
            (*status >= Status::Range(0), *status == Status::Default, media.is_none())
        });
        without_needless(&mut cases);
        let first = cases.iter().find(|case| is_typed(case))?;
        let mut typed = cases.iter().filter(|case| is_typed(case));
        if typed.all(|case| case.content == first.content) {
            return Some(Failures { union: None, cases });
        }
        let (union, variants) = enums.of(self, &cases);
        for case in &mut cases {
            let is_own = |(content, _): &&(Content, _)| Some(content) == case.content.as_ref();
            let variant = variants.iter().find(is_own);
            case.variant = variant.map(|(_, name)| name.clone());
        }
        Some(Failures { union: Some(union), cases })
    }
}

fn is_typed(case: &ReplyCase) -> bool {
    case.content.as_ref().is_some_and(|content| *content != Content::Untyped)
}

/// Removes the statuses without a type, unless one with a type contains them.
fn without_needless(cases: &mut Vec<ReplyCase>) {
    let typed: Vec<Status> =
        cases.iter().filter(|case| is_typed(case)).map(|case| case.status).collect();
    cases.retain(|case| is_typed(case) || typed.iter().any(|typed| typed.contains(case.status)));
}

impl FailureEnums {
    /// Returns the enum of the bodies of an operation, with the variant of each.
    fn of(
        &mut self,
        reader: &mut ReplyReader<'_, '_, '_>,
        cases: &[ReplyCase],
    ) -> (TypeId, Vec<(Content, VariantName)>) {
        let types = &reader.schemas.types;
        let mut labeled: Vec<(String, Content)> = Vec::new();
        for content in
            cases.iter().filter(|case| is_typed(case)).filter_map(|it| it.content.as_ref())
        {
            if labeled.iter().all(|(_, other)| other != content) {
                labeled.push((label(content, types), content.clone()));
            }
        }
        // The order of the document makes no difference.
        labeled.sort_by(|(one, _), (other, _)| one.cmp(other));
        let contents: Vec<Content> = labeled.iter().map(|(_, content)| content.clone()).collect();
        let of_operation = names::camel(&reader.owner.name());
        let own: Vec<Option<String>> = labeled
            .iter()
            .map(|(label, content)| match content {
                Content::Json(ty) if types.is_derived(ty) => {
                    label.strip_prefix(&of_operation).map(str::to_owned)
                }
                _ => None,
            })
            .collect();
        let has_own = own.iter().any(Option::is_some);
        let is_shared = has_own || contents.len() <= MAX_NAMING;
        let with_variants =
            |names: &[VariantName]| contents.iter().cloned().zip(names.iter().cloned()).collect();
        let known = self.0.iter().find(|(known, ..)| is_shared && *known == contents);
        if let Some((_, id, names)) = known {
            return (*id, with_variants(names));
        }
        let pointer = reader.operation.pointer.join("responses");
        let names = variants(&labeled, own, &pointer, reader.schemas.context);
        let owner = if is_shared && !has_own {
            let labels: Vec<&str> = labeled.iter().map(|(label, _)| label.as_str()).collect();
            Owner::new(ModulePath::default(), &labels.join("Or"), Origin::Failures)
        } else {
            reader.owner.child("Failure", reader.origin())
        };
        let variants = names.iter().zip(&contents).map(|(name, content)| ReplyVariant {
            name: name.clone(),
            content: Some(content.clone()),
            event: None,
        });
        let id = reader.define(variants.collect(), ReplyPart::Failure, &owner);
        let with_variants = with_variants(&names);
        self.0.extend(is_shared.then_some((contents, id, names)));
        (id, with_variants)
    }
}

/// Returns the form of the body of an error. Goa writes objects in the type of a vendor as JSON; other
/// values stay raw.
fn failure_kind<'d>(name: &str, media: &View<'d>, known: &Known<'d>) -> ReplyKind {
    let is_object = || media.schema().is_some_and(|it| !known.facts(&it).properties.is_empty());
    let is_of_vendor = essence(name).starts_with("application/vnd.") && !name.contains('+');
    match reply_kind(name, media, known) {
        ReplyKind::Bytes if is_of_vendor && is_object() => ReplyKind::Json,
        kind => kind,
    }
}

/// Returns the word for a body in the names of enums and variants.
fn label(content: &Content, types: &Types) -> String {
    match content {
        Content::Text | Content::Bytes | Content::Untyped => "Text".to_owned(),
        Content::Json(ty) => label_of(ty, types),
    }
}

fn label_of(ty: &Type, types: &Types) -> String {
    match ty {
        Type::Named(id) | Type::AnyText(id) => names::camel(&types.raw_name(*id)),
        Type::List(item) => format!("{}List", label_of(item, types)),
        Type::Dictionary(value) => format!("{}Map", label_of(value, types)),
        Type::Nullable(inner) | Type::Secret(inner) => label_of(inner, types),
        Type::Map | Type::TypedObject => "Map".to_owned(),
        &Type::BOOL => "Boolean".to_owned(),
        &Type::FLOAT64 => "Number".to_owned(),
        ty if ty.is_integer() => "Integer".to_owned(),
        _ => "String".to_owned(),
    }
}

/// Returns the names of variants: after the type, without the words of the operation if it belongs to that (`own`).
fn variants(
    labeled: &[(String, Content)],
    own: Vec<Option<String>>,
    pointer: &Pointer,
    context: &Context<'_>,
) -> Vec<VariantName> {
    let requests = labeled.iter().zip(own).map(|((label, _), own)| {
        let request = NameRequest::new(label.as_str(), pointer);
        let Some(own) = own else { return request };
        let candidates = vec![own.into(), label.as_str().into()];
        NameRequest { priority: Priority::Derived, candidates, ..request }
    });
    let what = |name: &VariantName| format!("the variant `{name}`");
    context.assign(requests, |_, text| names::variant(text), what)
}
