//! Paths, operations, request bodies and responses.

use percent_encoding::percent_decode_str;

use super::grammar::{Expected, Field, Form, Object};
use super::header::{HEADER, check_headers};
use super::media_type::CONTENT;
use super::parameter::PARAMETERS;
use super::security::{SECURITY, check_requirements};
use super::server::SERVERS;
use super::validator::Validator;
use crate::diagnostics::{Code, Place};
use crate::document::view::{Kind, Location, ParameterView, Status, Version, View, has_field};
use crate::document::{is_extension, is_token};
use crate::source_map::Pointer;

/// The `paths` of the document.
pub(super) const PATHS: Expected = Expected::Keyed(check_path, &Expected::Object(&PATH_ITEM));

pub(super) static PATH_ITEM: Object = Object {
    form: Form::Referable(Kind::PathItem),
    check: check_query_strings,
    ..Object::new(
        "a path item",
        &[
            Field::texts(&["summary", "description"]),
            PARAMETERS,
            SERVERS,
            // A method without a value is an operation without a description.
            Field::new(
                &["get", "put", "post", "delete", "options", "head", "patch", "trace"],
                Expected::Named("an operation", &Expected::Object(&OPERATION)),
            ),
            Field::new(&["query"], Expected::Named("an operation", &Expected::Object(&OPERATION)))
                .new_in_3_2(),
            Field::new(
                &["additionalOperations"],
                Expected::Keyed(
                    check_method,
                    &Expected::Named("an operation", &Expected::Object(&OPERATION)),
                ),
            )
            .new_in_3_2(),
        ],
    )
};

static OPERATION: Object = Object {
    form: Form::Referable(Kind::Operation),
    check: check_requirements,
    ..Object::new(
        "an operation",
        &[
            Field::texts(&["operationId", "summary", "description", "x-rust-name"]),
            Field::new(&["tags"], Expected::List(&Expected::Text)),
            PARAMETERS,
            Field::new(&["requestBody"], Expected::Object(&REQUEST_BODY)),
            Field::new(&["responses"], Expected::Keyed(check_status, &Expected::Object(&RESPONSE))),
            Field::flags(&["deprecated"]),
            SECURITY,
            SERVERS,
            Field::silent(&["externalDocs"]),
            Field::unread(&["callbacks"], "nothing is generated for callbacks"),
        ],
    )
};

pub(super) static REQUEST_BODY: Object = Object {
    form: Form::Referable(Kind::RequestBody),
    ..Object::new(
        "a request body",
        &[
            Field::flags(&["required"]),
            Field::silent(&["description"]),
            Field::new(&["content"], CONTENT)
                .required("add the media type and its schema, for example `application/json`"),
        ],
    )
};

pub(super) static RESPONSE: Object = Object {
    form: Form::Referable(Kind::Response),
    check: check_response,
    ..Object::new(
        "a response",
        &[
            Field::new(&["content"], CONTENT),
            Field::new(&["headers"], Expected::Map(&Expected::Object(&HEADER))),
            Field::silent(&["description"]),
            Field::silent(&["summary"]).new_in_3_2(),
            Field::unread(&["links"], "nothing is generated for links"),
        ],
    )
};

fn check_response(view: &View<'_>, validator: &mut Validator<'_>) {
    if !validator.is_version(Version::V3_2) {
        let help = "describe in a sentence when the response is sent";
        validator.require(Code::MissingField, view, "a response", "description", help);
    }
    check_headers(view, validator);
}

fn check_status(validator: &mut Validator<'_>, key: &str, pointer: &Pointer) -> bool {
    let is_status = Status::parse(key).is_some();
    if !is_status && !is_extension(key) {
        let help = "write a code such as `200`, a range such as `4XX`, or `default`";
        let message = format!("`{key}` is not the status of a response, which is ignored");
        validator.at_key(Code::ReplyStatus, pointer, message).help(help);
    }
    is_status
}

/// Reports a method that cannot be sent, or that has a field of its own (OpenAPI 3.2, Path Item Object).
fn check_method(validator: &mut Validator<'_>, method: &str, pointer: &Pointer) -> bool {
    let field = method.to_ascii_lowercase();
    let (message, help) = if !is_token(method) {
        let message = format!("`{method}` is not an HTTP method");
        (
            message,
            "methods may contain letters, digits and symbols such as `-` (RFC 9110)".to_owned(),
        )
    } else if has_field(method) {
        let message = format!("the method `{method}` has a field of its own");
        (message, format!("describe the operation under `{field}` in the path item"))
    } else {
        return true;
    };
    validator.at_key(Code::InvalidKey, pointer, message).help(help);
    false
}

