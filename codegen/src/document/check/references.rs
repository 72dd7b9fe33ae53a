//! References in what is not generated, such as the branches of a `oneOf` without a type, callbacks and links.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Document, Pointer};

/// The fields with values of the API, in which nothing is a reference.
const VALUES: [&str; 5] = ["const", "default", "enum", "example", "examples"];

/// Warns of references to nothing in the document.
pub(super) fn dangling(document: &Document, diagnostics: &mut Diagnostics) {
    let holds_references = |pointer: &Pointer| {
        let key = pointer.last().unwrap_or_default();
        pointer.parent().is_some_and(is_name) || !VALUES.contains(&key) && !key.starts_with("x-")
    };
    for view in document.root().descendants(holds_references) {
        let target = view.reference().filter(|_| !is_name(&view.pointer));
        if let Some(target) = target.and_then(Pointer::from_reference)
            && target.file().is_none()
            && document.tree.at(&target).is_none()
        {
            let message = format!("`#{target}` does not exist");
            diagnostics
                .warning("dangling-ref", Place::Value(view.pointer.join("$ref")), message)
                .help("correct the reference, or add the missing component");
        }
    }
}

/// Returns whether the keys of an object are names of properties, and none of them a keyword.
fn is_name(pointer: &Pointer) -> bool {
    pointer.last() == Some("properties")
}
