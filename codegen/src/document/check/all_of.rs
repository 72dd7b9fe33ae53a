//! The parts of an `allOf`.

use std::collections::HashMap;

use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Document, Pointer, View};

/// Warns of `allOf`s in which no value can have all types: of the parts themselves, or of a property that several have.
pub(super) fn exclusive_types(document: &Document, diagnostics: &mut Diagnostics) {
    for schema in document.root().descendants(|_| true) {
        let mut types: HashMap<Option<&str>, (&str, Pointer)> = HashMap::new();
        for part in schema.list("allOf").map(|part| part.clone().followed().unwrap_or(part)) {
            let properties = part.map("properties").map(|(name, property)| (Some(name), property));
            for (name, view) in properties.chain([(None, part)]) {
                if let Some(ty) = view.text("type") {
                    let (earlier, place) =
                        types.entry(name).or_insert_with(|| (ty, view.pointer.clone()));
                    report(name, (earlier, place), (ty, &view), diagnostics);
                }
            }
        }
    }
}

fn report(
    name: Option<&str>,
    (earlier, place): (&str, &Pointer),
    (ty, view): (&str, &View<'_>),
    diagnostics: &mut Diagnostics,
) {
    let is_numeric = |ty| matches!(ty, "integer" | "number");
    if earlier == ty || is_numeric(earlier) && is_numeric(ty) {
        return;
    }
    let what = name.map_or("a value".to_owned(), |name| format!("the property `{name}`"));
    let message = format!("{what} cannot be both of type `{earlier}` and `{ty}`");
    diagnostics
        .warning("exclusive-types", Place::Value(view.pointer.join("type")), message)
        .related(Place::Value(place.join("type")), format!("`{earlier}` here"))
        .help("let both parts of the `allOf` have the same type");
}
