//! The styles of parameters and headers.

use super::validator::Validator;
use crate::diagnostics::Code;
use crate::document::view::{Location, Version, View};

/// Pairs of mutually exclusive fields of a parameter or a header.
pub(super) const EXCLUSIVE: &[(&str, &str)] = &[("example", "examples"), ("schema", "content")];

/// Reports a style that is not allowed in a location (OpenAPI 3.1.1 §4.8.12.2.2).
pub(super) fn check_style(view: &View<'_>, location: Location, validator: &mut Validator<'_>) {
    let Some(style) = view.text("style") else { return };
    let allowed: &[&str] = match location {
        Location::Path => &["matrix", "label", "simple"],
        Location::Query => &["form", "spaceDelimited", "pipeDelimited", "deepObject"],
        Location::QueryString => &[],
        Location::Header => &["simple"],
        Location::Cookie => &["form"],
    };
    let is_of_3_2 =
        validator.is_version(Version::V3_2) && (location.name(), style) == ("cookie", "cookie");
    if !allowed.contains(&style) && !is_of_3_2 {
        let location = location.name();
        let message = format!("the style `{style}` is not allowed for a parameter in `{location}`");
        let help = format!("allowed here: `{}`", allowed.join("`, `"));
        validator.invalid(&view.pointer.join("style"), message, help);
    }
}

/// Warns of an `allowReserved` without effect: before OpenAPI 3.2 it is only for the query, and headers are not encoded.
pub(super) fn misplaced_allow_reserved(view: &View<'_>, validator: &mut Validator<'_>) {
    if view.flag("allowReserved") {
        let pointer = view.pointer.join("allowReserved");
        let message = "`allowReserved` has no effect here";
        validator.at_key(Code::MisplacedField, &pointer, message).help("remove it");
    }
}

/// Warns of a parameter or a header without a type.
pub(super) fn check_described(what: &str, view: &View<'_>, validator: &mut Validator<'_>) {
    // A misplaced `type` is reported itself.
    if ["schema", "content", "type"].iter().all(|key| view.raw(key).is_none()) {
        validator
            .at_key(
                Code::MissingField,
                &view.pointer,
                format!("{what} needs `schema` or `content`"),
            )
            .help("describe its values: they are read as strings");
    }
}
