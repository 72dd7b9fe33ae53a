//! How the values of parameters are written.

use crate::document::Parameter;
use crate::ir::{ListKeys, Location, Serialization, Style};

/// Returns how the value of a parameter with a schema is written.
pub fn of_schema(
    parameter: &Parameter<'_>,
    location: Location,
    list_keys: ListKeys,
) -> Serialization {
    let default = location.serialization();
    let style = match parameter.style().and_then(Style::from_name).unwrap_or(default.style) {
        Style::DeepObject(_) => Style::DeepObject(list_keys),
        style => style,
    };
    let explode = match style {
        // Its objects have no other form, although the default of `explode` is false.
        Style::DeepObject(_) => true,
        style => parameter.explode().unwrap_or(matches!(style, Style::Form | Style::Cookie)),
    };
    let is_encoded = location != Location::Header && style != Style::Cookie;
    let allow_reserved = is_encoded && parameter.flag("allowReserved");
    Serialization { style, explode, allow_reserved }
}
