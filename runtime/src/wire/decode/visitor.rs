//! The visitor that all decoding goes through.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use crate::wire::decode::context::{Context, Mismatch};
use crate::wire::decode::slot::{Decoded, Slot};
use crate::wire::decode::{collection, object, scalar, union};
use crate::wire::reflect::wire::Target;
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
        Ok(if self.wire.null() { Decoded::Canonical } else { Decoded::Null })
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
        scalar::boolean(self.wire, value).map_err(|mismatch| fail(self.context, mismatch))
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
        scalar::text(self.wire, self.format, text, self.context)
            .map_err(|mismatch| fail(self.context, mismatch))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Decoded, A::Error> {
        match self.wire.target() {
            Target::Array(array) => collection::list(array, self.format, self.context, seq),
            Target::Value(slot) => {
                *slot = Value::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(Decoded::Canonical)
            }
            other => {
                let expected = other.expected();
                Err(fail(self.context, Mismatch { expected, found: "an array" }))
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Decoded, A::Error> {
        match self.wire.target() {
            Target::Object => object::decode(self.wire, self.context, map)?,
            Target::Union(union) => return union::decode(union, self.context, map),
            Target::Dictionary(entries) => {
                return collection::dictionary(entries, self.format, self.context, map);
            }
            Target::Map(slot) => *slot = Map::deserialize(MapAccessDeserializer::new(map))?,
            Target::Value(slot) => *slot = Value::deserialize(MapAccessDeserializer::new(map))?,
            other => {
                let expected = other.expected();
                return self.number_in_disguise(map, expected);
            }
        }
        Ok(Decoded::Canonical)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Decoded, A::Error> {
        let expected = self.wire.target().expected();
        Err(fail(self.context, Mismatch { expected, found: "a tagged value" }))
    }
}

impl Slot<'_> {
    fn number<E: Error>(self, number: Number) -> Result<Decoded, E> {
        scalar::number(self.wire, self.format, number)
            .map_err(|mismatch| fail(self.context, mismatch))
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
        Err(fail(self.context, Mismatch { expected, found: "an object" }))
    }
}

/// Reports a value of the wrong type. The value may be a secret and is not part of the error.
#[cold]
fn fail<E: Error>(context: &mut Context, mismatch: Mismatch) -> E {
    context.mismatch = Some(mismatch);
    E::custom(mismatch)
}
