//! Parameters and headers.

use super::{Object, Reader, media_type, schema};
use crate::diagnostics::Place;
use crate::document::{
    Node, Parameter, ParameterContent, ParameterIn, Pointer, RefOr, Style, Version,
};

/// The locations, each with its name and the styles allowed there, the default first (OpenAPI 3.1.1 §4.8.12.2.2).
const LOCATIONS: &[(&str, ParameterIn, &[Style])] = &[
    ("path", ParameterIn::Path, &[Style::Simple, Style::Matrix, Style::Label]),
    (
        "query",
        ParameterIn::Query,
        &[Style::Form, Style::SpaceDelimited, Style::PipeDelimited, Style::DeepObject],
    ),
    ("header", ParameterIn::Header, &[Style::Simple]),
    ("cookie", ParameterIn::Cookie, &[Style::Form]),
];

const STYLES: &[(&str, Style)] = &[
    ("matrix", Style::Matrix),
    ("label", Style::Label),
    ("simple", Style::Simple),
    ("form", Style::Form),
    ("spaceDelimited", Style::SpaceDelimited),
    ("pipeDelimited", Style::PipeDelimited),
    ("deepObject", Style::DeepObject),
];

/// Reads the `parameters` of a path item or an operation.
pub(super) fn parameters(
    object: &mut Object<'_>,
    reader: &mut Reader<'_>,
) -> Vec<RefOr<Parameter>> {
    let items = object.list("parameters", reader);
    items
        .into_iter()
        .filter_map(|(node, pointer)| reader.ref_or(node, pointer, parameter))
        .collect()
}

pub(super) fn parameter(
    node: &Node,
    pointer: Pointer,
    reader: &mut Reader<'_>,
) -> Option<Parameter> {
    let mut object = Object::open(node, pointer, "a parameter", reader)?;
    let name = object.required_string("name", "give the name on the wire", reader);
    let place = location(&mut object, reader);
    let description = object.string("description", reader);
    let required = object.optional_flag("required", reader);
    let deprecated = object.flag("deprecated", reader);
    let style = style(&mut object, place, reader);
    let explode = object.optional_flag("explode", reader).unwrap_or(style == Style::Form);
    object.flag("allowReserved", reader);
    let content = content(&mut object, reader);
    let rust_name = object.string("x-rust-name", reader);
    object.accept(&["allowEmptyValue", "example", "examples"]);
    object.exclusive("example", "examples", reader);
    object.close(reader);
    let location = place?;
    if location == ParameterIn::Path && required != Some(true) {
        let message = "a parameter in the path is read as required";
        reader
            .diagnostics
            .warning("optional-path-parameter", Place::key(&object.pointer), message)
            .help("write `required: true`; a path without the parameter is another path");
    }
    if location != ParameterIn::Query {
        misplaced_allow_reserved(&object, reader);
    }
    let required = required == Some(true) || location == ParameterIn::Path;
    let pointer = object.pointer;
    let name = name?;
    Some(Parameter {
        pointer,
        name,
        location,
        description,
        required,
        deprecated,
        style,
        explode,
        content,
        rust_name,
    })
}

fn location(object: &mut Object<'_>, reader: &mut Reader<'_>) -> Option<ParameterIn> {
    let text =
        object.required_string("in", "write `path`, `query`, `header` or `cookie`", reader)?;
    let known = LOCATIONS.iter().find(|(name, ..)| *name == text).map(|(_, location, _)| *location);
    let is_unsupported = reader.version == Version::V3_2 && text == "querystring";
    if is_unsupported {
        let message = "parameters in `querystring` are not read";
        let place = Place::Value(object.pointer.join("in"));
        let help = "describe each parameter of the query by itself";
        reader.diagnostics.warning("unread", place, message).help(help);
    } else if known.is_none() {
        let help = match text.as_str() {
            "body" => "describe the body in `requestBody`: `in: body` is Swagger 2.0",
            "formData" => {
                "describe the form in `requestBody`, as a media type: `in: formData` is Swagger 2.0"
            }
            _ => "write `path`, `query`, `header` or `cookie`",
        };
        reader.invalid(
            &object.pointer.join("in"),
            format!("a parameter cannot be sent in `{text}`"),
            help,
        );
    }
    known
}

