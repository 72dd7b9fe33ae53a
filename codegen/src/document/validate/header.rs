//! Headers.

use super::example::check_examples;
use super::grammar::{Expected, Field, Form, Object};
use super::schema::SCHEMA;
use super::style::{EXCLUSIVE, check_described, check_style, misplaced_allow_reserved};
use super::validator::Validator;
use crate::diagnostics::Code;
use crate::document::is_token;
use crate::document::view::{Kind, Location, View};

/// A header: of a response it is ignored, of a part of a form it is sent.
pub(super) static HEADER: Object = Object {
    form: Form::Referable(Kind::Header),
    exclusive: EXCLUSIVE,
    check: check_header,
    ..Object::new(
        "a header",
        &[
            Field::flags(&["required"]),
            Field::new(&["schema"], Expected::Object(&SCHEMA)),
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

fn check_header(view: &View<'_>, validator: &mut Validator<'_>) {
    check_style(view, Location::Header, validator);
    misplaced_allow_reserved(view, validator);
    check_examples(view, validator);
    check_described("a header", view, validator);
}

/// Reports names of headers of a response that no header has, and warns of headers with an unresolved `$ref`.
pub(super) fn check_headers(response: &View<'_>, validator: &mut Validator<'_>) {
    for (name, header) in response.map("headers") {
        if !is_token(name) {
            validator.at_key(Code::HeaderName, &header.pointer, format!("`{name}` is not the name of a header"))
                .help("names may contain letters, digits and symbols such as `-` (RFC 9110, section 5.6.2)");
        }
        let target = header.text("$ref");
        let Some(target) = target.filter(|_| header.clone().followed().is_none()) else { continue };
        let message = format!("`{target}` does not exist");
        let help = "correct the reference, or add the header to `components`";
        validator.at_value(Code::UnreadRef, &header.pointer.join("$ref"), message).help(help);
    }
}
