//! The keys of components.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::Node;
use crate::source_map::Pointer;

/// Warns of keys that OpenAPI does not allow (OpenAPI 3.1.1 §4.8.7.1).
pub(super) fn illegal(root: &Node, diagnostics: &mut Diagnostics) {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    for (section, components) in root.members(&["components"]) {
        if section.starts_with("x-") {
            continue;
        }
        for (key, _) in components.members(&[]) {
            if !key.is_empty() && key.chars().all(is_legal) {
                continue;
            }
            let pointer = Pointer::root().join("components").join(section).join(key);
            diagnostics
                .warning("component-key", Place::Key(pointer), "this is not the key of a component")
                .help("keys of components have letters, digits, `.`, `-` and `_` only");
        }
    }
}
