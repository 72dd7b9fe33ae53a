//! JSON that is read before its type is known, and borrows its texts.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::{fmt, iter};

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Number;
use wire_rules::{Json, JsonKind, number};

use crate::wire::decode::error::foreign;
use crate::wire::recording::Recording;
use crate::wire::value::Value;

/// A JSON value.
#[derive(Clone)]
pub(super) enum Buffered<'de> {
    Null,
    Bool(bool),
    Number(Number),
    /// A text, borrowed from the body if it has no escapes.
    String(Cow<'de, str>),
    Array(Recording),
    Object(Recording),
}

/// The properties of an object, in the order of the body.
#[derive(Clone, Default)]
pub(super) struct Properties<'de>(pub Vec<Entry<'de>>);

/// The name of a property and its value.
pub(super) type Entry<'de> = (Cow<'de, str>, Buffered<'de>);

impl<'de> Properties<'de> {
    /// Returns the value of the last property with this name.
    pub fn last(&self, name: &str) -> Option<&Buffered<'de>> {
        self.0.iter().rfind(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Removes all but the last property of each name.
    pub fn remove_repeated(&mut self) {
        let mut names = BTreeSet::new();
        let is_last = self.0.iter().rev().map(|(name, _)| names.insert(&**name));
        let is_last: Vec<bool> = is_last.collect();
        if names.len() < self.0.len() {
            let mut is_last = is_last.into_iter().rev();
            self.0.retain(|_| is_last.next().unwrap_or_default());
        }
    }
}

impl wire_rules::Properties for Properties<'_> {
    fn valued(&self, name: &str) -> Option<&dyn Json> {
        self.last(name).filter(|value| !value.is_null()).map(|value| value as _)
    }

    fn is_null(&self, name: &str) -> bool {
        self.last(name).is_some_and(Buffered::is_null)
    }

    fn count(&self) -> usize {
        self.0.iter().filter(|(_, value)| !value.is_null()).count()
    }
}

impl Buffered<'_> {
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl Json for Buffered<'_> {
    fn kind(&self) -> Option<JsonKind> {
        Some(match self {
            Self::Null => return None,
            Self::Bool(_) => JsonKind::Boolean,
            Self::Number(_) => JsonKind::Number,
            Self::String(_) => JsonKind::String,
            Self::Array(_) => JsonKind::Array,
            Self::Object(_) => JsonKind::Object,
        })
    }

    fn text(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    fn is(&self, scalar: &Value) -> bool {
        match (self, scalar) {
            (Self::Bool(value), Value::Bool(other)) => value == other,
            (Self::Number(value), Value::Number(other)) => number::are_equal(value, other),
            (Self::String(value), Value::String(other)) => value == other,
            _ => false,
        }
    }

    fn find(&self, by: &mut dyn FnMut(&dyn Json) -> Option<usize>) -> Option<usize> {
        let Self::Array(list) = self else { return None };
        let mut content = list.content();
        let next = || content.next_element::<Buffered<'static>>().ok().flatten();
        iter::from_fn(next).find_map(|item| by(&item))
    }

    fn is_hollow(&self) -> bool {
        matches!(self, Self::Array(list) if list.is_hollow())
    }

    fn decide(
        &self,
        by: &mut dyn FnMut(&dyn wire_rules::Properties) -> Option<usize>,
    ) -> Option<usize> {
        let Self::Object(object) = self else { return None };
        let mut content = object.content();
        let next = || content.next_entry::<Cow<'static, str>, Buffered<'static>>().ok().flatten();
        by(&Properties(iter::from_fn(next).collect()))
    }
}

impl From<Buffered<'_>> for Value {
    fn from(value: Buffered<'_>) -> Self {
        match value {
            Buffered::Null => Self::Null,
            Buffered::Bool(value) => Self::Bool(value),
            Buffered::Number(number) => Self::Number(number),
            Buffered::String(text) => Self::String(text.into_owned()),
            Buffered::Array(recording) | Buffered::Object(recording) => Self::from(&recording),
        }
    }
}

impl<'de> Deserialize<'de> for Buffered<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

/// Reads any JSON value.
struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Buffered<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Buffered::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Buffered::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Buffered::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Buffered::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Buffered::Number(value.into()))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Self::Value, E> {
        value.to_string().parse().map(Buffered::Number).map_err(E::custom)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Self::Value, E> {
        value.to_string().parse().map(Buffered::Number).map_err(E::custom)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Number::from_f64(value).map_or(Buffered::Null, Buffered::Number))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Buffered::String(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Buffered::String(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        Recording::list(seq).map(Buffered::Array)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let object = Recording::object(map)?;
        if object.is_object() {
            return Ok(Buffered::Object(object));
        }
        object.decode(self).map_err(|error| foreign(&error))
    }
}

impl<'de> Deserializer<'de> for Buffered<'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Number(number) => number.deserialize_any(visitor),
            Self::String(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Self::String(Cow::Owned(text)) => visitor.visit_string(text),
            Self::Array(recording) | Self::Object(recording) => recording.decode(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
