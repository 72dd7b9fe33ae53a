//! The successful replies of an operation.

use std::collections::BTreeSet;

use super::bodies::{ReplyReader, word};
use super::items::{self, Contents};
use super::media::{MediaType, ReplyKind, preference, reply_kind};
use crate::diagnostics::{Code, Place};
use crate::document::{Schema, View};
use crate::ir::{
    Body, Content, Field, FieldWire, MethodName, Output, Parameter, ReplyCase, ReplyEnum,
    ReplyPart, ReplyVariant, Shape, Status, StreamItem, StreamKind, StreamReply, Successes, Type,
    TypeId, VariantName,
};
use crate::lower::schemas::Types;
use crate::lower::{Context, docs};
use crate::names::{self, NameRequest};

/// The word for a body in the names of inline types.
const RESPONSE: &str = "Response";

impl<'d> ReplyReader<'_, '_, 'd> {
    /// Lowers the successful replies: one content, none, one or none, or an enum of several.
    pub fn successes(&mut self, responses: &[(Status, View<'d>)]) -> Successes {
        let mut lowered = Successes::default();
        let mut contents: Vec<Content> = Vec::new();
        for (status, response) in responses {
            let status = *status;
            let is_empty = matches!(status, Status::Code(204 | 205 | 300..) | Status::Range(3));
            let has_body = !self.is_head && !is_empty;
            let media: Vec<_> = response.content().filter(|_| has_body).collect();
            let known = &self.schemas.context.reading;
            let kinds =
                media.iter().map(|(name, view)| (reply_kind(name, view, known), *name, view));
            let best = kinds.clone().min_by_key(|(kind, name, _)| preference(*kind, name));
            let alternatives = best.map(|(.., view)| alternatives(view)).unwrap_or_default();
            let absent = alternatives.iter().filter(|alternative| alternative.is_false()).count();
            let is_empty = absent > 0 && absent == alternatives.len();
            let content = best.filter(|_| !is_empty).map(|(kind, name, view)| {
                let prefix = if contents.is_empty() { String::new() } else { word(status) };
                let body_word = format!("{prefix}{RESPONSE}");
                let content = self.body(&body_word, kind, view);
                add_media(&mut lowered, status, (kind, name, view), kinds);
                if matches!(kind, ReplyKind::Text | ReplyKind::Bytes) {
                    let bytes = (Output::One(Content::Bytes), None);
                    let way = (StreamKind::Bytes, names::method(StreamKind::Bytes.method()));
                    add_stream(&mut lowered.streams, way, (status, name, view), bytes);
                }
                content
            });
            self.add_parts(&mut lowered.streams, status, &media);
            if absent > 0 || content.is_none() {
                lowered.empty.push(status);
            }
            if let Some(content) = &content {
                add_content(&mut contents, content);
            }
            lowered.cases.push(ReplyCase { status, content, variant: None, media: None });
        }
        if contents.is_empty() && self.operation.pointer.last() == Some("get") {
            note_undescribed(responses, self.schemas.context);
        }
        lowered.output = match contents.as_slice() {
            [] => Output::Nothing,
            [content] if !lowered.empty.is_empty() => Output::Optional(content.clone()),
            [content] => Output::One(content.clone()),
            _ => Output::Several(self.union(&mut lowered.cases)),
        };
        lowered.streams.sort_by_key(|stream| stream.kind);
        if matches!(lowered.output, Output::Several(_)) {
            lowered.streams.retain(|stream| stream.kind != StreamKind::Bytes);
        } else {
            let with_content = lowered.cases.drain(..).filter(|case| case.content.is_some());
            lowered.statuses = with_content.map(|case| case.status).collect();
        }
        lowered
    }

    /// Adds the events and the lines of a response.
    fn add_parts(
        &mut self,
        streams: &mut Vec<StreamReply>,
        status: Status,
        media: &[(&str, View<'d>)],
    ) {
        let context = self.schemas.context;
        let known = &context.reading;
        for (name, view) in media {
            let (kind, word) = match reply_kind(name, view, known) {
                ReplyKind::Events => (StreamKind::Events, "Event"),
                ReplyKind::Lines => (StreamKind::Lines, "Line"),
                _ => {
                    items::warn(view, context);
                    continue;
                }
            };
            let items = items::of(view, known);
            let sentinel = context.settings.sentinel.clone();
            let described = items.clone().or_else(|| view.schema());
            let contents = described.as_ref().map(|described| {
                let usual = sentinel.as_deref().unwrap_or(StreamReply::SENTINEL);
                items::contents(view, kind, described, usual, context)
            });
            let contents = contents.unwrap_or_default();
            let sites = contents.iter().map(|(event, json)| StreamItem {
                event: event.clone(),
                schema: json.as_ref().map(|schema| schema.pointer.clone()),
            });
            self.schemas.sites.items.insert(view.pointer.clone(), sites.collect());
            let output = match (described, contents.as_slice()) {
                (Some(event), [_, _, ..]) => Output::Several(self.data(event, contents)),
                (None, _) if kind == StreamKind::Lines => Output::One(Content::Json(Type::Value)),
                (_, [(_, Some(json))]) => {
                    let part = self.json(word, view, json);
                    Output::One(match part.without_null() {
                        Content::Json(Type::String | Type::Value) if kind == StreamKind::Events => {
                            Content::Text
                        }
                        // The schema is that of the text of all lines.
                        Content::Json(Type::String) if items.is_none() => {
                            Content::Json(Type::Value)
                        }
                        _ => part,
                    })
                }
                _ => Output::One(Content::Text),
            };
            let way = (kind, names::method(kind.method()));
            add_stream(streams, way, (status, name, view), (output, sentinel));
        }
    }

    /// Defines the enum of the data of events, with a variant for each name.
    fn data(&mut self, event: Schema<'d>, contents: Contents<'d>) -> TypeId {
        let event = event.target().unwrap_or(event);
        let owner = self.owner.at(&event.pointer, "Event", self.origin()).property("data");
        let schemas = &mut *self.schemas;
        let (id, is_new) = schemas.types.inline(event.pointers(), &owner);
        if !is_new {
            return id;
        }
        let requests =
            contents.iter().map(|(name, _)| NameRequest::new(name.as_str(), &event.pointer));
        let what = |name: &VariantName| format!("the variant `{name}`");
        let names = schemas.context.assign(requests, |_, text| names::variant(text), what);
        let variants = names.into_iter().zip(contents).map(|(name, (event, json))| {
            let json = json.map(|json| schemas.received_type_of(&json, &owner.variant(&event)));
            let json = json.filter(|json| !matches!(json.not_null(), Type::String | Type::Value));
            ReplyVariant {
                name,
                content: Some(json.map_or(Content::Text, Content::Json)),
                event: Some(event),
            }
        });
        let shape =
            Shape::Reply(ReplyEnum { variants: variants.collect(), part: ReplyPart::Event });
        schemas.types.place(
            id,
            &event.pointer,
            &owner,
            docs(event.description(), None, false),
            shape,
        );
        id
    }

    /// Defines the enum of several contents, with a variant for each status.
    fn union(&mut self, cases: &mut [ReplyCase]) -> TypeId {
        let mut variants = Vec::with_capacity(cases.len());
        for case in cases {
            let label = match case.status {
                Status::Default => "Default".to_owned(),
                status => word(status),
            };
            let name = names::variant(&label);
            case.variant = Some(name.clone());
            variants.push(ReplyVariant { name, content: case.content.clone(), event: None });
        }
        let owner = self.owner.child("Reply", self.origin());
        self.define(variants, ReplyPart::Success, &owner)
    }
}

/// Notes that the body of a GET is not described, although the status promises one (RFC 9110, section 15.3.1).
fn note_undescribed(responses: &[(Status, View<'_>)], context: &Context<'_>) {
    let ok = responses.iter().find(|(status, response)| {
        *status == Status::Code(200) && response.content().next().is_none()
    });
    if let Some((_, response)) = ok {
        let message = "the reply has no `content`, so its body is not read";
        let place = Place::key(&response.pointer);
        let help = "describe the body, or write 204 if there is none";
        context.report(Code::NoContent, place, message).help(help);
    }
}

/// Returns the alternatives of a body. An alternative that excludes everything means that there is no body: oRPC
/// describes undefined values in this way.
fn alternatives<'d>(media: &View<'d>) -> Vec<Schema<'d>> {
    let Some(schema) = media.schema() else { return Vec::new() };
    let schema = schema.target().unwrap_or(schema);
    let alternatives = schema.alternatives();
    if alternatives.is_empty() { vec![schema] } else { alternatives }
}

/// Adds a content that differs from the others. If it differs only in that it may be null, the other one may be null.
fn add_content(contents: &mut Vec<Content>, content: &Content) {
    let bare = content.without_null();
    match contents.iter_mut().find(|other| other.without_null() == bare) {
        None => contents.push(content.clone()),
        Some(other) if *content != bare => other.clone_from(content),
        Some(_) => {}
    }
}

/// Adds the media types of a response: types that are decoded, and types that methods ask for.
fn add_media<'m, 'd: 'm>(
    lowered: &mut Successes,
    status: Status,
    (best, best_name, best_view): (ReplyKind, &str, &View<'d>),
    all: impl Iterator<Item = (ReplyKind, &'m str, &'m View<'d>)>,
) {
    for (kind, name, view) in all {
        let is_same_json = || view.get("schema") == best_view.get("schema");
        // Next to streams alone, the whole text is read, of any of them.
        let is_decoded = (kind == best || best >= ReplyKind::Events)
            && (kind != ReplyKind::Json || is_same_json());
        if name == best_name || is_decoded {
            let name = name.trim().to_owned();
            if name.contains('/')
                && name.bytes().all(|byte| matches!(byte, b' '..=b'~'))
                && !lowered.accept.contains(&name)
            {
                lowered.accept.push(name);
            }
        } else if matches!(kind, ReplyKind::Text | ReplyKind::Bytes) && !name.contains('*') {
            let [label, _] = MediaType::labels(name);
            let content = if kind == ReplyKind::Text { Content::Text } else { Content::Bytes };
            let way = (StreamKind::Whole, names::sending_as(&label));
            add_stream(
                &mut lowered.streams,
                way,
                (status, name, view),
                (Output::One(content), None),
            );
        }
    }
}

/// Adds a reply that a method reads, the first one of its name with all statuses.
fn add_stream(
    streams: &mut Vec<StreamReply>,
    (kind, method): (StreamKind, MethodName),
    (status, media, view): (Status, &str, &View<'_>),
    (output, sentinel): (Output, Option<String>),
) {
    match streams.iter_mut().find(|other| other.method == method) {
        Some(other) => {
            other.statuses.insert(status);
            if other.media.split(", ").all(|known| known != media.trim()) {
                other.media = format!("{}, {}", other.media, media.trim());
            }
        }
        None => streams.push(StreamReply {
            kind,
            method,
            media: media.trim().to_owned(),
            statuses: BTreeSet::from([status]),
            output,
            sentinel,
            property: None,
            pointer: view.pointer.to_string(),
        }),
    }
}

/// Finds the boolean property `stream` of the body, which asks for events or lines instead of JSON: it has no setter. A
/// method with the name of a setter or an argument gets a longer name.
pub fn connect(
    successes: &mut Successes,
    body: &mut Body,
    parameters: &[Parameter],
    types: &Types,
) {
    let streams = successes.streams.iter_mut();
    let mut streams: Vec<_> = streams.filter(|it| it.kind != StreamKind::Whole).collect();
    let has_streams = successes.output.json().is_some() && !streams.is_empty();
    if let Body::Fields(id, members) = body
        && has_streams
    {
        let object = types.as_struct(&Type::Named(id.type_id())).map(|(_, object)| object);
        let fields = object.map_or(&[][..], |object| &object.fields);
        let wire = FieldWire::Property("stream".to_owned());
        let is_stream =
            |field: &Field| field.wire == wire && field.ty == Type::BOOL && !field.required;
        let index = fields.iter().position(is_stream);
        let property = index.and_then(|index| fields.get(index)).map(|field| field.name.clone());
        for stream in &mut streams {
            stream.property.clone_from(&property);
        }
        members.retain(|member| Some(member.index) != index);
    }
    let members = match body {
        Body::Fields(_, members) => members.as_slice(),
        _ => &[],
    };
    let taken = parameters.iter().map(|parameter| &parameter.name);
    let taken: Vec<_> = taken.chain(members.iter().map(|member| &member.name)).collect();
    for stream in streams {
        let name = stream.kind.method();
        if taken.iter().any(|taken| taken.bare() == name) {
            stream.method = names::method(&format!("send_{name}"));
        }
    }
}
