//! Forms: the encodings of their properties, and their files.

use std::collections::{HashMap, HashSet};

use super::draft::Draft;
use super::media::MediaType;
use super::serialization;
use crate::diagnostics::{Code, Place};
use crate::document::{Document, Kind, Pointer, Schema, View};
use crate::facts::{Known, Values};
use crate::ir::{
    Access, Encoding, EncodingRule, FieldWire, Format, JsonKind, ListKeys, Null, PartHeader, Shape,
    Style, Type, TypeId,
};
use crate::lower::schemas::Schemas;
use crate::lower::{Context, Owner};
use crate::media_type::MediaKind;

/// Returns the components to which only forms refer, of one kind and with the same encodings, by place.
pub fn schemas_of_forms(drafts: &[Draft<'_>], document: &Document) -> HashSet<Pointer> {
    let mut forms: HashMap<Pointer, HashMap<&Pointer, _>> = HashMap::new();
    for (_, MediaType { kind, view, .. }) in drafts.iter().filter_map(|draft| draft.body.as_ref()) {
        let reference = view.child("schema").and_then(|it| it.reference());
        let component = reference.filter(|it| Document::key_of(it).is_some());
        if let Some(target) = component.and_then(Pointer::from_reference) {
            let form = (kind, view.get("encoding"));
            forms.entry(target).or_default().insert(&view.pointer, form);
        }
    }
    forms.retain(|_, forms| {
        let first = forms.values().next();
        forms.values().all(|form| form.0.is_form() && Some(form) == first)
    });
    if forms.is_empty() {
        return HashSet::new();
    }
    let mut uses: HashMap<Pointer, usize> = HashMap::new();
    for target in document.tree.targets() {
        for place in target.and_outer().filter(|place| forms.contains_key(*place)) {
            *uses.entry(place.clone()).or_default() += 1;
        }
    }
    forms.retain(|schema, forms| uses.get(schema) == Some(&forms.len()));
    forms.into_keys().collect()
}

/// Returns whether a type describes objects, which forms can be, or any JSON.
pub fn is_object(ty: &Type) -> bool {
    matches!(ty, Type::Named(_) | Type::Map | Type::Dictionary(_) | Type::TypedObject | Type::Value)
}

/// Returns the format of a form of this type. Its files, and what the crate cannot encode, become uploads and texts.
pub fn format<'d>(
    media: &MediaType<'d>,
    form: &mut Type,
    owner: &Owner,
    schemas: &mut Schemas<'_, 'd>,
) -> Format {
    let list_keys = schemas.context.settings.list_keys;
    let views: Vec<_> = media.view.map("encoding").collect();
    let encodings = views.iter().map(|(property, view)| Encoding {
        property: (*property).to_owned(),
        rule: rule(view, list_keys),
        headers: Vec::new(),
    });
    let encodings = encodings.collect();
    let mut parts =
        FormReader { media, encodings, files: HashSet::new(), open: Vec::new(), schemas };
    parts.within(form, None, owner);
    let FormReader { mut encodings, files, schemas, .. } = parts;
    for (encoding, (_, view)) in encodings.iter_mut().zip(&views) {
        let is_file = files.contains(&encoding.property);
        if is_file && matches!(encoding.rule, EncodingRule::Style(_)) {
            // A style is for texts.
            encoding.rule = EncodingRule::Type;
        }
        if media.kind == MediaKind::Multipart {
            encoding.headers = part_headers(view, is_file, schemas.context);
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
pub fn parts<'d>(
    media: &MediaType<'d>,
    list: &mut Type,
    schemas: &mut Schemas<'_, 'd>,
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
    let known = &schemas.context.reading;
    let of_list = || elements(&media.view.schema()?, known);
    let elements = item_schema.or_else(of_list).unwrap_or_default();
    let is_untyped = are_untyped(&elements, known);
    let is_file = rules.iter().all(|rule| is_upload(item, rule, is_untyped));
    let has_files = || {
        rules.iter().any(|rule| is_upload(&Type::String, rule, false))
            || rules.iter().any(|rule| !rule.can_encode())
                && schemas.types.is_container(item.not_null())
            || elements.iter().any(|schema| known.values(schema).is_binary())
    };
    if is_file {
        **item = Type::Upload;
    } else if has_files() {
        return None;
    }
    let encodings = views.iter().zip(rules).map(|((position, view), rule)| Encoding {
        property: position.clone(),
        rule,
        headers: part_headers(view, is_file, schemas.context),
    });
    Some(Format::Multipart(encodings.collect()))
}

/// Returns how a property is written. A style, even if it is the default, replaces the media type (OpenAPI 3.2,
/// "Encoding Object").
fn rule(encoding: &View<'_>, list_keys: ListKeys) -> EncodingRule {
    let has_style = encoding.text("style").and_then(Style::from_name).is_some()
        || ["explode", "allowReserved"].iter().any(|key| encoding.flag_if_written(key).is_some());
    if !has_style {
        return content_rule(encoding);
    }
    EncodingRule::Style(serialization::of(encoding, Style::Form, list_keys))
}

/// Returns how a property without a style is written.
fn content_rule(encoding: &View<'_>) -> EncodingRule {
    let names = encoding.text("contentType");
    names.map_or(EncodingRule::Type, |names| EncodingRule::Content(names.to_owned()))
}

/// Returns the headers that a part needs: headers with only one value, and required ones. Only files have other values.
fn part_headers<'d>(encoding: &View<'d>, is_file: bool, context: &Context<'d>) -> Vec<PartHeader> {
    let mut headers = Vec::new();
    for (name, start) in encoding.map("headers") {
        let header = context.item(&start, Kind::Header);
        // The media type of a part is described by the encoding itself.
        let Some(header) = header.filter(|_| !name.eq_ignore_ascii_case("content-type")) else {
            continue;
        };
        let required = header.flag("required");
        let value = header.schema().and_then(|schema| value(&schema, required, &context.reading));
        if value.is_none() && required && !is_file {
            let message = format!("the part is sent without the header `{name}`");
            let help =
                "give its schema a `const`, or a `default`: only files can have other values";
            let place = Place::key(&start.pointer);
            context.report(Code::Unsupported, place, message).help(help);
        } else if value.is_some() || required {
            headers.push(PartHeader { name: name.to_owned(), value });
        }
    }
    headers
}

/// Returns the only value of a header, or the default of a required one.
fn value<'d>(schema: &Schema<'d>, required: bool, known: &Known<'d>) -> Option<String> {
    let default = || schema.default_value().filter(|_| required)?.scalar();
    known.values(schema).constant().or_else(default)
}

