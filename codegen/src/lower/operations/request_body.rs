//! The body of a request, by its media type.

use super::draft::Draft;
use super::forms;
use super::items;
use super::media::{self, MediaType, is_lines};
use crate::diagnostics::{Code, Place};
use crate::document::View;
use crate::facts::Known;
use crate::ir::{Access, Body, BodyField, Format, Media, Origin, Struct, Type};
use crate::lower::schemas::Schemas;
use crate::lower::{Context, Owner};
use crate::media_type::MediaKind;

pub fn request_body<'d>(
    draft: &Draft<'d>,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> (Body, Option<Media>) {
    let Some((view, media)) = &draft.body else { return (Body::None, None) };
    let origin = Origin::RequestBody(draft.id.to_string());
    let owner = &owner.at(&media.view.pointer, "Request", origin);
    let (ty, format) = match media.kind {
        MediaKind::Json => (value(media, owner, schemas), Format::Json),
        MediaKind::Form | MediaKind::Multipart => form(media, owner, schemas),
        MediaKind::Other if is_lines(&media.name) && media.view.item_schema().is_some() => {
            (value(media, owner, schemas), Format::Lines)
        }
        MediaKind::Text | MediaKind::Xml | MediaKind::Other => {
            encoded(media, draft.labels.is_none(), schemas.context)
        }
    };
    if !matches!((&ty, &format), (Type::List(_), Format::Lines | Format::Multipart(_))) {
        items::warn(&media.view, schemas.context);
    }
    let is_json = format == Format::Json;
    let body = match schemas.types.as_struct(&ty) {
        Some((_, object)) if is_json && object.is_empty() => Body::EmptyObject,
        Some((id, object)) if !must_be_omittable(view, media, object, &schemas.context.reading) => {
            Body::Fields(id, body_fields(object))
        }
        None if is_json && ty == Type::Map && is_always_empty(media, &schemas.context.reading) => {
            Body::EmptyObject
        }
        _ => Body::Whole { ty, required: view.flag("required") },
    };
    let pointer = draft.labels.is_some().then(|| media.view.pointer.to_string());
    (body, Some(Media { name: media.name.clone(), format, pointer }))
}

/// Returns whether arguments for the fields of a body would leave no way to omit it. Without `required`, it can be omitted
/// if it may be null.
fn must_be_omittable<'d>(
    body: &View<'d>,
    media: &MediaType<'d>,
    object: &Struct,
    known: &Known<'d>,
) -> bool {
    let can_be_null = media.view.schema().is_some_and(|it| known.values(&it).is_nullable());
    let can_be_omitted = !body.flag_if_written("required").unwrap_or(!can_be_null);
    can_be_omitted && (can_be_null || object.required().next().is_some())
}

fn form<'d>(media: &MediaType<'d>, owner: &Owner, schemas: &mut Schemas<'_, 'd>) -> (Type, Format) {
    let mut ty = value(media, owner, schemas);
    if let Some(format) = forms::parts(media, &mut ty, schemas) {
        return (ty, format);
    }
    if forms::is_object(&ty) {
        let format = forms::format(media, &mut ty, owner, schemas);
        return (ty, format);
    }
    let message = format!("the schema of `{}` is not an object", media.name);
    let help = "the body is sent as it is passed; describe the fields of the form as properties";
    warn(media, message, help, schemas.context);
    (Type::Upload, Format::Upload)
}

/// Returns the type and the format of a body that the caller encodes. Next to another one (`!is_default`) it needs no
/// warning: there may be a request with a type.
fn encoded<'d>(media: &MediaType<'d>, is_default: bool, context: &Context<'d>) -> (Type, Format) {
    let (sent_as, ty, format) = match media.kind {
        MediaKind::Other => ("bytes", Type::Upload, Format::Upload),
        _ => ("text", Type::String, Format::Text),
    };
    if (is_default || media.kind == MediaKind::Xml)
        && media::is_encoded(&media.view, &context.reading)
    {
        let help = match media.kind {
            MediaKind::Other => "pass the encoded body; forms have the type `multipart/form-data`",
            _ => "pass the encoded body",
        };
        let message = format!("bodies of the type `{}` are sent as {sent_as}", media.name);
        warn(media, message, help, context);
    }
    (ty, format)
}

/// Warns of a media type whose body has no type.
fn warn(media: &MediaType<'_>, message: String, help: &str, context: &Context<'_>) {
    let place = Place::key(&media.view.pointer);
    context.report(Code::Unsupported, place, message).help(help);
}

fn value<'d>(media: &MediaType<'d>, owner: &Owner, schemas: &mut Schemas<'_, 'd>) -> Type {
    let is_sequence = media.kind == MediaKind::Multipart || is_lines(&media.name);
    let item = media.view.item_schema().filter(|_| is_sequence);
    let Some(schema) = item.clone().or_else(|| media.view.schema()) else { return Type::Value };
    let ty = schemas.sent_type_of(&schema, owner);
    if item.is_some() { Type::List(Box::new(ty)) } else { ty }
}

/// Returns whether an inline schema allows no properties. The first property would remove an argument for its value.
fn is_always_empty<'d>(media: &MediaType<'d>, known: &Known<'d>) -> bool {
    media.view.schema().is_some_and(|schema| known.facts(&schema).is_closed)
}

/// Returns the fields of a body that callers can set, with their names in the struct.
fn body_fields(object: &Struct) -> Vec<BodyField> {
    let fields = object.fields.iter().enumerate();
    let given = fields.filter(|(_, field)| field.access != Access::Read);
    given.map(|(index, field)| BodyField { index, name: field.name.clone() }).collect()
}
