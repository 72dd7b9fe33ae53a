//! Media types, and their names.

use super::example::check_examples;
use super::grammar::{Expected, Field, Object};
use super::header::HEADER;
use super::schema::SCHEMA;
use super::validator::Validator;
use crate::diagnostics::{Code, help_for_unknown};
use crate::media_type::essence;
use crate::source_map::Pointer;

/// The registered top-level types (RFC 6838 §4.2), and `*` of ranges.
const TYPES: [&str; 12] = [
    "application", "audio", "example", "font", "haptics", "image", "message", "model", "multipart",
    "text", "video", "*",
];

/// Common media types of bodies.
const USUAL: [&str; 6] = [
    "application/json",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/event-stream",
    "text/plain",
];

/// Other media types that resemble a common one.
const OTHERS: [&str; 4] =
    ["application/bson", "application/jsonl", "application/ndjson", "application/x-json"];

pub(super) static MEDIA_TYPE: Object = Object {
    exclusive: &[
        ("example", "examples"),
        ("encoding", "prefixEncoding"),
        ("encoding", "itemEncoding"),
    ],
    check: check_examples,
    ..Object::new(
        "a media type",
        &[
            Field::new(&["schema"], Expected::Object(&SCHEMA)),
            Field::new(&["encoding"], Expected::Map(&Expected::Object(&ENCODING))),
            Field::silent(&["example", "examples"]),
            Field::silent(&["description"]).new_in_3_2(),
            Field::new(&["itemSchema"], Expected::Object(&SCHEMA)),
            Field::new(&["itemEncoding"], Expected::Object(&ENCODING)).new_in_3_2(),
            Field::new(&["prefixEncoding"], Expected::List(&Expected::Object(&ENCODING)))
                .new_in_3_2(),
        ],
    )
};

/// The consequence of encodings of parts without names.
const PARTS: &str = "the parts are not typed: the body is sent as it is given";

static ENCODING: Object = Object {
    exclusive: &[("encoding", "prefixEncoding"), ("encoding", "itemEncoding")],
    ..Object::new(
        "an encoding",
        &[
            Field::texts(&["contentType", "style"]),
            Field::flags(&["allowReserved", "explode"]),
            Field::new(&["headers"], Expected::Map(&Expected::Object(&HEADER))),
            Field::new(&["encoding"], Expected::Map(&Expected::Object(&ENCODING)))
                .ignored(PARTS)
                .new_in_3_2(),
            Field::new(&["itemEncoding"], Expected::Object(&ENCODING)).ignored(PARTS).new_in_3_2(),
            Field::new(&["prefixEncoding"], Expected::List(&Expected::Object(&ENCODING)))
                .ignored(PARTS)
                .new_in_3_2(),
        ],
    )
};

/// The `content` of a body, a response or a parameter.
pub(super) const CONTENT: Expected = Expected::Replaceable(&Expected::Keyed(
    check_name,
    &Expected::Replaceable(&Expected::Object(&MEDIA_TYPE)),
));

/// Reports a key of a `content` that is not a media type, or probably a misspelled one.
fn check_name(validator: &mut Validator<'_>, name: &str, pointer: &Pointer) -> bool {
    let essence = essence(name);
    if USUAL.contains(&essence.as_str()) || OTHERS.contains(&essence.as_str()) {
        return true;
    }
    let top = essence.split_once('/').map(|(top, _)| top);
    let usual = USUAL.into_iter().find(|usual| is_close(&essence, usual));
    let meant = match top {
        Some(top) if usual.is_none() && !top.is_empty() && !TYPES.contains(&top) => {
            validator.diagnostics.spelling().closest(top, TYPES.into_iter())
        }
        _ => usual,
    };
    if meant.is_some() || top.is_none() {
        let help = "write a type and a subtype, such as `application/json`";
        let message = format!("`{name}` is not a media type");
        validator.at_key(Code::MediaType, pointer, message).help(help_for_unknown(meant, help));
    }
    true
}

/// Returns whether a media type differs from a common one in one letter: with more, correct ones would be reported.
fn is_close(name: &str, usual: &str) -> bool {
    name.len().abs_diff(usual.len()) <= 1 && strsim::osa_distance(name, usual) == 1
}
