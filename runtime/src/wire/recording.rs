//! Lists and objects that are read before their type is known, in about as many bytes as their JSON.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;

use crate::wire::exact;
use crate::wire::value::Value;

/// A list or an object. Each value is a byte for its kind, then its content.
#[derive(Clone)]
pub(super) struct Recording(Rc<Vec<u8>>);

const NULL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const NATURAL: u8 = 3;
const NEGATIVE: u8 = 4;
const FLOAT: u8 = 5;
const TEXT: u8 = 6;
const LIST: u8 = 7;
const OBJECT: u8 = 8;
const END: u8 = 9;

impl Recording {
    /// Reads a list.
    pub fn list<'de, A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        let mut bytes = Vec::new();
        Recorder(&mut bytes).visit_seq(list)?;
        Ok(Self(Rc::new(bytes)))
    }

    /// Reads an object.
    pub fn object<'de, A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
        let mut bytes = Vec::new();
        Recorder(&mut bytes).visit_map(object)?;
        Ok(Self(Rc::new(bytes)))
    }

    /// Decodes the list or the object.
    pub fn decode<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, serde_json::Error> {
        Player(&self.0).deserialize_any(visitor)
    }

    /// Returns whether this is an object, and not a number that `serde_json` passes as one.
    pub fn is_object(&self) -> bool {
        self.0.first() == Some(&OBJECT)
    }

    /// Returns whether there are only nulls and such lists in a list.
    pub fn is_hollow(&self) -> bool {
        self.0.iter().all(|byte| matches!(*byte, NULL | LIST | END))
    }

    /// Returns what follows the kind.
    pub fn content(&self) -> Player<'_> {
        Player(self.0.get(1..).unwrap_or_default())
    }
}

impl From<&Recording> for Value {
    fn from(recording: &Recording) -> Self {
        Self::deserialize(&mut Player(&recording.0)).unwrap_or_default()
    }
}

/// Writes a value.
struct Recorder<'r>(&'r mut Vec<u8>);

impl Recorder<'_> {
    /// Writes a number in groups of seven bits, the lowest first. All but the last have the highest bit.
    fn natural(&mut self, mut value: u64) {
        loop {
            let [low, ..] = value.to_le_bytes();
            value >>= 7;
            if value == 0 {
                return self.0.push(low);
            }
            self.0.push(low | 0x80);
        }
    }

    fn text(&mut self, text: &str) {
        self.0.push(TEXT);
        self.natural(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Writes a number with any digits.
    fn number<E: Error>(self, digits: &str) -> Result<(), E> {
        match (digits.parse(), digits.parse(), digits.parse::<f64>()) {
            (Ok(value), ..) => self.visit_u64(value),
            (_, Ok(value), _) => self.visit_i64(value),
            (.., Ok(value)) => self.visit_f64(value.clamp(f64::MIN, f64::MAX)),
            (.., Err(error)) => Err(E::custom(error)),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Recorder<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Recorder<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.push(NULL);
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.push(if value { TRUE } else { FALSE });
        Ok(())
    }

    fn visit_i64<E: Error>(mut self, value: i64) -> Result<(), E> {
        if value >= 0 {
            return self.visit_u64(value.cast_unsigned());
        }
        self.0.push(NEGATIVE);
        self.natural((!value).cast_unsigned());
        Ok(())
    }

    fn visit_u64<E: Error>(mut self, value: u64) -> Result<(), E> {
        self.0.push(NATURAL);
        self.natural(value);
        Ok(())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<(), E> {
        self.number(&value.to_string())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<(), E> {
        self.number(&value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        // JSON has neither NaN nor infinities.
        if !value.is_finite() {
            return self.visit_unit();
        }
        self.0.push(FLOAT);
        self.0.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<(), E> {
        self.text(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.0.push(LIST);
        while list.next_element_seed(Recorder(&mut *self.0))?.is_some() {}
        self.0.push(END);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut object: A) -> Result<(), A::Error> {
        let mut next = object.next_key_seed(Name)?;
        if next.is_some() && next.as_deref() == exact::number_name() {
            return self.number(&object.next_value::<String>()?);
        }
        self.0.push(OBJECT);
        while let Some(name) = next {
            self.text(&name);
            object.next_value_seed(Recorder(&mut *self.0))?;
            next = object.next_key_seed(Name)?;
        }
        self.0.push(END);
        Ok(())
    }
}

/// Reads the name of a property.
pub(super) struct Name;

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
        self.visit_string(name.to_owned())
    }

    fn visit_string<E: Error>(self, name: String) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name))
    }
}

/// Reads the values in these bytes.
pub(super) struct Player<'r>(&'r [u8]);

impl<'r> Player<'r> {
    fn byte(&mut self) -> Result<u8, serde_json::Error> {
        self.take().map(|[byte]| byte)
    }

    /// Takes the next bytes.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], serde_json::Error> {
        let (taken, rest) = self.0.split_first_chunk().ok_or_else(incomplete)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn natural(&mut self) -> Result<u64, serde_json::Error> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(value)
    }

    /// Reads the content of a text.
    fn characters(&mut self) -> Result<&'r str, serde_json::Error> {
        let length = usize::try_from(self.natural()?).unwrap_or(usize::MAX);
        let (text, rest) = self.0.split_at_checked(length).ok_or_else(incomplete)?;
        self.0 = rest;
        str::from_utf8(text).map_err(Error::custom)
    }

    fn text(&mut self) -> Result<&'r str, serde_json::Error> {
        if self.byte()? == TEXT { self.characters() } else { Err(incomplete()) }
    }

    /// Skips the end of a list or an object if that is next, and returns whether it was.
    fn ends(&mut self) -> bool {
        let rest = self.0.strip_prefix(&[END]);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }
}

/// Returns the error of bytes that end too early.
fn incomplete() -> serde_json::Error {
    Error::custom("the recording is incomplete")
}

impl<'de> Deserializer<'de> for &mut Player<'_> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.byte()? {
            FALSE => visitor.visit_bool(false),
            TRUE => visitor.visit_bool(true),
            NATURAL => visitor.visit_u64(self.natural()?),
            NEGATIVE => visitor.visit_i64(!self.natural()?.cast_signed()),
            FLOAT => visitor.visit_f64(f64::from_le_bytes(self.take()?)),
            TEXT => visitor.visit_str(self.characters()?),
            LIST => visitor.visit_seq(self),
            OBJECT => visitor.visit_map(self),
            _ => visitor.visit_unit(),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> SeqAccess<'de> for Player<'_> {
    type Error = serde_json::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Self::Error> {
        if self.ends() { Ok(None) } else { seed.deserialize(self).map(Some) }
    }
}

impl<'de> MapAccess<'de> for Player<'_> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        if self.ends() {
            return Ok(None);
        }
        seed.deserialize(self.text()?.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        seed.deserialize(self)
    }
}
