//! The body of a request, by its media type.

use super::draft::Draft;
use super::forms;
use super::items;
use super::media::{self, MediaType, is_lines};
use crate::diagnostics::{Code, Diagnostics, Place};
use crate::facts::{Facts, Read, Values};
use crate::ir::{Access, Body, BodyField, Format, Media, Origin, Struct, Type};
use crate::lower::Owner;
use crate::lower::schemas::Schemas;
use crate::media_type::MediaKind;

/// Lowers the body of a request.
pub fn request_body<'d>(
    draft: &Draft<'d>,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> (Body, Option<Media>) {
    let Some((view, media)) = &draft.body else { return (Body::None, None) };
    let origin = Origin::RequestBody(draft.id.to_string());
    let owner = &owner.at(&media.view.pointer, "Request", origin);
    let whole = |ty| Body::Whole { ty, required: view.flag("required") };
    // Arguments would leave no way to omit the body. Without `required`, it can be omitted if it may be null.
    let fields = |id, object: &Struct, ty| {
        let schema = media.view.schema();
        let can_be_null = schema.is_some_and(|schema| Values::of(&schema).is_nullable());
        let can_be_omitted = !view.flag_if_written("required").unwrap_or(!can_be_null);
        if can_be_omitted && (can_be_null || object.required().next().is_some()) {
            whole(ty)
        } else {
            Body::Fields(id, body_fields(object))
        }
    };
    let (body, format) = match media.kind {
        MediaKind::Json => {
            let ty = value(media, owner, schemas);
            let body = match schemas.types.as_struct(&ty) {
                Some((_, object)) if object.is_empty() => Body::EmptyObject,
                Some((id, object)) => fields(id, object, ty.clone()),
                None if matches!(ty, Type::Map) && is_always_empty(media) => Body::EmptyObject,
                None => whole(ty),
            };
            (body, Format::Json)
        }
        MediaKind::Form | MediaKind::Multipart => {
            let mut ty = value(media, owner, schemas);
            if let Some(format) = forms::parts(media, &mut ty, schemas) {
                (whole(ty), format)
            } else if forms::is_object(&ty) {
                let format = forms::format(media, &mut ty, owner, schemas);
                let body = match schemas.types.as_struct(&ty) {
                    Some((id, object)) => fields(id, object, ty.clone()),
                    None => whole(ty),
                };
                (body, format)
            } else {
                let message = format!("the schema of `{}` is not an object", media.name);
                let help = "the body is sent as it is passed; describe the fields of the form as properties";
                warn(media, message, help, schemas.diagnostics);
                (whole(Type::Upload), Format::Upload)
            }
        }
        MediaKind::Other if is_lines(&media.name) && media.view.item_schema().is_some() => {
            (whole(value(media, owner, schemas)), Format::Lines)
        }
        MediaKind::Text | MediaKind::Xml | MediaKind::Other => {
            let (sent_as, ty, format) = match media.kind {
                MediaKind::Other => ("bytes", Type::Upload, Format::Upload),
                _ => ("text", Type::String, Format::Text),
            };
            // Next to it may be a request with a type.
            let is_default = draft.labels.is_none() || media.kind == MediaKind::Xml;
            if is_default && media::is_encoded(&media.view) {
                let help = match media.kind {
                    MediaKind::Other => {
                        "pass the encoded body; forms have the type `multipart/form-data`"
                    }
                    _ => "pass the encoded body",
                };
                let message = format!("bodies of the type `{}` are sent as {sent_as}", media.name);
                warn(media, message, help, schemas.diagnostics);
            }
            (whole(ty), format)
        }
    };
    let is_sequence = match (&body, &format) {
        (_, Format::Lines) => true,
        (Body::Whole { ty, .. }, Format::Multipart(_)) => matches!(ty, Type::List(_)),
        _ => false,
    };
    if !is_sequence {
        items::warn(&media.view, schemas.diagnostics);
    }
    let pointer = draft.labels.is_some().then(|| media.view.pointer.to_string());
    (body, Some(Media { name: media.name.clone(), format, pointer }))
}

/// Warns of a media type whose body has no type.
fn warn(media: &MediaType<'_>, message: String, help: &str, diagnostics: &mut Diagnostics) {
    let place = Place::key(&media.view.pointer);
    diagnostics.warning(Code::Unsupported, place, message).help(help);
}

/// Returns the type of the value of a body.
fn value<'d>(media: &MediaType<'d>, owner: &Owner, schemas: &mut Schemas<'_, 'd>) -> Type {
    let is_sequence = media.kind == MediaKind::Multipart || is_lines(&media.name);
    let item = media.view.item_schema().filter(|_| is_sequence);
    let Some(schema) = item.clone().or_else(|| media.view.schema()) else { return Type::Value };
    let ty = schemas.sent_type_of(&schema, owner);
    if item.is_some() { Type::List(Box::new(ty)) } else { ty }
}

/// Returns whether an inline schema allows no properties. The first property would remove an argument for its value.
fn is_always_empty(media: &MediaType<'_>) -> bool {
    media.view.schema().is_some_and(|schema| Facts::of(&schema).is_closed)
}

/// Returns the fields of a body that callers can set, with their names in the struct.
fn body_fields(object: &Struct) -> Vec<BodyField> {
    let fields = object.fields.iter().enumerate();
    let given = fields.filter(|(_, field)| field.access != Access::Read);
    given.map(|(index, field)| BodyField { index, name: field.name.clone() }).collect()
}