/// Reports a parameter for the whole query next to another of the query (OpenAPI 3.2, Parameter Object).
fn check_query_strings(item: &View<'_>, validator: &mut Validator<'_>) {
    if !validator.is_version(Version::V3_2) {
        return;
    }
    let shared = query_parameters(item);
    report_query_strings(&shared, validator);
    for operation in item.operations().filter_map(|(_, operation)| operation.followed()) {
        let own = query_parameters(&operation);
        if !own.is_empty() {
            report_query_strings(&[own, shared.clone()].concat(), validator);
        }
    }
}

/// Returns the parameters of a path item or an operation that are in the query.
fn query_parameters<'d>(view: &View<'d>) -> Vec<ParameterView<'d>> {
    let parameters = view.list("parameters").filter_map(View::followed);
    let parameters = parameters.filter_map(ParameterView::new);
    let in_query = [Location::Query, Location::QueryString];
    parameters.filter(|parameter| in_query.contains(&parameter.location)).collect()
}

fn report_query_strings(parameters: &[ParameterView<'_>], validator: &mut Validator<'_>) {
    let whole = parameters.iter().position(|it| it.location == Location::QueryString);
    let Some(index) = whole else { return };
    let other = parameters.iter().enumerate().find(|(other, _)| *other != index);
    let Some((_, other)) = other else { return };
    let message = "a parameter in `querystring` is the whole query";
    validator
        .at_value(Code::ConflictingParameters, &parameters[index].pointer, message)
        .related(Place::value(&other.pointer), "this parameter is in the query, too")
        .help("describe the query with one of the two");
}

fn check_path(validator: &mut Validator<'_>, path: &str, pointer: &Pointer) -> bool {
    let impossible = path.chars().find(|c| *c == '\\' || c.is_control());
    if let Some(char) = impossible {
        let shown = if char.is_control() {
            format!("the character U+{:04X}", u32::from(char))
        } else {
            format!("a `{char}`")
        };
        let help = "remove it, or percent-encode it";
        let message = format!("a path cannot contain {shown}");
        validator.at_key(Code::InvalidKey, pointer, message).help(help);
        return false;
    }
    if !path.starts_with('/') {
        if !is_extension(path) {
            let help = format!("write `/{path}`; the part before the path belongs in `servers`");
            let message = format!("the path `{path}` does not begin with a slash");
            validator.at_key(Code::InvalidKey, pointer, message).help(help);
        }
        return false;
    }
    let (template, fragment) = path.split_once('#').unwrap_or((path, ""));
    if template.len() + fragment.len() < path.len() {
        validator
            .at_key(Code::PathFragment, pointer, "the fragment of the path is not sent")
            .help("describe the operations of the path under one key");
    }
    if template.contains('?') {
        let message = "paths cannot contain a query; it is sent with every request";
        let help = "describe the part after the `?` as query parameters";
        validator.at_key(Code::PathQuery, pointer, message).help(help);
    }
    check_segments(template, pointer, validator);
    true
}

/// Warns of segments that clients and servers resolve before they compare a path (RFC 3986 §5.2.4), of parameters as many
/// frameworks write them, and of an empty first segment, which begins a host (§4.2).
fn check_segments(template: &str, pointer: &Pointer, validator: &mut Validator<'_>) {
    let path = template.split('?').next().unwrap_or(template);
    let dots = path.split('/').find(|segment| {
        let decoded: Vec<u8> = percent_decode_str(segment).collect();
        matches!(decoded.as_slice(), b"." | b"..")
    });
    if let Some(dots) = dots {
        let message = format!("`{dots}` is resolved before sending: the request has another path");
        let help = "write the resolved path, without this segment";
        validator.at_key(Code::PathSegment, pointer, message).help(help);
    }
    let mut parameters = path.split('/').filter_map(|segment| {
        let name = segment.strip_prefix([':', '*'])?.trim_matches('*');
        let is_name = segment != ":" && !name.contains(['{', ':']);
        is_name.then_some((segment, if name.is_empty() { "path" } else { name }))
    });
    if let Some((segment, name)) = parameters.next() {
        let message = format!("the segment `{segment}` is sent as it is");
        let help = format!("if it is a parameter, write `{{{name}}}`");
        validator.at_key(Code::PathSegment, pointer, message).help(help);
    }
    if path.starts_with("//") {
        validator
            .at_key(Code::PathSegment, pointer, "a path that begins with two slashes names a host")
            .help("begin it with one slash; a host belongs in `servers`");
    }
}
