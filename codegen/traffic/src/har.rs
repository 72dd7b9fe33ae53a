//! Reads the entries of HAR files one by one.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The list at a path of keys, and the function for the JSON of its elements and their indices. Its value is whether there is a list.
pub struct HarEntries<'f>(pub &'static [&'static str], pub &'f mut dyn FnMut(usize, &str));

impl<'de> DeserializeSeed<'de> for HarEntries<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for HarEntries<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a HAR file with `log.entries`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<bool, A::Error> {
        let mut is_found = false;
        while let Some(key) = members.next_key::<Cow<'_, str>>()? {
            match self.0.split_first() {
                Some((name, rest)) if key == *name => {
                    is_found |= members.next_value_seed(HarEntries(rest, &mut *self.1))?;
                }
                _ => _ = members.next_value::<IgnoredAny>()?,
            }
        }
        Ok(is_found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<bool, A::Error> {
        let mut index = 0;
        while let Some(entry) = elements.next_element::<Box<RawValue>>()? {
            if self.0.is_empty() {
                (self.1)(index, entry.get());
                index += 1;
            }
        }
        Ok(self.0.is_empty())
    }
}
