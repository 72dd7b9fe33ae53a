//! The one visitor that all decoding goes through.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};

use super::form::Form;
use super::notes::{Mismatch, Notes};
use super::number::Arrived;
use super::target::Target;
use super::{Map, Value, Wire, alternatives, elements, members, store};

/// A value about to be decoded into its place.
pub(super) struct Seed<'a> {
    pub wire: &'a mut dyn Wire,
    pub form: Form,
    pub notes: &'a mut Notes,
}

/// What came for a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A value, which is in its place now.
    Value,
    /// A null that the type has no place for.
    Null,
}

impl Seed<'_> {
    /// Reports a value of the wrong type. The error has no value in it: it may be a secret.
    fn check<E: Error>(notes: &mut Notes, stored: Result<(), Mismatch>) -> Result<Outcome, E> {
        match stored {
            Ok(()) => Ok(Outcome::Value),
            Err(mismatch) => Err(fail(notes, mismatch)),
        }
    }

    fn number<E: Error>(self, arrived: Arrived) -> Result<Outcome, E> {
        let stored = store::number(self.wire, self.form, arrived, self.notes);
        Self::check(self.notes, stored)
    }
}

#[cold]
fn fail<E: Error>(notes: &mut Notes, mismatch: Mismatch) -> E {
    notes.mismatch = Some(mismatch);
    E::custom(mismatch)
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Outcome;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Outcome, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Outcome;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Outcome, E> {
        Ok(if self.wire.null() { Outcome::Value } else { Outcome::Null })
    }

    fn visit_none<E: Error>(self) -> Result<Outcome, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Outcome, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Outcome, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Outcome, E> {
        let stored = store::boolean(self.wire, value);
        Self::check(self.notes, stored)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Outcome, E> {
        self.number(Arrived::Signed(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Outcome, E> {
        self.number(Arrived::Unsigned(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Outcome, E> {
        self.number(Arrived::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Outcome, E> {
        let stored = store::text(self.wire, self.form, text, self.notes);
        Self::check(self.notes, stored)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Outcome, A::Error> {
        match self.wire.target() {
            Target::Array(array) => elements::array(array, self.form, self.notes, seq)?,
            Target::Value(slot) => *slot = Value::deserialize(SeqAccessDeserializer::new(seq))?,
            Target::Nothing => drop(Value::deserialize(SeqAccessDeserializer::new(seq))?),
            other => {
                return Err(fail(
                    self.notes,
                    Mismatch { expected: other.expected(), found: "an array" },
                ));
            }
        }
        Ok(Outcome::Value)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Outcome, A::Error> {
        match self.wire.target() {
            Target::Object => members::object(self.wire, self.notes, map)?,
            Target::Union(union) => alternatives::union(union, self.notes, map)?,
            Target::Dictionary(entries) => {
                elements::dictionary(entries, self.form, self.notes, map)?;
            }
            Target::Map(slot) => *slot = Map::deserialize(MapAccessDeserializer::new(map))?,
            Target::Value(slot) => *slot = Value::deserialize(MapAccessDeserializer::new(map))?,
            Target::Nothing => drop(Value::deserialize(MapAccessDeserializer::new(map))?),
            other => {
                let expected = other.expected();
                return self.number_in_disguise(map, expected);
            }
        }
        Ok(Outcome::Value)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Outcome, A::Error> {
        let expected = self.wire.target().expected();
        Err(fail(self.notes, Mismatch { expected, found: "a tagged value" }))
    }
}

impl Seed<'_> {
    /// Reads the object that `serde_json`'s feature `arbitrary_precision` makes of every number. Any crate of a program
    /// can switch the feature on for all.
    fn number_in_disguise<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        expected: &'static str,
    ) -> Result<Outcome, A::Error> {
        const DISGUISE: &str = "$serde_json::private::Number";
        if map.next_key::<String>()?.as_deref() == Some(DISGUISE) {
            let digits: String = map.next_value()?;
            if let Some(arrived) = Arrived::parse(&digits) {
                return self.number(arrived);
            }
        }
        Err(fail(self.notes, Mismatch { expected, found: "an object" }))
    }
}
