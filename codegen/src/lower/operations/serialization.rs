//! How the values of parameters and of the properties of forms are written.

use crate::document::View;
use crate::ir::{ListKeys, Serialization, Style};

/// Returns how a value is written: by the style of a parameter or an encoding, or else by the default one.
pub fn of(described: &View<'_>, default: Style, list_keys: ListKeys) -> Serialization {
    let style = match described.text("style").and_then(Style::from_name).unwrap_or(default) {
        Style::DeepObject(_) => Style::DeepObject(list_keys),
        style => style,
    };
    let explode = match style {
        // Its objects have no other form, although the default of `explode` is false.
        Style::DeepObject(_) => true,
        style => {
            let is_default = matches!(style, Style::Form | Style::Cookie);
            described.flag_if_written("explode").unwrap_or(is_default)
        }
    };
    Serialization { style, explode, allow_reserved: described.flag("allowReserved") }
}
