//! The visitor of all decoding.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::error::mismatch;
use crate::wire::decode::slot::{Decoded, Slot};
use crate::wire::decode::{collection, object, union};
use crate::wire::number;
use crate::wire::reflect::wire::Target;
use crate::wire::timestamp;
use crate::wire::value::{Map, Value};

impl<'de> DeserializeSeed<'de> for Slot<'_> {
    type Value = Decoded;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Decoded, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Slot<'_> {
    type Value = Decoded;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Decoded, E> {
        Ok(if self.wire.null() { Decoded::Value } else { Decoded::Null })
    }

    fn visit_none<E: Error>(self) -> Result<Decoded, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Decoded, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Decoded, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Decoded, E> {
        match self.wire.target() {
            Target::Bool(slot) => *slot = value,
            Target::Value(slot) => *slot = Value::Bool(value),
            other => return Err(mismatch(other.expected(), "a boolean")),
        }
        Ok(Decoded::Value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Decoded, E> {
        self.number(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Decoded, E> {
        self.number(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Decoded, E> {
        // JSON has neither NaN nor infinities.
        match Number::from_f64(value) {
            Some(number) => self.number(number),
            None => self.visit_unit(),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Decoded, E> {
        let target = self.wire.target();
        let expected = target.expected();
        let unreadable = || mismatch(expected, "a string that is not one");
        let is_described = match target {
            Target::String(slot) => {
                *slot = String::from(text);
                true
            }
            Target::Value(slot) => {
                *slot = Value::String(text.to_owned());
                true
            }
            Target::Enum(slot) => {
                if !slot.read(text) {
                    self.context.report(DriftKind::UnknownValue, text);
                }
                true
            }
            Target::Integer(_) if !self.as_text => {
                return Err(mismatch(expected, "a string"));
            }
            Target::Timestamp(_) | Target::Integer(_) if text.is_empty() => {
                self.wire.clear();
                self.context.report(DriftKind::Format, text);
                return Ok(Decoded::EmptyText);
            }
            Target::Timestamp(slot) => {
                *slot = text.parse().map_err(|_| unreadable())?;
                timestamp::is_rfc_3339(text)
            }
            Target::Integer(slot) => {
                let value: i128 = text.parse().map_err(|_| unreadable())?;
                if !slot.set(value) {
                    return Err(unreadable());
                }
                value.to_string() == text
            }
            _ => return Err(mismatch(expected, "a string")),
        };
        if !is_described {
            self.context.report(DriftKind::Format, text);
        }
        Ok(Decoded::Value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Decoded, A::Error> {
        match self.wire.target() {
            Target::Array(array) => collection::list(array, self.as_text, self.context, seq)?,
            Target::Value(slot) => *slot = Value::deserialize(SeqAccessDeserializer::new(seq))?,
            other => return Err(mismatch(other.expected(), "an array")),
        }
        Ok(Decoded::Value)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Decoded, A::Error> {
        match self.wire.target() {
            Target::Object => object::decode(self.wire, self.context, map)?,
            Target::Union(union) => union::decode(union, self.context, map)?,
            Target::Dictionary(entries) => match entries.free_form() {
                Some(slot) => *slot = Map::deserialize(MapAccessDeserializer::new(map))?,
                None => collection::dictionary(entries, self.as_text, self.context, map)?,
            },
            Target::Value(slot) => *slot = Value::deserialize(MapAccessDeserializer::new(map))?,
            other => {
                let expected = other.expected();
                return self.number_in_disguise(map, expected);
            }
        }
        Ok(Decoded::Value)
    }
}

impl Slot<'_> {
    fn number<E: Error>(self, number: Number) -> Result<Decoded, E> {
        let target = self.wire.target();
        let expected = target.expected();
        match target {
            Target::Integer(slot) => {
                if !number::integer(&number).is_some_and(|value| slot.set(value)) {
                    return Err(mismatch(expected, "a number that does not fit"));
                }
                if self.as_text {
                    self.context.report(DriftKind::Format, &number.to_string());
                } else if !slot.is_described() {
                    self.context.report(DriftKind::UnknownValue, &number.to_string());
                }
            }
            Target::F32(slot) => {
                *slot = number::narrow(number::float(&number));
                if !slot.is_finite() {
                    return Err(mismatch(expected, "a number that does not fit"));
                }
            }
            Target::F64(slot) => *slot = number::float(&number),
            Target::Value(slot) => *slot = Value::Number(number),
            _ => return Err(mismatch(expected, "a number")),
        }
        Ok(Decoded::Value)
    }

    /// Decodes a number of `serde_json` with the feature `arbitrary_precision`, which any crate of a program can enable
    /// for all: such numbers are objects to visitors.
    fn number_in_disguise<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        expected: &'static str,
    ) -> Result<Decoded, A::Error> {
        const DISGUISE: &str = "$serde_json::private::Number";
        if map.next_key::<String>()?.as_deref() == Some(DISGUISE) {
            let digits: String = map.next_value()?;
            if let Ok(number) = digits.parse() {
                return self.number(number);
            }
        }
        Err(mismatch(expected, "an object"))
    }
}
