//! What JSON is decoded into: the names and values of an object or a list.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

use crate::wire::decode::context::DecodeContext;
use crate::wire::reflect::wire::Wire;

/// A value that JSON is decoded into.
pub(super) struct Slot<'a> {
    pub wire: &'a mut dyn Wire,
    /// Whether integers are strings, and enums allow any text.
    pub as_text: bool,
    pub context: &'a mut DecodeContext,
}

/// Looks up a name without copying it.
pub(super) struct Find<F>(pub F);

impl<'de, K, F: FnOnce(&str) -> K> DeserializeSeed<'de> for Find<F> {
    type Value = K;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<K, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<K, F: FnOnce(&str) -> K> Visitor<'_> for Find<F> {
    type Value = K;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a property name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<K, E> {
        Ok((self.0)(name))
    }
}
