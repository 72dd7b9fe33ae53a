//! The entries of a JSON object, some of which were read ahead to recognize the variant of a union.

use std::borrow::Cow;
use std::{fmt, iter, mem, vec};

use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess,
    Visitor,
};
use serde_json::Number;

use crate::wire::buffered::{Buffered, Entry, Properties};
use crate::wire::decode::error::foreign;
use crate::wire::exact;
use crate::wire::value::{Map, Value};

/// The entries of an object that are not decoded yet.
///
/// A union within a union is decoded from the same type again, however deep they are nested.
pub(super) struct Entries<'de, A> {
    /// Whether the next entry or the end was read ahead.
    is_ahead: bool,
    /// The entries that were read ahead.
    ahead: Properties<'de>,
    /// The entries among these that are being decoded.
    rest: vec::IntoIter<Entry<'de>>,
    /// Whether all entries were read ahead.
    is_complete: bool,
    /// The name of the first entry, if it was read ahead.
    name: Option<Cow<'de, str>>,
    /// The value of an entry that was read ahead, whose name was returned.
    value: Option<Buffered<'de>>,
    /// The property that decided a variant. Only its first value counts: another one could decide otherwise.
    decided: Option<&'static str>,
    /// The properties that decided the variants around this one.
    decided_before: Vec<&'static str>,
    map: A,
}

/// Returns the entries of an object that was read ahead.
pub(super) fn buffered(
    properties: Properties<'_>,
) -> Entries<'_, impl MapAccess<'_, Error = serde_json::Error>> {
    let none = MapDeserializer::new(iter::empty::<(&str, &str)>());
    Entries { is_ahead: true, ahead: properties, is_complete: true, ..Entries::new(none) }
}

impl<'de, A: MapAccess<'de>> Entries<'de, A> {
    pub fn new(map: A) -> Self {
        Self {
            is_ahead: false,
            ahead: Properties::default(),
            rest: vec::IntoIter::default(),
            is_complete: false,
            name: None,
            value: None,
            decided: None,
            decided_before: Vec::new(),
            map,
        }
    }

    /// Reads ahead to a property, and returns its value, which is the only one from now on. A null property is the same
    /// as none.
    pub fn find(&mut self, name: &'static str) -> Result<Option<&Buffered<'de>>, A::Error> {
        let is_property = |(known, value): &Entry<'de>| known == name && !value.is_null();
        let mut found = self.ahead.0.iter().position(is_property);
        while found.is_none()
            && let Some(entry) = self.read()?
        {
            found = is_property(entry).then_some(self.ahead.0.len() - 1);
        }
        let Some(first) = found else { return Ok(None) };
        self.decided_before.extend(self.decided.replace(name));
        let mut at = 0..;
        self.ahead.0.retain(|(known, _)| at.next() <= Some(first) || known != name);
        Ok(self.ahead.0.get(first).map(|(_, value)| value))
    }

    /// Returns the number if the object, of which nothing was read yet, is how `serde_json` passes one.
    pub fn number(&mut self) -> Result<Option<Number>, A::Error> {
        let Some(number_name) = exact::number_name() else { return Ok(None) };
        self.is_ahead = true;
        self.name = self.map.next_key_seed(Name)?;
        self.is_complete = self.name.is_none();
        if self.name.as_deref() != Some(number_name) {
            return Ok(None);
        }
        self.map.next_value::<String>()?.parse().map(Some).map_err(A::Error::custom)
    }

    fn read(&mut self) -> Result<Option<&Entry<'de>>, A::Error> {
        self.is_ahead = true;
        if self.is_complete {
            return Ok(None);
        }
        let name = self.name.take();
        let Some(name) = name.map_or_else(|| self.next_undecided(), |name| Ok(Some(name)))? else {
            self.is_complete = true;
            self.ahead.remove_repeated();
            return Ok(None);
        };
        self.ahead.0.push((name, self.map.next_value()?));
        Ok(self.ahead.0.last())
    }

    /// Reads the name of the next entry that was not read ahead, without the properties that are decided.
    fn next_undecided(&mut self) -> Result<Option<Cow<'de, str>>, A::Error> {
        while let Some(name) = self.map.next_key_seed(Name)? {
            let mut decided = self.decided.iter().chain(&self.decided_before);
            if !decided.any(|known| *known == name) {
                return Ok(Some(name));
            }
            self.map.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    /// Takes the name of the next entry, if it was read ahead.
    #[inline(never)]
    fn take_name(&mut self) -> Option<Cow<'de, str>> {
        if !self.ahead.0.is_empty() {
            self.rest = mem::take(&mut self.ahead.0).into_iter();
        }
        let next = self.rest.next();
        self.is_ahead = next.is_some() || self.is_complete;
        let Some((name, value)) = next else { return self.name.take() };
        self.value = Some(value);
        Some(name)
    }

    /// Removes a property that was read ahead, if it has this value.
    pub fn remove(&mut self, name: &str, value: &Value) {
        if self.ahead.last(name).is_some_and(|found| wire_rules::Json::is(found, value)) {
            self.ahead.0.retain(|(known, _)| known != name);
        }
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

    /// Reads the object as JSON.
    pub fn json(&mut self) -> Result<Map, A::Error> {
        Map::deserialize(MapAccessDeserializer::new(self))
    }

    /// Reads all entries ahead, and returns them.
    pub fn all(&mut self) -> Result<&Properties<'de>, A::Error> {
        while self.read()?.is_some() {}
        Ok(&self.ahead)
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<'de, A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        if !self.is_ahead && self.decided.is_none() {
            return self.map.next_key_seed(seed);
        }
        let name = match self.take_name() {
            None if !self.is_complete => self.next_undecided()?,
            name => name,
        };
        name.map(|name| seed.deserialize(name.as_ref().into_deserializer())).transpose()
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        if self.is_ahead
            && let Some(value) = self.value.take()
        {
            return seed.deserialize(value).map_err(|error| foreign(&error));
        }
        self.map.next_value_seed(seed)
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

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}
