//! Values as all styles see them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

use crate::wire::{self, Wire};

/// A value: JSON whose properties are in their order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Plain {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Plain>),
    Object(Vec<(String, Plain)>),
}

impl Plain {
    /// Reads a value, without its read-only properties.
    ///
    /// # Errors
    ///
    /// Fails if the value nests deeper than JSON may, or has content that is not text.
    pub(crate) fn new(value: &dyn Wire) -> Result<Self, String> {
        // Encoding knows which properties are sent, so they are read from what it writes.
        let json = wire::encode_request(value)?;
        serde_json::from_slice(&json).map_err(|_| "its value nests too deeply".to_owned())
    }

    /// Returns a list of texts.
    pub(crate) fn texts(texts: impl IntoIterator<Item = String>) -> Self {
        Self::List(texts.into_iter().map(Self::Text).collect())
    }

    /// Returns whether there is nothing to send: no text, no elements, no properties.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(_) | Self::Number(_) => false,
            Self::Text(text) => text.is_empty(),
            Self::List(elements) => elements.is_empty(),
            Self::Object(properties) => properties.iter().all(|(_, value)| *value == Self::Null),
        }
    }

    /// Returns the value as JSON.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.clone()),
            Self::List(elements) => elements.iter().map(Self::to_json).collect(),
            Self::Object(properties) => {
                properties.iter().map(|(name, value)| (name.clone(), value.to_json())).collect()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Plain;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Plain, E> {
        Ok(Plain::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Plain, E> {
        Ok(Plain::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Plain, E> {
        Ok(Plain::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Plain, E> {
        Ok(Plain::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Plain, E> {
        Ok(Number::from_f64(value).map_or(Plain::Null, Plain::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Plain, E> {
        Ok(Plain::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Plain, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            list.push(element);
        }
        Ok(Plain::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut properties: A) -> Result<Plain, A::Error> {
        let mut object = Vec::new();
        while let Some(property) = properties.next_entry()? {
            object.push(property);
        }
        Ok(Plain::Object(object))
    }
}
