//! Parameters and headers.

use super::grammar::{Field, Form, Object, Value};
use super::media_type::CONTENT;
use super::schema::SCHEMA;
use super::validator::Validator;
use crate::diagnostics::{Place, Severity};
use crate::document::Node;
use crate::document::view::{Kind, ParameterIn, Version, View};

/// The styles that are allowed in each location (OpenAPI 3.1.1 §4.8.12.2.2).
const STYLES: &[(ParameterIn, &[&str])] = &[
    (ParameterIn::Path, &["matrix", "label", "simple"]),
    (ParameterIn::Query, &["form", "spaceDelimited", "pipeDelimited", "deepObject"]),
    (ParameterIn::Header, &["simple"]),
    (ParameterIn::Cookie, &["form"]),
];

const LOCATIONS: &str = "write `path`, `query`, `header` or `cookie`";

/// Pairs of fields that exclude one another.
const EXCLUSIVE: &[(&str, &str)] = &[("example", "examples"), ("schema", "content")];

pub(super) static PARAMETER: Object = Object {
    form: Form::Referable(Kind::Parameter),
    exclusive: EXCLUSIVE,
    check: check_parameter,
    ..Object::new(
        "a parameter",
        &[
            Field::texts(&["name"]).required("add the name of the parameter"),
            Field::texts(&["in"]).required(LOCATIONS),
            Field::texts(&["description", "style", "x-rust-name"]),
            Field::flags(&["required", "deprecated", "explode", "allowReserved"]),
            Field::new(&["schema"], Value::Object(&SCHEMA)),
            Field::new(&["content"], CONTENT),
            Field::silent(&["allowEmptyValue", "example", "examples"]),
        ],
    )
};

/// A header: nothing is generated for it.
pub(super) static HEADER: Object = Object {
    form: Form::Referable(Kind::Header),
    exclusive: EXCLUSIVE,
    check: check_header,
    ..Object::new(
        "a header",
        &[
            Field::flags(&["required"]),
            Field::new(&["schema"], Value::Object(&SCHEMA)),
            Field::texts(&["style"]),
            Field::silent(&["description", "deprecated", "explode", "allowReserved"]),
            Field::silent(&["allowEmptyValue", "example", "examples"]),
            Field::unread(
                &["content"],
                "the header is read as plain text; describe it with `schema`",
            ),
        ],
    )
};

/// The `parameters` of a path item or an operation.
pub(super) const PARAMETERS: Field = Field::new(&["parameters"], Value::List(&A_PARAMETER));

static A_PARAMETER: Value = Value::Object(&PARAMETER);

fn check_parameter(view: &View<'_>, validator: &mut Validator<'_>) {
    if let Some(content) = view.child("content").map(View::replaced)
        && view.get("schema").is_none()
        && content.node.as_object().is_none_or(|content| content.len() != 1)
    {
        let message = "the `content` of a parameter must have exactly one media type";
        let help = "keep one media type, or describe the parameter with `schema`";
        validator.invalid(&view.pointer.join("content"), message, help);
    }
    let Some(text) = view.text("in") else { return };
    let location = ParameterIn::from_name(text).filter(|location| {
        *location != ParameterIn::QueryString || validator.is_version(Version::V3_2)
    });
    let Some(location) = location else {
        let help = match text {
            "body" => "describe the body in `requestBody`: `in: body` is Swagger 2.0",
            "formData" => {
                "describe the form in `requestBody`, as a media type: `in: formData` is Swagger 2.0"
            }
            _ => LOCATIONS,
        };
        let message = format!("a parameter cannot be sent in `{text}`");
        return validator.invalid(&view.pointer.join("in"), message, help);
    };
    check_style(view, location, validator);
    if location == ParameterIn::Path && !view.flag("required") {
        let message = "a path parameter is read as required";
        validator
            .warn("optional-path-parameter", &view.pointer, message)
            .help("write `required: true`: a path without the parameter would be another path");
    }
    let is_encoded = match location {
        ParameterIn::Query => true,
        ParameterIn::Path | ParameterIn::Cookie => validator.is_version(Version::V3_2),
        ParameterIn::QueryString | ParameterIn::Header => false,
    };
    if !is_encoded {
        misplaced_allow_reserved(view, validator);
    }
    if location == ParameterIn::QueryString && view.get("content").is_none() {
        let message = "a parameter in `querystring` is described by `content`";
        let help = "give it a media type, such as `application/x-www-form-urlencoded`";
        validator.invalid(&view.pointer, message, help);
    }
}

fn check_header(view: &View<'_>, validator: &mut Validator<'_>) {
    check_style(view, ParameterIn::Header, validator);
    misplaced_allow_reserved(view, validator);
}

fn check_style(view: &View<'_>, location: ParameterIn, validator: &mut Validator<'_>) {
    let Some(style) = view.text("style") else { return };
    let allowed: Vec<&str> = STYLES
        .iter()
        .filter(|(at, _)| *at == location)
        .flat_map(|(_, styles)| *styles)
        .copied()
        .collect();
    let is_of_3_2 =
        validator.is_version(Version::V3_2) && (location.name(), style) == ("cookie", "cookie");
    if !allowed.contains(&style) && !is_of_3_2 {
        let location = location.name();
        let message = format!("the style `{style}` is not allowed for a parameter in `{location}`");
        let help = format!("allowed here: `{}`", allowed.join("`, `"));
        validator.invalid(&view.pointer.join("style"), message, help);
    }
}

/// Reports an `allowReserved` without effect: before OpenAPI 3.2 it is only for the query, and headers are not encoded.
fn misplaced_allow_reserved(view: &View<'_>, validator: &mut Validator<'_>) {
    if view.get("allowReserved").is_none() {
        return;
    }
    let place = Place::Key(view.pointer.join("allowReserved"));
    let message = "`allowReserved` has no effect here";
    let is_error = validator.is_version(Version::V3_1);
    let severity = if is_error { Severity::Error } else { Severity::Warning };
    validator.diagnostics.report(severity, "misplaced-field", place, message).help("remove it");
}

/// Warns of headers of a response with an unresolved `$ref`.
pub(super) fn check_headers(response: &View<'_>, validator: &mut Validator<'_>) {
    for (_, header) in response.map("headers") {
        let target = header.get("$ref").and_then(Node::as_str);
        let Some(target) = target.filter(|_| header.clone().followed().is_none()) else { continue };
        let place = Place::Value(header.pointer.join("$ref"));
        let message = format!("`{target}` does not exist");
        let help = "correct the reference, or add the header to `components`";
        validator.diagnostics.warning("dangling-ref", place, message).help(help);
    }
}
