//! Forms: the encodings of their properties, and their files.

use super::media::MediaType;
use crate::diagnostics::Place;
use crate::document::{Kind, Schema, View};
use crate::ir::{
    Encoding, EncodingRule, FieldWire, Format, JsonKind, ListKeys, PartHeader, Serialization,
    Style, Type,
};
use crate::lower::Owner;
use crate::lower::facts::Values;
use crate::lower::references;
use crate::lower::schemas::{Schemas, Types};
use crate::media_type::MediaKind;

/// Returns whether a type describes objects, which forms can be, or any JSON.
pub fn is_object(ty: &Type) -> bool {
    matches!(ty, Type::Named(_) | Type::Map | Type::Dictionary(_) | Type::TypedObject | Type::Value)
}

/// Returns the format of a form of this type. The binary properties of one in parts become uploads.
pub fn format(
    media: &MediaType<'_>,
    form: &mut Type,
    owner: &Owner,
    schemas: &mut Schemas<'_, '_>,
) -> Format {
    let list_keys = schemas.context.settings.list_keys;
    let views: Vec<_> = media.view.map("encoding").collect();
    let encodings = views.iter().map(|(property, view)| Encoding {
        property: (*property).to_owned(),
        rule: rule(view, list_keys),
        headers: Vec::new(),
    });
    let mut encodings: Vec<_> = encodings.collect();
    if media.kind == MediaKind::Multipart {
        let files = take_uploads(media, form, owner, &mut encodings, &mut schemas.types);
        for (encoding, (_, view)) in encodings.iter_mut().zip(&views) {
            let is_file = files.contains(&encoding.property);
            encoding.headers = part_headers(view, is_file, schemas);
        }
    }
    encodings
        .retain(|encoding| encoding.rule != EncodingRule::Type || !encoding.headers.is_empty());
    match media.kind {
        MediaKind::Multipart => Format::Multipart(encodings),
        _ => Format::Form(encodings),
    }
}

/// Returns the format of a list of parts, whose encodings are by position. Files become uploads. A list of files and
/// other values has no type.
pub fn parts(
    media: &MediaType<'_>,
    list: &mut Type,
    schemas: &mut Schemas<'_, '_>,
) -> Option<Format> {
    let Type::List(item) = list else { return None };
    let prefix = media.view.list("prefixEncoding").enumerate();
    let prefix = prefix.map(|(index, view)| (index.to_string(), view));
    let others = media.view.child("itemEncoding").map(|view| ("*".to_owned(), view));
    let views: Vec<_> = prefix.chain(others).collect();
    if media.kind != MediaKind::Multipart || views.is_empty() && media.view.item_schema().is_none()
    {
        return None;
    }
    let mut rules: Vec<_> = views.iter().map(|(_, view)| content_rule(view)).collect();
    if rules.is_empty() {
        rules.push(EncodingRule::Type);
    }
    let item_schema = media.view.item_schema().map(|item| vec![item]);
    let elements = item_schema.or_else(|| elements(&media.view.schema()?)).unwrap_or_default();
    let is_untyped = Values::are_untyped_parts(&elements);
    let is_file = rules.iter().all(|rule| is_upload(item, rule, is_untyped));
    let has_files = || {
        rules.iter().any(|rule| is_upload(&Type::String, rule, false))
            || elements.iter().any(|schema| Values::of(schema).is_binary())
    };
    if is_file {
        **item = Type::Upload;
    } else if has_files() {
        return None;
    }
    let encodings = views.iter().zip(rules).map(|((position, view), rule)| Encoding {
        property: position.clone(),
        rule,
        headers: part_headers(view, is_file, schemas),
    });
    Some(Format::Multipart(encodings.collect()))
}

/// Returns how a property is written. A style, even if it is the default, replaces the media type (OpenAPI 3.2,
/// "Encoding Object").
fn rule(encoding: &View<'_>, list_keys: ListKeys) -> EncodingRule {
    let explode = encoding.flag_if_written("explode");
    let style = encoding.text("style").and_then(Style::from_name);
    let allow_reserved = encoding.flag_if_written("allowReserved");
    if style.is_none() && explode.is_none() && allow_reserved.is_none() {
        return content_rule(encoding);
    }
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
}

/// Returns how a property without a style is written.
fn content_rule(encoding: &View<'_>) -> EncodingRule {
    let names = encoding.text("contentType");
    names.map_or(EncodingRule::Type, |names| EncodingRule::Content(names.to_owned()))
}

