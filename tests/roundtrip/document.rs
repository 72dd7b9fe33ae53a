//! A document as written: its trees, the places in them, and the targets of its references.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

/// The number of a place: the same from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(usize);

/// A document as written.
#[derive(Debug)]
pub struct Document<'d> {
    /// The trees of the files by path; the document itself has none. References are from its folder.
    files: &'d Map<String, Value>,
    /// In OpenAPI 3.0, keywords next to a `$ref` are ignored.
    is_3_0: bool,
    places: Vec<(&'d Value, String)>,
    /// The number of every value, by its address.
    numbers: HashMap<*const Value, Place>,
}

impl<'d> Document<'d> {
    /// Numbers the places of the trees.
    pub fn new(files: &'d Map<String, Value>) -> Self {
        let version = files.get("").and_then(|root| root.get("openapi")?.as_str());
        let is_3_0 = version.is_some_and(|version| version.starts_with("3.0"));
        let mut document = Self { files, is_3_0, places: Vec::new(), numbers: HashMap::new() };
        for (file, root) in files {
            let pointer = if file.is_empty() { String::new() } else { format!("{file}#") };
            document.number(root, pointer);
        }
        document
    }

    fn number(&mut self, value: &'d Value, pointer: String) {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            self.number(item, format!("{pointer}/{index}"));
        }
        for (key, value) in value.as_object().into_iter().flatten() {
            self.number(value, format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")));
        }
        self.numbers.insert(std::ptr::from_ref(value), Place(self.places.len()));
        self.places.push((value, pointer));
    }

    /// Returns whether no other file belongs to the document.
    pub fn is_one_file(&self) -> bool {
        self.files.len() == 1
    }

    /// Returns the value at a place.
    pub fn value(&self, place: Place) -> &'d Value {
        self.places.get(place.0).map_or(&Value::Null, |place| place.0)
    }

    /// Returns the JSON pointer to a place, after the file unless that is the document itself.
    pub fn pointer(&self, place: Place) -> &str {
        self.places.get(place.0).map_or("", |place| &place.1)
    }

    /// Returns all values with the pointers to them.
    #[cfg(feature = "validator")]
    pub fn all(&self) -> impl Iterator<Item = (&'d Value, &str)> {
        self.places.iter().map(|(value, pointer)| (*value, pointer.as_str()))
    }

    /// Returns the place of a part of the trees.
    pub fn place(&self, value: &Value) -> Place {
        self.numbers.get(&std::ptr::from_ref(value)).copied().unwrap_or_default()
    }

    /// Returns the place that [`pointer`](Self::pointer) writes like this.
    pub fn at(&self, pointer: &str) -> Option<Place> {
        let file = pointer.split_once('#').filter(|_| !pointer.starts_with('/'));
        let (file, pointer) = file.unwrap_or(("", pointer));
        self.files.get(file)?.pointer(pointer).map(|value| self.place(value))
    }

    /// Returns whether only the `$ref` of a schema applies.
    pub fn is_reference_alone(&self, value: &Value) -> bool {
        self.is_3_0 && value.get("$ref").is_some()
    }

    /// Returns the components with a schema in their `allOf`, and their names.
    pub fn extensions(&self, base: Place) -> Vec<(&'d String, Place)> {
        let components = self.files.get("").and_then(|root| root.pointer("/components/schemas"));
        let components = components.and_then(Value::as_object).into_iter().flatten();
        let extends = |schema: &Value| {
            let mut parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
            parts.any(|part| part["$ref"].as_str().and_then(|to| self.follow(to)) == Some(base))
        };
        let found = components.filter(|(_, schema)| extends(schema));
        found.map(|(name, schema)| (name, self.place(schema))).collect()
    }

    /// Returns the place that a `$ref` names.
    pub fn follow(&self, reference: &str) -> Option<Place> {
        self.at(&percent_decode_str(reference).decode_utf8().ok()?)
    }
}

/// Follows references to the end.
pub fn resolved<'d>(document: &Document<'d>, value: &'d Value) -> &'d Value {
    let mut value = value;
    for _ in 0..10 {
        let target = value.get("$ref").and_then(Value::as_str).and_then(|it| document.follow(it));
        let Some(target) = target else { break };
        value = document.value(target);
    }
    value
}
