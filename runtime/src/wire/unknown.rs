//! JSON that the spec does not describe, which models retain.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem;
use std::sync::{Arc, LazyLock};

use crate::secrets::Withheld;
use crate::secrets::debug::opaque;
use crate::wire::exact::Exact;
use crate::wire::integer::{Integer, IntoInteger, checked};
use crate::wire::reflect::hidden::Hidden;
use crate::wire::reflect::table::Described;
use crate::wire::value::{Map, Value};

/// The retained content of an object: undescribed properties, the missing required ones, and nulls.
///
/// One pointer, null if there is no retained content. Equality ignores which properties were missing or set to an integer
/// that they cannot have.
#[derive(Clone, Default)]
pub struct UnknownProperties(Option<Box<Retained>>);

#[derive(Clone, Default)]
pub(in crate::wire) struct Retained {
    /// The undescribed properties.
    pub properties: Map,
    /// Whether one of them may have the name of a described property, which it replaces on the wire.
    pub has_overrides: bool,
    /// The properties that decoding retained because their fields cannot hold them. A field that is set replaces its
    /// property.
    pub unfit: BTreeMap<String, Unfit>,
    /// The undescribed properties of the union that the object is the value of.
    pub siblings: Map,
    /// The tags that the union of the object was received without, and does not write.
    pub missing_tags: Vec<&'static str>,
    /// The fields of required properties that had no value, and of optional properties that were null, until they are
    /// set.
    pub missing: BTreeMap<usize, Missing>,
    /// The secrets of the request that the object answers, for `Debug`.
    pub withheld: Option<Arc<Withheld>>,
    /// The properties that were set to an integer that is out of range, each with the reason. The reason holds while the
    /// field has the default of its type.
    pub invalid: BTreeMap<&'static str, String>,
}

/// A property that its field cannot hold.
#[derive(Clone)]
pub(in crate::wire) struct Unfit {
    /// The fingerprint of what its field has instead, which is set if it is another one.
    pub stand_in: Option<u64>,
    /// The property as it was received, if JSON values hold only the nearest of its numbers.
    pub exact: Option<Exact>,
}

/// A property without a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::wire) enum Missing {
    Absent,
    Null,
}

impl UnknownProperties {
    pub(in crate::wire) const NOTHING: Self = Self(None);

    pub(in crate::wire) fn properties(&self) -> &Map {
        self.0.as_ref().map_or_else(no_properties, |retained| &retained.properties)
    }

    /// Returns the properties with numbers that JSON values do not hold.
    fn exact(&self) -> impl Iterator<Item = (&String, &Exact)> {
        let unfit = self.0.iter().flat_map(|retained| &retained.unfit);
        unfit.filter_map(|(name, unfit)| Some((name, unfit.exact.as_ref()?)))
    }

    pub(in crate::wire) fn siblings(&self) -> &Map {
        self.0.as_ref().map_or_else(no_properties, |retained| &retained.siblings)
    }

    /// Returns the retained content, if there is any.
    pub(in crate::wire) fn retained(&self) -> Option<&Retained> {
        self.0.as_deref()
    }

    pub(in crate::wire) fn retained_mut(&mut self) -> &mut Retained {
        self.0.get_or_insert_default()
    }

    /// Takes all properties that do not replace described ones, if one of them is not null.
    pub(in crate::wire) fn take_valued(
        &mut self,
        is_described: impl Fn(&str) -> bool,
    ) -> Option<Map> {
        let properties = &mut self.0.as_mut()?.properties;
        let has_value = properties.iter().any(|(name, it)| !it.is_null() && !is_described(name));
        if !has_value {
            return None;
        }
        let (described, others) =
            mem::take(properties).into_iter().partition(|(name, _)| is_described(name));
        *properties = described;
        Some(others)
    }

    /// Returns the value of a setter for a property, or `None` if the property cannot have it: the reason is retained,
    /// and the object cannot be sent until the property is set again. Both replace what decoding retained for the field.
    #[doc(hidden)]
    pub fn integer<T: Integer + Default>(
        &mut self,
        property: &'static str,
        value: impl IntoInteger<T>,
    ) -> Option<T> {
        if self.retained().is_some_and(|retained| retained.unfit.contains_key(property)) {
            self.remove_override(property);
        }
        match checked(value) {
            Ok(value) => {
                if let Some(retained) = &mut self.0 {
                    retained.invalid.remove(property);
                    self.drop_if_empty();
                }
                Some(value)
            }
            Err(why) => {
                self.retained_mut().invalid.insert(property, why);
                None
            }
        }
    }

    /// Marks the property of a field as present.
    pub(in crate::wire) fn remove_missing(&mut self, field: usize) {
        if let Some(retained) = &mut self.0 {
            retained.missing.remove(&field);
        }
    }