/// Returns the headers that a part needs: headers with only one value, and required headers. Only files can have other
/// values.
fn part_headers(
    encoding: &View<'_>,
    is_file: bool,
    schemas: &mut Schemas<'_, '_>,
) -> Vec<PartHeader> {
    let document = schemas.context.document;
    let mut headers = Vec::new();
    for (name, start) in encoding.map("headers") {
        let header = references::item(document, &start, Kind::Header, schemas.diagnostics);
        // The media type of a part is described by the encoding itself.
        let Some(header) = header.filter(|_| !name.eq_ignore_ascii_case("content-type")) else {
            continue;
        };
        let required = header.flag("required");
        let value = header.schema().and_then(|schema| value(&schema, required));
        if value.is_none() && required && !is_file {
            let message = format!("the part is sent without the header `{name}`");
            let help =
                "give its schema a `const`, or a `default`: only files can have other values";
            let place = Place::key(&start.pointer);
            schemas.diagnostics.warning("unsupported", place, message).help(help);
        } else if value.is_some() || required {
            headers.push(PartHeader { name: name.to_owned(), value });
        }
    }
    headers
}

/// Returns the only value of a header, or the default of a required one.
fn value(schema: &Schema<'_>, required: bool) -> Option<String> {
    let constants = Values::of(schema).constants().unwrap_or_default();
    let only = constants.first().filter(|_| constants.len() == 1);
    let default = || schema.default_value().filter(|_| required)?.scalar();
    only.map(|only| only.text().to_owned()).or_else(default)
}

/// Returns the properties of a form that are parts without a type, or lists of them.
fn untyped<'d>(media: &MediaType<'d>) -> Vec<&'d str> {
    let objects = media.view.schema().and_then(|form| Values::of(&form).objects);
    let objects = objects.iter().flat_map(|objects| &objects.parts);
    let is_untyped = |property: &Schema<'d>| {
        let parts = elements(property).unwrap_or_else(|| vec![property.clone()]);
        Values::are_untyped_parts(&parts)
    };
    let untyped = objects.flat_map(Schema::properties).filter(|(_, it)| is_untyped(it));
    untyped.map(|(name, _)| name).collect()
}

/// Returns the schemas of the elements of a list.
fn elements<'d>(schema: &Schema<'d>) -> Option<Vec<Schema<'d>>> {
    let values = Values::of(schema);
    let is_list = values.only_kind() == Some(JsonKind::Array);
    values.lists.filter(|_| is_list).map(|lists| lists.elements().1)
}

/// Returns whether a part is a file, by its type and its encoding.
fn is_upload(ty: &Type, rule: &EncodingRule, is_untyped: bool) -> bool {
    match ty {
        Type::Binary | Type::Upload => true,
        // A part is never null.
        Type::Nullable(ty) => is_upload(ty, rule, is_untyped),
        Type::Value if *rule == EncodingRule::Type => is_untyped,
        Type::String | Type::Value => {
            matches!(rule, EncodingRule::Content(names) if MediaKind::is_bytes(names))
        }
        _ => false,
    }
}

/// Makes the binary properties of a form in parts uploads, and returns their names. A component of which any value becomes
/// an upload keeps its type, because JSON can have it, too: the form has one of its own.
fn take_uploads(
    media: &MediaType<'_>,
    form: &mut Type,
    owner: &Owner,
    encodings: &mut [Encoding],
    types: &mut Types<'_>,
) -> Vec<String> {
    let untyped = untyped(media);
    let Some((_, object)) = types.as_struct(form) else { return Vec::new() };
    let mut object = object.clone();
    let (mut files, mut is_own) = (Vec::new(), false);
    for field in &mut object.fields {
        let FieldWire::Property(name) = &field.wire else { continue };
        let encoding = encodings.iter_mut().find(|encoding| encoding.property == *name);
        let rule = encoding.as_ref().map_or(&EncodingRule::Type, |encoding| &encoding.rule);
        let ty = match &mut field.ty {
            Type::List(item) => item,
            ty => ty,
        };
        if !is_upload(ty, rule, untyped.contains(&name.as_str())) {
            continue;
        }
        is_own |= *ty.not_null() == Type::Value;
        *ty = Type::Upload;
        files.push(name.clone());
        // A style is for texts.
        if let Some(Encoding { rule: rule @ EncodingRule::Style(_), .. }) = encoding {
            *rule = EncodingRule::Type;
        }
    }
    types.replace(form, object, is_own, (&media.view.pointer, owner));
    files
}
