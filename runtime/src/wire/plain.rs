//! Values without their types, as styles and forms see them.

use std::marker::PhantomData;
use std::{fmt, str};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use crate::wire::encode::encode_request;
use crate::wire::encode::text::{enclose, json, string};
use crate::wire::exact::{self, Digits};
use crate::wire::reflect::wire::Wire;

/// A value: JSON whose properties are in their order, and whose numbers have their digits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Plain {
    Null,
    Bool(bool),
    Number(String),
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
        let json = encode_request(value)?;
        let text = str::from_utf8(&json).unwrap_or_default();
        let read = |text: &str, digits: &mut Digits| {
            PlainSeed(digits).deserialize(&mut serde_json::Deserializer::from_str(text))
        };
        exact::read(text, read).map_err(|_| "its value nests too deeply".to_owned())
    }

    /// Returns a number.
    pub(crate) fn number(number: impl Into<Number>) -> Self {
        Self::Number(number.into().to_string())
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

    /// Returns the texts and the numbers in it.
    pub(crate) fn scalars(&self) -> Vec<String> {
        match self {
            Self::Null | Self::Bool(_) => Vec::new(),
            Self::Number(scalar) | Self::Text(scalar) => vec![scalar.clone()],
            Self::List(elements) => elements.iter().flat_map(Self::scalars).collect(),
            Self::Object(properties) => {
                properties.iter().flat_map(|(_, value)| value.scalars()).collect()
            }
        }
    }

    /// Returns a property of an object, an empty object if it has none of this name. `None` for other values.
    pub(crate) fn property(&mut self, name: &str) -> Option<&mut Self> {
        let Self::Object(properties) = self else { return None };
        let index = properties.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            properties.push((name.to_owned(), Self::Object(Vec::new())));
            properties.len() - 1
        });
        properties.get_mut(index).map(|(_, value)| value)
    }

    /// Returns the value as JSON, without white space.
    pub(crate) fn to_json(&self) -> String {
        let mut body = Vec::new();
        self.write(&mut body);
        String::from_utf8_lossy(&body).into_owned()
    }

    fn write(&self, body: &mut Vec<u8>) {
        let start = body.len();
        match self {
            Self::Null => body.extend_from_slice(b"null"),
            Self::Bool(value) => json(body, value),
            Self::Number(digits) => body.extend_from_slice(digits.as_bytes()),
            Self::Text(text) => string(body, text),
            Self::List(elements) => {
                for element in elements {
                    body.push(b',');
                    element.write(body);
                }
                enclose(body, start, *b"[]");
            }
            Self::Object(properties) => {
                for (name, value) in properties {
                    body.push(b',');
                    string(body, name);
                    body.push(b':');
                    value.write(body);
                }
                enclose(body, start, *b"{}");
            }
        }
    }
}

#[derive(Clone, Copy)]
struct PlainSeed<'d>(&'d Digits);

impl PlainSeed<'_> {
    fn number(self, number: &Number) -> Plain {
        let digits = self.0.of(number).map(str::to_owned);
        Plain::Number(digits.unwrap_or_else(|| number.to_string()))
    }
}

impl<'de> DeserializeSeed<'de> for PlainSeed<'_> {
    type Value = Plain;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Plain, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PlainSeed<'_> {
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
        Ok(Plain::number(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Plain, E> {
        Ok(Plain::number(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Plain, E> {
        Ok(Number::from_f64(value).map_or(Plain::Null, |number| self.number(&number)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Plain, E> {
        Ok(Plain::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Plain, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element_seed(self)? {
            list.push(element);
        }
        Ok(Plain::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut properties: A) -> Result<Plain, A::Error> {
        let mut object: Vec<(String, Plain)> = Vec::new();
        while let Some(property) = properties.next_entry_seed(PhantomData, self)? {
            object.push(property);
        }
        match object.as_slice() {
            [(name, Plain::Text(digits))] if Some(&**name) == exact::number_name() => {
                digits.parse().map(|number| self.number(&number)).map_err(A::Error::custom)
            }
            _ => Ok(Plain::Object(object)),
        }
    }
}
