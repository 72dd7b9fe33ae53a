//! The visitor of all decoding.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use wire_rules::{JsonKind, number};

use crate::wire::decode::decoded::Decoded;
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::entries::Entries;
use crate::wire::decode::slot::Slot;
use crate::wire::decode::{choice, collection, object, union};
use crate::wire::reflect::wire::Target;
use crate::wire::scalar::Reading;
use crate::wire::value::Value;

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
        if self.wire.null() {
            return Ok(Decoded::Nothing);
        }
        match self.wire.target() {
            target @ Target::TypedObject(_) => Ok(self.context.unfit(target, Value::Null)),
            _ => Ok(Decoded::Null),
        }
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Decoded, E> {
        match self.wire.target() {
            Target::Bool(slot) => *slot = value,
            Target::Value(slot) => *slot = Value::Bool(value),
            Target::Choice(choice) => {
                let kind = JsonKind::Boolean;
                return choice::scalar(choice, self.context, value.into(), kind, |slot| {
                    slot.visit_bool(value)
                });
            }
            other => return Ok(self.context.unfit(other, value.into())),
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
        let is_described = match self.wire.target() {
            Target::String(slot) => {
                *slot = String::from(text);
                true
            }
            Target::Value(slot) => {
                *slot = Value::String(text.to_owned());
                true
            }
            Target::Enum(slot) => {
                if !slot.read(text) && !self.as_text {
                    self.context.report(DriftKind::UnknownValue, text);
                }
                true
            }
            Target::Choice(choice) => {
                let kind = JsonKind::String;
                return choice::scalar(choice, self.context, text.into(), kind, |slot| {
                    slot.visit_str(text)
                });
            }
            Target::Integer(_) | Target::F64(_) if !self.as_text => return Ok(self.quoted(text)),
            // As the value of a union, a text that only stands for another value is a text.
            Target::Scalar(slot) => match slot.read(text, !self.context.is_of_union) {
                Reading::Described => true,
                Reading::OtherForm => false,
                Reading::StandIn => {
                    return Ok(self.context.approximate(Target::Scalar(slot), text));
                }
                Reading::Unfit => return Ok(self.context.unfit(Target::Scalar(slot), text.into())),
            },
            Target::Integer(slot) => match text.parse::<i128>() {
                Ok(number) if slot.set(number) => number.to_string() == text,
                _ => return Ok(self.context.unfit(Target::Integer(slot), text.into())),
            },
            other => return Ok(self.context.unfit(other, text.into())),
        };
        if !is_described {
            self.context.report(DriftKind::Format, text);
        }
        Ok(Decoded::Value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Decoded, A::Error> {
        match self.wire.target() {
            Target::Array(array) => {
                self.context.nested(|context| collection::list(array, self.as_text, context, seq))
            }
            Target::Value(slot) => {
                *slot = Value::deserialize(SeqAccessDeserializer::new(seq))?;
                self.context.round(slot);
                Ok(Decoded::Value)
            }
            Target::Choice(choice) => choice::list(choice, self.context, seq),
            other => {
                let value = Value::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(self.context.unfit(other, value))
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Decoded, A::Error> {
        let mut entries = Entries::new(map);
        if let Some(number) = entries.number()? {
            return self.number(number);
        }
        let Self { wire, as_text, context } = self;
        context.nested(|context| Slot { wire, as_text, context }.entries(&mut entries))
    }
}

impl Slot<'_> {
    /// Decodes an object from its entries.
    pub(super) fn entries<'de, A: MapAccess<'de>>(
        self,
        entries: &mut Entries<'de, A>,
    ) -> Result<Decoded, A::Error> {
        match self.wire.target() {
            Target::Object => object::decode(self.wire, self.context, entries)?,
            Target::Union(union) => union::decode(union, self.context, entries)?,
            Target::Choice(choice) => {
                return choice::object(choice, self.context, entries);
            }
            Target::Dictionary(dictionary) => {
                if let Some(slot) = dictionary.free_form() {
                    *slot = entries.json()?;
                    self.context.round(slot);
                } else {
                    let as_text = self.as_text;
                    return collection::dictionary(dictionary, as_text, self.context, entries);
                }
            }
            Target::Value(slot) | Target::TypedObject(slot) => {
                *slot = Value::Object(entries.json()?);
                self.context.round(slot);
            }
            other => return Ok(self.context.unfit(other, Value::Object(entries.json()?))),
        }
        Ok(Decoded::Value)
    }

    /// Reads a string whose content is a number of the type. As the value of a union, it is a value of another type.
    #[cold]
    fn quoted(self, text: &str) -> Decoded {
        let is_read = !self.context.is_of_union
            && match self.wire.target() {
                Target::Integer(slot) => {
                    number::is_integer(text) && text.parse().is_ok_and(|value| slot.set(value))
                }
                Target::F64(slot) => text.parse().is_ok_and(|number| {
                    *slot = number::float(&number);
                    slot.is_finite()
                }),
                _ => false,
            };
        if is_read {
            self.context.approximate(self.wire.target(), text)
        } else {
            self.context.unfit(self.wire.target(), text.into())
        }
    }

    fn number<E: Error>(self, number: Number) -> Result<Decoded, E> {
        let digits = self.context.digits.of(&number).map(str::to_owned);
        let text = || digits.clone().unwrap_or_else(|| number.to_string());
        match self.wire.target() {
            Target::Integer(slot) => {
                let value = match &digits {
                    Some(digits) => digits.parse().ok(),
                    None => number::integer(&number),
                };
                self.context.digits.are_missed |= number.is_f64();
                if !value.is_some_and(|value| slot.set(value)) {
                    return Ok(self.context.unfit(Target::Integer(slot), number.into()));
                }
                if self.as_text {
                    self.context.report(DriftKind::Format, &text());
                } else if !slot.is_described() {
                    self.context.report(DriftKind::UnknownValue, &text());
                }
            }
            Target::F64(slot) => {
                let float = match &digits {
                    Some(digits) => digits.parse().unwrap_or(f64::NAN),
                    None => number::float(&number),
                };
                if !float.is_finite() {
                    return Ok(self.context.unfit(Target::F64(slot), number.into()));
                }
                *slot = float;
                let is_integer = digits.is_some() || !number.is_f64();
                if is_integer && number::is_rounded(&text(), float) {
                    self.context.report(DriftKind::Format, &text());
                    self.context.unfit = number.into();
                    return Ok(Decoded::Approximate);
                }
            }
            Target::Value(slot) => {
                *slot = Value::Number(number);
                self.context.round(slot);
            }
            Target::Choice(choice) => {
                let value = Value::Number(number.clone());
                return choice::scalar(choice, self.context, value, JsonKind::Number, |slot| {
                    slot.number(number)
                });
            }
            other => return Ok(self.context.unfit(other, number.into())),
        }
        Ok(Decoded::Value)
    }
}
