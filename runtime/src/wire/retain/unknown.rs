//! What models retain of JSON that the spec does not describe.

use std::error::Error;
use std::fmt;
use std::sync::LazyLock;

use crate::wire::retain::original::Original;
use crate::wire::value::{Map, Value};

/// The properties of an object that the spec does not describe, and whatever else is needed to encode the JSON that was
/// decoded.
///
/// It is one pointer, null when there is nothing to retain. Two are equal when they have the same properties.
#[derive(Clone, Default)]
pub struct UnknownMembers(Option<Box<Retained>>);

/// What is retained beside the fields of an object.
#[derive(Clone, Default)]
struct Retained {
    /// The properties that are not described.
    properties: Map,
    /// Whether one of them may have the name of a described property, which it is sent in place of.
    overrides: bool,
    /// The undescribed properties of the union that the object is the value of.
    siblings: Map,
    /// How the values of fields were written, sorted by the index of the field once the object is complete.
    originals: Vec<(usize, Original)>,
}

impl UnknownMembers {
    pub(in crate::wire) const NOTHING: Self = Self(None);

    /// Returns the properties.
    pub fn members(&self) -> &Map {
        self.0.as_ref().map_or_else(no_properties, |retained| &retained.properties)
    }

    /// Returns the value of a property.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members().get(name)
    }

    /// Returns an iterator over the properties, in the order of their names.
    pub fn iter(&self) -> serde_json::map::Iter<'_> {
        self.members().iter()
    }

    /// Returns the number of properties.
    pub fn len(&self) -> usize {
        self.members().len()
    }

    /// Returns whether there are no properties.
    pub fn is_empty(&self) -> bool {
        self.members().is_empty()
    }

    pub(in crate::wire) fn retains_nothing(&self) -> bool {
        self.0.is_none()
    }

    pub(in crate::wire) fn insert(&mut self, name: String, value: Value) {
        self.retained().properties.insert(name, value);
    }

    /// Sets a property, which may have the name of a described one.
    pub(in crate::wire) fn set(&mut self, name: String, value: Value) {
        self.insert(name, value);
        self.retained().overrides = true;
    }

    pub(in crate::wire) fn overrides(&self) -> bool {
        self.0.as_ref().is_some_and(|retained| retained.overrides)
    }

    /// Takes all properties if one of them is not null.
    pub(in crate::wire) fn take_valued(&mut self) -> Option<Map> {
        let properties = &mut self.0.as_mut()?.properties;
        properties.values().any(|value| !value.is_null()).then(|| std::mem::take(properties))
    }

    pub(in crate::wire) fn siblings(&self) -> &Map {
        self.0.as_ref().map_or_else(no_properties, |retained| &retained.siblings)
    }

    pub(in crate::wire) fn siblings_mut(&mut self) -> &mut Map {
        &mut self.retained().siblings
    }

    /// Returns how the value of a field was written, once the object is complete.
    pub(in crate::wire) fn original(&self, field: usize) -> Option<&Original> {
        let originals = &self.0.as_ref()?.originals;
        let index = originals.binary_search_by_key(&field, |(field, _)| *field).ok()?;
        originals.get(index).map(|(_, original)| original)
    }

    /// Retains how the value of a field was written, for which nothing is retained yet.
    pub(in crate::wire) fn retain(&mut self, field: usize, original: Original) {
        self.retained().originals.push((field, original));
    }

    /// Takes what is retained of how the value of a field was written.
    pub(in crate::wire) fn release(&mut self, field: usize) -> Option<Original> {
        let originals = &mut self.0.as_mut()?.originals;
        let index = originals.iter().position(|(other, _)| *other == field)?;
        Some(originals.swap_remove(index).1)
    }

    /// Sorts what is retained, once the object is complete.
    pub(in crate::wire) fn settle(&mut self) {
        if let Some(retained) = &mut self.0 {
            retained.originals.sort_by_key(|(field, _)| *field);
            retained.originals.shrink_to_fit();
            if retained.properties.is_empty()
                && retained.siblings.is_empty()
                && retained.originals.is_empty()
            {
                self.0 = None;
            }
        }
    }

    fn retained(&mut self) -> &mut Retained {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for UnknownMembers {
    fn eq(&self, other: &Self) -> bool {
        self.members() == other.members() && self.siblings() == other.siblings()
    }
}

impl Eq for UnknownMembers {}

impl fmt::Debug for UnknownMembers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.members().fmt(f)
    }
}

impl<'a> IntoIterator for &'a UnknownMembers {
    type Item = (&'a String, &'a Value);
    type IntoIter = serde_json::map::Iter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// An enum value that the spec does not list, and the error of parsing it as one that is.
///
/// Only decoding and conversions of the enum create one, so it never equals a value that is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnknownValue(Box<str>);

impl UnknownValue {
    /// Returns the value as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UnknownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown value {:?}", self.0)
    }
}

impl Error for UnknownValue {}

/// The properties of a union of which the spec describes none, or of which several came at once.
///
/// Only decoding creates one that is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownUnion(Map);

impl UnknownUnion {
    /// Returns the properties as they came.
    pub fn members(&self) -> &Map {
        &self.0
    }
}

/// Returns a value that is not listed. For the macros alone, which have looked.
pub fn unknown_value(text: &str) -> UnknownValue {
    UnknownValue(text.into())
}

/// Returns the properties for writing. For the macros alone.
pub fn unknown_members(union: &mut UnknownUnion) -> &mut Map {
    &mut union.0
}

/// Returns an object without properties.
pub(in crate::wire) fn no_properties<'a>() -> &'a Map {
    static NO_PROPERTIES: LazyLock<Map> = LazyLock::new(Map::new);
    &NO_PROPERTIES
}
