//! The entries of a JSON object, some of which were read ahead to recognize the variant of a union.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};

use crate::wire::decode::error::foreign;
use crate::wire::digits;
use crate::wire::reflect::rules::Properties;
use crate::wire::value::Value;

/// The entries of an object that are not decoded yet.
///
/// A union within a union is decoded from the same type again, however deep they are nested.
pub(super) struct Entries<'de, A> {
    ahead: Ahead<'de>,
    /// Whether all entries were read ahead.
    is_complete: bool,
    /// The value of an entry that was read ahead, whose name was returned.
    value: Option<Value>,
    map: A,
}

/// The entries that were read ahead.
#[derive(Default)]
pub(super) struct Ahead<'de>(VecDeque<Entry<'de>>);

/// The name of a property, borrowed from the text if it has no escapes, and its value.
type Entry<'de> = (Cow<'de, str>, Value);

impl<'de> Ahead<'de> {
    /// Returns the entries.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<'de>> {
        self.0.iter()
    }
}

impl Properties for Ahead<'_> {
    fn valued(&self, name: &str) -> Option<&Value> {
        let entry = self.0.iter().find(|(known, value)| known == name && !value.is_null());
        entry.map(|(_, value)| value)
    }

    fn is_null(&self, name: &str) -> bool {
        self.0.iter().any(|(known, value)| known == name && value.is_null())
    }

    fn count(&self) -> usize {
        self.0.iter().filter(|(_, value)| !value.is_null()).count()
    }
}

impl<'de, A: MapAccess<'de>> Entries<'de, A> {
    pub fn new(map: A) -> Self {
        Self { ahead: Ahead::default(), is_complete: false, value: None, map }
    }

    /// Reads ahead to a property, and returns its value. A null property is the same as none.
    pub fn find(&mut self, name: &str) -> Result<Option<&Value>, A::Error> {
        let mut is_found = self.ahead.valued(name).is_some();
        while !is_found && let Some((known, value)) = self.read()? {
            is_found = known == name && !value.is_null();
        }
        Ok(self.ahead.valued(name))
    }

    /// Returns the digits if the object represents a number. Reads its first entry ahead.
    pub fn digits(&mut self) -> Result<Option<String>, A::Error> {
        if self.ahead.0.is_empty() {
            self.read()?;
        }
        Ok(match self.ahead.0.front() {
            Some((name, Value::String(digits))) if name == digits::NAME => Some(digits.clone()),
            _ => None,
        })
    }

    /// Reads an entry ahead, and returns it.
    fn read(&mut self) -> Result<Option<&Entry<'de>>, A::Error> {
        let Some(name) = self.map.next_key_seed(Name)? else {
            self.is_complete = true;
            return Ok(None);
        };
        self.ahead.0.push_back((name, self.map.next_value()?));
        Ok(self.ahead.0.back())
    }

    /// Removes a property that was read ahead, if it has this value.
    pub fn remove(&mut self, name: &str, value: &Value) {
        self.ahead.0.retain(|(known, found)| known != name || found != value);
    }

    /// Removes the nulls whose names are not needed, if all entries were read ahead. How many were read to find a property
    /// depends on their order, which must make no difference.
    pub fn remove_nulls(&mut self, mut is_needless: impl FnMut(&str) -> bool) {
        if !self.is_complete {
            return;
        }
        self.ahead.0.retain(|(name, value)| !value.is_null() || !is_needless(name));
    }

    /// Removes the entries that were read ahead and whose names are not `kept`.
    pub fn retain(&mut self, mut kept: impl FnMut(&str) -> bool) {
        self.ahead.0.retain(|(name, _)| kept(name));
    }

    /// Reads all entries ahead, and returns them.
    pub fn all(&mut self) -> Result<&Ahead<'de>, A::Error> {
        while self.read()?.is_some() {}
        Ok(&self.ahead)
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        match self.ahead.0.pop_front() {
            None => self.map.next_key_seed(seed),
            Some((name, value)) => {
                self.value = Some(value);
                seed.deserialize(name.as_ref().into_deserializer()).map(Some)
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.value.take() {
            None => self.map.next_value_seed(seed),
            Some(value) => seed.deserialize(value).map_err(|error| foreign(&error)),
        }
    }
}

/// Reads the name of a property.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}
