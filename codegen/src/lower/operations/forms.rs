//! Forms: the encodings of their properties, and their files.

use super::media::{MediaKind, MediaType};
use crate::diagnostics::{Diagnostics, Place};
use crate::document::View;
use crate::ir::{Encoding, EncodingRule, FieldWire, Format, ListKeys, Serialization, Style, Type};
use crate::lower::schemas::{Schemas, Types};

/// Returns whether a type describes objects, which forms can be, or any JSON.
pub fn is_object(ty: &Type) -> bool {
    matches!(ty, Type::Named(_) | Type::Map | Type::Dictionary(_) | Type::TypedObject | Type::Value)
}

/// Returns the format of a form of this type. The binary properties of one in parts become uploads.
pub fn format(media: &MediaType<'_>, form: &Type, schemas: &mut Schemas<'_, '_>) -> Format {
    let mut encodings = encodings(&media.view, schemas.context.choices.list_keys);
    if media.kind == MediaKind::Form {
        return Format::Form(encodings);
    }
    take_uploads(form, &mut encodings, &mut schemas.types);
    Format::Multipart(encodings)
}

/// Warns of a form that has no properties.
pub fn warn(media: &MediaType<'_>, diagnostics: &mut Diagnostics) {
    let message = format!("the schema of `{}` is not an object", media.name);
    diagnostics
        .warning("unsupported", Place::key(&media.view.pointer), message)
        .help("the body is sent as it is passed; describe the fields of the form as properties");
}

/// Returns the encodings of the properties that have one. A style, even if it is the default, replaces the media type
/// (OpenAPI 3.2, "Encoding Object").
fn encodings(media: &View<'_>, list_keys: ListKeys) -> Vec<Encoding> {
    let encodings = media.map("encoding").filter_map(|(property, encoding)| {
        let explode = encoding.flag_if_written("explode");
        let style = encoding.text("style").and_then(Style::from_name);
        let allow_reserved = encoding.flag_if_written("allowReserved");
        let rule = if style.is_none() && explode.is_none() && allow_reserved.is_none() {
            EncodingRule::Content(encoding.text("contentType")?.to_owned())
        } else {
            let style = match style.unwrap_or(Style::Form) {
                Style::DeepObject(_) => Style::DeepObject(list_keys),
                style => style,
            };
            let explode = match style {
                Style::DeepObject(_) => true,
                style => explode.unwrap_or(style == Style::Form),
            };
            let allow_reserved = allow_reserved == Some(true);
            EncodingRule::Style(Serialization { style, explode, allow_reserved })
        };
        Some(Encoding { property: property.to_owned(), rule })
    });
    encodings.collect()
}

/// Makes the binary properties of a form in parts uploads.
fn take_uploads(form: &Type, encodings: &mut Vec<Encoding>, types: &mut Types<'_>) {
    let Some(object) = types.as_struct_mut(form) else { return };
    for field in &mut object.fields {
        let FieldWire::Property(name) = &field.wire else { continue };
        let encoding = encodings.iter().find(|encoding| encoding.property == *name);
        let is_encoded = encoding.is_some_and(|encoding| match &encoding.rule {
            EncodingRule::Content(media_types) => is_binary(media_types),
            EncodingRule::Style(_) => false,
        });
        let ty = match &mut field.ty {
            Type::List(item) => item,
            ty => ty,
        };
        match ty {
            Type::Binary => {}
            Type::String | Type::Value if is_encoded => {}
            _ => continue,
        }
        *ty = Type::Upload;
        // A style is for texts.
        encodings.retain(|encoding| {
            encoding.property != *name || matches!(encoding.rule, EncodingRule::Content(_))
        });
    }
}

/// Returns whether media types describe bytes: none of them is text or JSON.
fn is_binary(content_type: &str) -> bool {
    content_type.split(',').all(|media_type| {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_text = essence.starts_with("text/")
            || ["json", "xml", "x-www-form-urlencoded"].iter().any(|end| essence.ends_with(end));
        !is_text
    })
}
