//! JSON that is read before its type is known, and borrows its texts.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Number;
use serde_json::value::RawValue;
use wire_rules::{Json, JsonKind, number};

use crate::wire::decode::error::foreign;
use crate::wire::value::Value;

/// A JSON value.
#[derive(Clone)]
pub(super) enum Buffered<'de> {
    Null,
    Bool(bool),
    Number(Number),
    /// A text, borrowed from the body if it has no escapes.
    String(Cow<'de, str>),
    /// A list, as JSON.
    Array(&'de str),
    /// An object, as JSON.
    Object(&'de str),
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

impl<'de> Buffered<'de> {
    /// Returns the value of valid JSON without whitespace around it.
    #[inline]
    fn new(json: &'de str) -> Result<Self, serde_json::Error> {
        if let Some(text) = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            let has_escapes = text.as_bytes().contains(&b'\\');
            let text =
                if has_escapes { Cow::Owned(serde_json::from_str(json)?) } else { text.into() };
            return Ok(Self::String(text));
        }
        Ok(match json.as_bytes().first() {
            Some(b'n') => Self::Null,
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'[') => Self::Array(json),
            Some(b'{') => Self::Object(json),
            _ => Self::Number(serde_json::from_str(json)?),
        })
    }

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
        serde_json::Deserializer::from_str(list).deserialize_seq(Find(by)).ok().flatten()
    }

    fn is_hollow(&self) -> bool {
        let is_made_of = |json: &str, bytes: &[u8]| json.bytes().all(|byte| bytes.contains(&byte));
        match self {
            // Only nulls, objects without properties and such lists.
            Self::Array(list) => is_made_of(list, b"[]{}null, \t\r\n"),
            Self::Object(object) => is_made_of(object, b"{} \t\r\n"),
            _ => false,
        }
    }

    fn decide(
        &self,
        by: &mut dyn FnMut(&dyn wire_rules::Properties) -> Option<usize>,
    ) -> Option<usize> {
        let Self::Object(object) = self else { return None };
        let object: BTreeMap<String, Buffered<'_>> = serde_json::from_str(object).ok()?;
        by(&Properties(object.into_iter().map(|(name, value)| (name.into(), value)).collect()))
    }
}

/// Looks for an element of a list.
struct Find<'f>(&'f mut dyn FnMut(&dyn Json) -> Option<usize>);

impl<'de> Visitor<'de> for Find<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Option<usize>, A::Error> {
        let mut found = None;
        while found.is_none()
            && let Some(element) = list.next_element::<Buffered<'de>>()?
        {
            found = (self.0)(&element);
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(found)
    }
}

impl<'de> Deserialize<'de> for Buffered<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = <&RawValue>::deserialize(deserializer)?;
        Self::new(json.get()).map_err(|error| foreign(&error))
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
            Self::Array(json) | Self::Object(json) => {
                serde_json::Deserializer::from_str(json).deserialize_any(visitor)
            }
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
