//! The templates of paths.

use std::collections::HashMap;

use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Document, Pointer};

/// Warns of paths that differ in the names of their variables only: a server cannot distinguish them (OpenAPI 3.1.1 §4.8.8).
pub(super) fn similar(document: &Document, diagnostics: &mut Diagnostics) {
    let mut first: HashMap<String, &str> = HashMap::new();
    let place = |path: &str| Place::Key(Pointer::root().join("paths").join(path));
    for (path, _) in document.root().map("paths") {
        let Some(earlier) = first.insert(without_names(path), path) else {
            continue;
        };
        let message = format!("the paths `{path}` and `{earlier}` are the same for a server");
        diagnostics
            .warning("similar-paths", place(path), message)
            .related(place(earlier), "the other one")
            .help("describe the operations of both under one path");
    }
}

/// Returns a template with empty braces.
fn without_names(path: &str) -> String {
    let mut parts = path.split('{');
    let mut template = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        template.push('{');
        template.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    template
}