fn elements<'d>(schema: &Schema<'d>, known: &Known<'d>) -> Option<Vec<Schema<'d>>> {
    let values = known.values(schema);
    let is_list = values.only_kind() == Some(JsonKind::Array);
    values.lists.filter(|_| is_list).map(|lists| lists.elements(known).1)
}

/// Returns whether there are parts, and none of them has a type or a media type: since OpenAPI 3.1 such parts are bytes
/// ("Encoding Object").
fn are_untyped<'d>(parts: &[Schema<'d>], known: &Known<'d>) -> bool {
    let is_untyped = |part: &Schema<'d>| {
        let content = ["contentEncoding", "contentMediaType"].map(|keyword| part.text(keyword));
        !part.is_3_0() && content == [None; 2] && known.values(part).is_same(&Values::ANY)
    };
    !parts.is_empty() && parts.iter().all(is_untyped)
}

/// Returns whether a part is a file, by its type and its encoding.
fn is_upload(ty: &Type, rule: &EncodingRule, is_untyped: bool) -> bool {
    match ty {
        Type::Binary | Type::Upload => true,
        // A part is never null.
        Type::Nullable(ty) => is_upload(ty, rule, is_untyped),
        Type::Value if *rule == EncodingRule::Type => is_untyped,
        Type::String | Type::Value => rule.is_bytes(),
        _ => false,
    }
}

/// The parts of a form while their types are decided.
struct FormReader<'a, 's, 'd> {
    media: &'a MediaType<'d>,
    encodings: Vec<Encoding>,
    files: HashSet<String>,
    /// The types around the current one.
    open: Vec<TypeId>,
    schemas: &'a mut Schemas<'s, 'd>,
}

/// The name of the properties that only `additionalProperties` describes.
const OTHERS: &str = "*";

/// A part of a form, or each of a list.
#[derive(Clone, Copy)]
struct FormPart<'a> {
    name: &'a str,
    pointer: &'a Pointer,
    rule: &'a EncodingRule,
    is_untyped: bool,
    is_in_list: bool,
}