/// Reads the style of a parameter, or takes the default of its location.
fn style(object: &mut Object<'_>, location: Option<ParameterIn>, reader: &mut Reader<'_>) -> Style {
    let place = LOCATIONS.iter().find(|(_, known, _)| Some(*known) == location);
    let default = place.and_then(|(.., allowed)| allowed.first()).copied().unwrap_or(Style::Simple);
    let (Some(text), Some((place, _, allowed))) = (object.string("style", reader), place) else {
        return default;
    };
    if reader.version == Version::V3_2 && *place == "cookie" && text == "cookie" {
        return default;
    }
    match STYLES.iter().find(|(name, _)| *name == text) {
        Some((_, style)) if allowed.contains(style) => return *style,
        _ => {}
    }
    let names: Vec<String> = STYLES
        .iter()
        .filter(|(_, style)| allowed.contains(style))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    let message = format!("the style `{text}` is not allowed for a parameter in `{place}`");
    reader.invalid(
        &object.pointer.join("style"),
        message,
        format!("allowed here: {}", names.join(", ")),
    );
    default
}

fn content(object: &mut Object<'_>, reader: &mut Reader<'_>) -> ParameterContent {
    object.exclusive("schema", "content", reader);
    let schema =
        object.field("schema", reader).map(|(node, pointer)| schema::schema(node, pointer, reader));
    let written = object.has("content");
    let media = media_type::content(object, reader);
    if let Some(schema) = schema {
        return ParameterContent::Schema(Box::new(schema));
    }
    if written && media.len() != 1 {
        let message = "the `content` of a parameter must hold exactly one media type";
        reader.invalid(
            &object.pointer.join("content"),
            message,
            "keep one media type, or describe the parameter with `schema`",
        );
    }
    if media.is_empty() { ParameterContent::Unspecified } else { ParameterContent::Media }
}

/// Reports `allowReserved` where it has no meaning: nothing but the query can hold reserved characters.
fn misplaced_allow_reserved(object: &Object<'_>, reader: &mut Reader<'_>) {
    if !object.has("allowReserved") {
        return;
    }
    let place = Place::Key(object.pointer.join("allowReserved"));
    let message = "`allowReserved` is for parameters in the query only";
    let diagnostic = match reader.version {
        Version::V3_1 => reader.diagnostics.error("misplaced-field", place, message),
        Version::V3_0 | Version::V3_2 => {
            reader.diagnostics.warning("misplaced-field", place, message)
        }
    };
    diagnostic.help("remove it");
}

/// Checks a header of a response, and that the target of its `$ref` exists.
pub(super) fn response_header(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) {
    if let Some(RefOr::Ref(reference)) = reader.ref_or(node, pointer, header)
        && reader.follow(&reference.target).is_none()
    {
        let place = Place::Value(reference.pointer.join("$ref"));
        reader
            .diagnostics
            .warning("dangling-ref", place, format!("`{}` does not exist", reference.target))
            .help("correct the reference, or add the header to `components`");
    }
}

/// Checks a header: nothing is generated for it.
pub(super) fn header(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Option<()> {
    let mut object = Object::open(node, pointer, "a header", reader)?;
    object.flag("required", reader);
    if let Some((node, pointer)) = object.field("schema", reader) {
        schema::schema(node, pointer, reader);
    }
    style(&mut object, Some(ParameterIn::Header), reader);
    object.accept(&[
        "description",
        "deprecated",
        "explode",
        "allowReserved",
        "allowEmptyValue",
        "example",
        "examples",
    ]);
    object.exclusive("example", "examples", reader);
    object.exclusive("schema", "content", reader);
    object.unread("content", "the header is read as plain text; describe it with `schema`", reader);
    misplaced_allow_reserved(&object, reader);
    object.close(reader);
    Some(())
}
