//! Descriptions of items.

use crate::ir::Docs;

/// The description of an item or a member in the spec.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The documentation.
    pub docs: String,
    /// Whether using it is a deprecation warning.
    pub deprecated: bool,
    /// The JSON pointer of the place that it comes from, or empty.
    pub place: String,
}

impl About {
    /// Returns the description of a place without documentation.
    pub(super) fn at(place: &str) -> Self {
        Self { place: place.to_owned(), ..Self::default() }
    }

    /// Returns the description of a documented place.
    pub(super) fn new(docs: &Docs, place: &str) -> Self {
        let text = docs.text.clone().unwrap_or_default();
        Self { docs: text, deprecated: docs.deprecated, place: place.to_owned() }
    }
}