    /// Marks the property of a field as null, in place of what is retained for it.
    pub(in crate::wire) fn insert_null(&mut self, property: &str, field: usize) {
        self.remove_override(property);
        let retained = self.retained_mut();
        retained.invalid.remove(property);
        retained.missing.insert(field, Missing::Null);
    }

    /// Retains a property that replaces the described one.
    pub(in crate::wire) fn insert_override(&mut self, name: String, value: Value) {
        let retained = self.retained_mut();
        retained.unfit.remove(&name);
        retained.properties.insert(name, value);
        retained.has_overrides = true;
    }

    /// Retains a property that its field cannot hold.
    pub(in crate::wire) fn insert_unfit(&mut self, name: &str, value: Value, unfit: Unfit) {
        self.insert_override(name.to_owned(), value);
        self.retained_mut().unfit.insert(name.to_owned(), unfit);
    }

    /// Drops a property that replaces the described one.
    pub(in crate::wire) fn remove_override(&mut self, name: &str) -> Option<Value> {
        let retained = self.0.as_mut()?;
        retained.unfit.remove(name);
        retained.properties.remove(name)
    }

    /// Drops the allocation if there is no retained content.
    pub(in crate::wire) fn drop_if_empty(&mut self) {
        self.0.take_if(|it| {
            it.properties.is_empty()
                && it.siblings.is_empty()
                && it.missing_tags.is_empty()
                && it.missing.is_empty()
                && it.invalid.is_empty()
                && it.withheld.is_none()
        });
    }
}

impl Retained {
    /// Returns what is hidden of an undescribed property, within the object. One that replaces a described property may be
    /// a secret by the type of that.
    pub fn hides(&self, table: &Described, name: &str, object: Hidden) -> Hidden {
        let is_described = self.unfit.contains_key(name) || table.position(name, 0).is_some();
        if is_described { Hidden::All } else { object.named(name) }
    }

    /// Returns whether an undescribed property replaces the described one with the same name.
    pub(in crate::wire) fn overrides(&self, name: &str) -> bool {
        self.has_overrides && self.properties.contains_key(name)
    }
}

impl PartialEq for UnknownProperties {
    fn eq(&self, other: &Self) -> bool {
        self.properties() == other.properties()
            && self.siblings() == other.siblings()
            && self.exact().eq(other.exact())
    }
}

impl Eq for UnknownProperties {}

impl Hash for UnknownProperties {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.properties().hash(state);
        self.siblings().hash(state);
    }
}

/// An enum value that the spec does not list, and the error of parsing it as a listed one.
///
/// Only decoding and conversions of the enum create one, so it never equals a listed value.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnknownValue(Box<str>);

impl UnknownValue {
    /// Returns the value as it was received.
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

/// An integer that the spec does not list, and the error of converting it to a listed one.
///
/// Only decoding and conversions of the enum create one, so it never equals a listed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnknownInteger(i64);

impl UnknownInteger {
    /// Returns the value as it was received.
    pub fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for UnknownInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown value {}", self.0)
    }
}

impl Error for UnknownInteger {}

/// The content of a union that has no known property, or several.
///
/// Only decoding creates a value that is not empty. `Debug` does not show it: it can contain secrets.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct UnknownUnion(Map);

impl UnknownUnion {
    /// Returns the properties as they were received.
    pub fn properties(&self) -> &Map {
        &self.0
    }
}

/// The content of a union that matches none of its variants.
///
/// Only decoding creates a value that is not null. `Debug` does not show it: it can contain secrets.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct UnknownVariant(Value);

opaque!(UnknownUnion, UnknownVariant);

impl UnknownVariant {
    /// Returns the value as it was received.
    pub fn json(&self) -> &Value {
        &self.0
    }
}

/// Returns the value for writing. For macros only.
pub fn unknown_variant(variant: &mut UnknownVariant) -> &mut Value {
    &mut variant.0
}

/// Wraps a value that is not listed. For macros only, which have checked that.
pub fn unknown_value(text: &str) -> UnknownValue {
    UnknownValue(text.into())
}

/// Wraps an integer that is not listed. For macros only, which have checked that.
pub fn unknown_integer(value: i64) -> UnknownInteger {
    UnknownInteger(value)
}

/// Returns the properties for writing. For macros only.
pub fn unknown_properties(union: &mut UnknownUnion) -> &mut Map {
    &mut union.0
}

/// Returns an object without properties.
pub(in crate::wire) fn no_properties<'a>() -> &'a Map {
    static NO_PROPERTIES: LazyLock<Map> = LazyLock::new(Map::new);
    &NO_PROPERTIES
}
