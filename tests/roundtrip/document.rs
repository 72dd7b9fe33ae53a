//! A document as written: its tree, the places in it, and where its references point.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::Value;

/// The number of a place: the same from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(usize);

/// A document as written.
#[derive(Debug)]
pub struct Document<'d> {
    root: &'d Value,
    /// In OpenAPI 3.0, nothing beside a `$ref` counts.
    is_3_0: bool,
    places: Vec<(&'d Value, String)>,
    /// The number of every value, by its address.
    numbers: HashMap<*const Value, PlaceId>,
}

impl<'d> Document<'d> {
    /// Numbers the places of a tree.
    pub fn of(root: &'d Value) -> Self {
        let version = root.get("openapi").and_then(Value::as_str);
        let mut document = Self {
            root,
            is_3_0: version.is_some_and(|version| version.starts_with("3.0")),
            places: Vec::new(),
            numbers: HashMap::new(),
        };
        document.number(root, String::new());
        document
    }

    fn number(&mut self, value: &'d Value, pointer: String) {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            self.number(item, format!("{pointer}/{index}"));
        }
        for (key, value) in value.as_object().into_iter().flatten() {
            self.number(value, format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")));
        }
        self.numbers.insert(std::ptr::from_ref(value), PlaceId(self.places.len()));
        self.places.push((value, pointer));
    }

    /// Returns the value at a place.
    pub fn value(&self, place: PlaceId) -> &'d Value {
        self.places.get(place.0).map_or(self.root, |place| place.0)
    }

    /// Returns the JSON pointer to a place.
    pub fn pointer(&self, place: PlaceId) -> &str {
        self.places.get(place.0).map_or("", |place| &place.1)
    }

    /// Returns the place of a part of the tree.
    pub fn place(&self, value: &Value) -> PlaceId {
        self.numbers.get(&std::ptr::from_ref(value)).copied().unwrap_or_default()
    }

    /// Returns the place that a JSON pointer names.
    pub fn at(&self, pointer: &str) -> Option<PlaceId> {
        self.root.pointer(pointer).map(|value| self.place(value))
    }

    /// Returns whether nothing but the `$ref` of a schema counts.
    pub fn is_reference_alone(&self, value: &Value) -> bool {
        self.is_3_0 && value.get("$ref").is_some()
    }

    /// Returns the place that a `$ref` within the document names.
    pub fn follow(&self, reference: &str) -> Option<PlaceId> {
        let fragment = percent_decode_str(reference.strip_prefix('#')?);
        self.at(&fragment.decode_utf8().ok()?)
    }
}
