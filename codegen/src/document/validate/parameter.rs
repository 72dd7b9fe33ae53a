//! Parameters.

use super::example::check_examples;
use super::grammar::{Expected, Field, Form, Object};
use super::media_type::CONTENT;
use super::schema::SCHEMA;
use super::style::{EXCLUSIVE, check_described, check_style, misplaced_allow_reserved};
use super::validator::Validator;
use crate::diagnostics::Code;
use crate::document::is_token;
use crate::document::view::{Kind, Location, Version, View};

const LOCATIONS: &str = "write `path`, `query`, `header` or `cookie`";

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
            Field::new(&["schema"], Expected::Object(&SCHEMA)),
            Field::new(&["content"], CONTENT),
            Field::silent(&["allowEmptyValue", "example", "examples"]),
        ],
    )
};

/// The `parameters` of a path item or an operation.
pub(super) const PARAMETERS: Field = Field::new(&["parameters"], Expected::List(&A_PARAMETER));

static A_PARAMETER: Expected = Expected::Object(&PARAMETER);

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
    let location = Location::from_name(text).filter(|location| {
        *location != Location::QueryString || validator.is_version(Version::V3_2)
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
    if location == Location::Path && !view.flag("required") {
        let message = "path parameters are always required";
        validator
            .at_key(Code::OptionalPathParameter, &view.pointer, message)
            .help("write `required: true`");
    }
    let is_encoded = match location {
        Location::Query => true,
        Location::Path => validator.is_version(Version::V3_2),
        Location::Cookie => {
            validator.is_version(Version::V3_2) && view.text("style") != Some("cookie")
        }
        Location::QueryString | Location::Header => false,
    };
    if !is_encoded {
        misplaced_allow_reserved(view, validator);
    }
    check_name(view, location, validator);
    check_examples(view, validator);
    if location == Location::QueryString && view.get("content").is_none() {
        let message = "a parameter in `querystring` is described by `content`";
        let help = "give it a media type, such as `application/x-www-form-urlencoded`";
        return validator.invalid(&view.pointer, message, help);
    }
    check_described("a parameter", view, validator);
}

/// Reports a name that cannot be sent (OpenAPI 3.2, Parameter Object).
fn check_name(view: &View<'_>, location: Location, validator: &mut Validator<'_>) {
    let Some(name) = view.text("name") else { return };
    let (is_possible, help) = match location {
        Location::Header => {
            (is_token(name), "names may contain letters, digits and symbols such as `-` (RFC 9110)")
        }
        Location::Path => (!name.contains(['{', '}']), "remove the braces"),
        Location::Query | Location::QueryString | Location::Cookie => (true, ""),
    };
    if !is_possible && location == Location::Header {
        let message = format!("`{name}` is not the name of a header; the parameter is ignored");
        validator.at_value(Code::HeaderName, &view.pointer.join("name"), message).help(help);
    } else if !is_possible && validator.is_version(Version::V3_2) {
        let message = format!("`{name}` is not the name of a parameter in `{}`", location.name());
        validator.invalid(&view.pointer.join("name"), message, help);
    }
}