impl FormReader<'_, '_, '_> {
    /// Decides the types within the type of a form, or of a part of it. Returns whether JSON of that type needs others: a
    /// schema that not only forms use keeps them, and the form has a type of its own.
    fn within(&mut self, ty: &mut Type, part: Option<FormPart<'_>>, owner: &Owner) -> bool {
        let mut place = vec![self.media.view.pointer.clone()];
        place.extend(part.map(|part| part.pointer.clone()));
        if let (Type::Dictionary(values), None) = (&mut *ty, part) {
            return self.part(OTHERS, "", values, owner);
        }
        let (Type::Named(id), Some(shape)) = (&*ty, self.schemas.types.shape(ty)) else {
            return false;
        };
        if self.open.contains(id) {
            return false;
        }
        self.open.push(*id);
        let (mut shape, mut is_own) = (shape.clone(), false);
        match &mut shape {
            Shape::Struct(object) if part.is_none() => {
                for field in &mut object.fields {
                    // The form has no null, so only another value is the required one.
                    let is_sent = field.access != Access::Read && field.ty != Type::Value;
                    if field.null == Null::Always && is_sent {
                        (field.null, field.required) = (Null::Never, true);
                        is_own = true;
                    }
                    let owner = owner.property(field.name.bare());
                    is_own |= match &field.wire {
                        FieldWire::Flattened => self.within(&mut field.ty, None, &owner),
                        FieldWire::Property(name) => {
                            self.part(name, &field.pointer, &mut field.ty, &owner)
                        }
                    };
                }
                if let Some((_, values)) = &mut object.additional {
                    is_own |= self.part(OTHERS, "", values, owner);
                }
            }
            Shape::Union(union) => {
                for variant in &mut union.variants {
                    let owner = owner.variant(variant.name.as_str());
                    is_own |= match (&variant.property, part) {
                        (Some(name), None) => {
                            self.part(name, &variant.pointer, &mut variant.ty, &owner)
                        }
                        (None, None) => self.within(&mut variant.ty, None, &owner),
                        (None, Some(part)) => self.value(&mut variant.ty, part, &owner),
                        (Some(_), Some(_)) => false,
                    };
                }
            }
            _ => {}
        }
        self.open.pop();
        self.schemas.types.replace(ty, shape, is_own, (&place, owner));
        is_own
    }

    /// Decides the type of a part, by the pointer to its schema.
    fn part(&mut self, name: &str, pointer: &str, ty: &mut Type, owner: &Owner) -> bool {
        let schema = self.schemas.context.document.at(Pointer::from_escaped(pointer));
        let schema = schema.filter(|_| name != OTHERS).map(Schema::from);
        let encoding = self.encodings.iter().find(|encoding| encoding.property == name);
        let rule = encoding.map_or(EncodingRule::Type, |encoding| encoding.rule.clone());
        let known = &self.schemas.context.reading;
        let of = |it| elements(it, known).unwrap_or_else(|| vec![it.clone()]);
        let values: Vec<_> = schema.iter().flat_map(of).collect();
        let is_untyped = are_untyped(&values, known);
        let is_mixed = values.iter().any(|schema| is_file_or_text(schema, known));
        let pointer = schema.as_ref().map_or(&self.media.view.pointer, |it| &it.pointer).clone();
        let part = FormPart { name, pointer: &pointer, rule: &rule, is_untyped, is_in_list: false };
        if self.media.kind == MediaKind::Multipart && is_mixed {
            let text = if let Type::List(item) = &mut *ty { item } else { &mut *ty };
            *text = Type::Binary;
            let help = "replace it by an overlay with a `type: string` if only texts are sent";
            self.warn(part, "is a file or a text, and is sent as a file", help);
        }
        self.value(ty, part, owner)
    }

    /// Decides the type of a part, or of an alternative to it.
    fn value(&mut self, ty: &mut Type, part: FormPart<'_>, owner: &Owner) -> bool {
        let is_multipart = self.media.kind == MediaKind::Multipart;
        let is_file = is_multipart && is_upload(ty, part.rule, part.is_untyped);
        let is_union = matches!(self.schemas.types.shape(ty.not_null()), Some(Shape::Union(_)));
        match ty {
            Type::List(item) if !part.is_in_list => {
                let owner = owner.element();
                return self.value(item, FormPart { is_in_list: true, ..part }, &owner);
            }
            _ if is_file => {}
            Type::Nullable(union) if is_union => return self.within(union, Some(part), owner),
            _ if is_union => return self.within(ty, Some(part), owner),
            _ if !part.rule.can_encode() && self.schemas.types.is_container(ty.not_null()) => {
                let help = "pass the encoded value";
                self.warn(part, "has a media type that the crate cannot encode", help);
                if !is_multipart || !part.rule.is_bytes() {
                    *ty = Type::String;
                    return true;
                }
            }
            _ => {
                if *ty.innermost() == Type::Binary && is_multipart {
                    let help = "describe it as a file, or as a list of files";
                    self.warn(part, "has files within a value, which are sent as text", help);
                }
                return false;
            }
        }
        let is_own = !matches!(ty.not_null(), Type::Binary | Type::String | Type::Upload);
        self.files.insert(part.name.to_owned());
        *ty = Type::Upload;
        is_own
    }

    fn warn(&mut self, part: FormPart<'_>, what: &str, help: &str) {
        let message = format!("the part `{}` {what}", part.name);
        let place = Place::value(part.pointer);
        self.schemas.context.report(Code::Unsupported, place, message).help(help);
    }
}

/// Returns whether one of the alternatives of a text is a file.
fn is_file_or_text<'d>(schema: &Schema<'d>, known: &Known<'d>) -> bool {
    let target = schema.target();
    let schema = target.as_ref().unwrap_or(schema);
    let values = known.values(schema);
    values.scalar().is_some()
        && !values.is_binary()
        && schema.alternatives().iter().any(|branch| known.values(branch).is_binary())
}
