//! The JSON of traffic, with the texts of its source where that is possible.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use codegen::document::SchemaType;
use wire_rules::nearest;

pub use secret_names::{PLACEHOLDER, is_placeholder};

#[derive(Clone, Debug, PartialEq)]
pub enum Value<'t> {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(Cow<'t, str>),
    List(Vec<Value<'t>>),
    Object(Vec<(Cow<'t, str>, Value<'t>)>),
}

/// A value, and whether it is only the nearest one to what is written.
pub type Parsed<'t> = Result<(Value<'t>, bool), serde_json::Error>;

pub type Kinds = BTreeSet<SchemaType>;

/// Returns the names of kinds. A number can be an integer.
pub fn names(kinds: &Kinds) -> impl Iterator<Item = &'static str> {
    let has_number = kinds.contains(&SchemaType::Number);
    let named = kinds.iter().filter(move |kind| !has_number || **kind != SchemaType::Integer);
    named.map(|kind| kind.name())
}

impl<'t> Value<'t> {
    /// Parses a JSON text as the crate does, and returns whether it is the nearest value: of numbers beyond all floats, or
    /// unpaired surrogates.
    pub fn parse(text: &'t str) -> Parsed<'t> {
        serde_json::from_str(text).map(|value| (value, false)).or_else(|error| {
            let nearest = nearest::text(text).ok_or(error)?;
            // What a reader reads is not borrowed.
            let mut json = serde_json::Deserializer::from_reader(nearest.as_bytes());
            let value = Self::deserialize(&mut json)?;
            json.end().map(|()| (value, true))
        })
    }

    pub fn kind(&self) -> SchemaType {
        match self {
            Value::Null => SchemaType::Null,
            Value::Bool(_) => SchemaType::Boolean,
            Value::Integer(_) => SchemaType::Integer,
            Value::Float(_) => SchemaType::Number,
            Value::Text(_) => SchemaType::String,
            Value::List(_) => SchemaType::Array,
            Value::Object(_) => SchemaType::Object,
        }
    }

    pub fn get(&self, key: &str) -> Option<&Self> {
        let Value::Object(members) = self else { return None };
        members.iter().find_map(|(name, value)| (name == key).then_some(value))
    }

    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    pub fn text(&self, path: &[&str]) -> Option<&str> {
        if let Value::Text(text) = self.at(path)? { Some(text) } else { None }
    }

    pub fn list(&self, path: &[&str]) -> &[Self] {
        if let Some(Value::List(items)) = self.at(path) { items } else { &[] }
    }
}

impl<'t, 'de: 't> Deserialize<'de> for Value<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value<'de>, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value<'de>, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value<'de>, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value<'de>, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = elements.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value<'de>, A::Error> {
        let mut members = Vec::new();
        // Keys are texts.
        while let Some(entry) = entries.next_entry()? {
            if let (Value::Text(key), value) = entry {
                members.push((key, value));
            }
        }
        Ok(Value::Object(members))
    }
}
