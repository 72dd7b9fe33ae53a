//! The keys of components.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Document, View};

/// Warns of keys that OpenAPI does not allow (OpenAPI 3.1.1 §4.8.7.1).
pub(super) fn illegal(document: &Document, diagnostics: &mut Diagnostics) {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let sections = document.root().map("components").filter(|(name, _)| !name.starts_with("x-"));
    for (key, component) in sections.flat_map(|(_, section)| View::members(section)) {
        if key.is_empty() || !key.chars().all(is_legal) {
            diagnostics
                .warning(
                    "component-key",
                    Place::Key(component.pointer),
                    "this is not the key of a component",
                )
                .help("keys of components have letters, digits, `.`, `-` and `_` only");
        }
    }
}
