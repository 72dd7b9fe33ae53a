//! Decodes lists and dictionaries.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use crate::wire::decode::context::{Context, Step};
use crate::wire::decode::slot::{Decoded, Slot};
use crate::wire::fingerprint;
use crate::wire::reflect::wire::{Array, Dictionary, View};
use crate::wire::retain::original::{self, Original};

/// Decodes a list.
pub(super) fn list<'de, A: SeqAccess<'de>>(
    array: &mut dyn Array,
    as_text: bool,
    context: &mut Context,
    mut seq: A,
) -> Result<Decoded, A::Error> {
    let mut originals = original::List::default();
    let mut has_nulls = false;
    for index in 0.. {
        let element = context.within(Step::Index(index), |context| {
            seq.next_element_seed(Element { array: &mut *array, as_text, context })
        });
        match element? {
            Some(None) => {}
            Some(Some(original)) => {
                if *original == Original::Null {
                    array.pop();
                    has_nulls = true;
                }
                originals.push(index, *original);
            }
            None => break,
        }
    }
    if originals.is_empty() {
        return Ok(None);
    }
    originals.fingerprint = has_nulls.then(|| fingerprint::of(&View::Array(array)));
    Ok(Some(Box::new(Original::List(Box::new(originals)))))
}

/// An element, which is added to its list only if there is one.
struct Element<'a> {
    array: &'a mut dyn Array,
    as_text: bool,
    context: &'a mut Context,
}

impl<'de> DeserializeSeed<'de> for Element<'_> {
    type Value = Decoded;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Decoded, D::Error> {
        Slot { wire: self.array.push(), as_text: self.as_text, context: self.context }
            .deserialize(deserializer)
    }
}

/// Decodes an object whose properties all have one type.
pub(super) fn dictionary<'de, A: MapAccess<'de>>(
    entries: &mut dyn Dictionary,
    as_text: bool,
    context: &mut Context,
    mut map: A,
) -> Result<Decoded, A::Error> {
    let mut originals = original::Dictionary::default();
    while let Some(name) = map.next_key()? {
        entry(entries, name, as_text, context, &mut map, &mut originals)?;
    }
    Ok(finished(entries, originals).map(Box::new))
}

/// Decodes the value of an entry.
pub(super) fn entry<'de, A: MapAccess<'de>>(
    entries: &mut dyn Dictionary,
    name: String,
    as_text: bool,
    context: &mut Context,
    map: &mut A,
    originals: &mut original::Dictionary,
) -> Result<(), A::Error> {
    let wire = entries.insert(name.clone());
    let decoded = context.within(Step::Name(&name), |context| {
        map.next_value_seed(Slot { wire, as_text, context })
    })?;
    match decoded {
        None => {
            originals.entries.remove(&name);
        }
        Some(original) => {
            if *original == Original::Null {
                entries.remove(&name);
            }
            originals.entries.insert(name, *original);
        }
    }
    Ok(())
}

/// Returns how a complete dictionary was written, if encoding would write it differently.
pub(super) fn finished(
    entries: &dyn Dictionary,
    mut originals: original::Dictionary,
) -> Option<Original> {
    let has_nulls = originals.entries.values().any(|original| *original == Original::Null);
    originals.fingerprint = has_nulls.then(|| fingerprint::of(&View::Dictionary(entries)));
    (!originals.entries.is_empty()).then(|| Original::Dictionary(Box::new(originals)))
}
