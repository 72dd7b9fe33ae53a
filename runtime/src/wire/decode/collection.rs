//! Decodes lists and dictionaries.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use crate::wire::decode::context::{Context, Step};
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::slot::{Decoded, Slot};
use crate::wire::reflect::wire::{Array, Dictionary};

/// Decodes a list. Null elements are left out, unless their type has null.
pub(super) fn list<'de, A: SeqAccess<'de>>(
    array: &mut dyn Array,
    as_text: bool,
    context: &mut Context,
    mut seq: A,
) -> Result<(), A::Error> {
    for index in 0.. {
        let element = context.within(Step::Index(index), |context| {
            let decoded =
                seq.next_element_seed(Element { array: &mut *array, as_text, context })?;
            match decoded {
                Some(Decoded::Null) => {
                    array.pop();
                    context.report(DriftKind::NullElement, "");
                }
                Some(Decoded::EmptyText) => array.pop(),
                Some(Decoded::Value) | None => {}
            }
            Ok(decoded)
        });
        if element?.is_none() {
            break;
        }
    }
    Ok(())
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
) -> Result<(), A::Error> {
    while let Some(name) = map.next_key::<String>()? {
        entry(entries, &name, as_text, context, &mut map)?;
    }
    Ok(())
}

/// Decodes the value of an entry. Null removes it, unless its type has null.
pub(super) fn entry<'de, A: MapAccess<'de>>(
    entries: &mut dyn Dictionary,
    name: &str,
    as_text: bool,
    context: &mut Context,
    map: &mut A,
) -> Result<(), A::Error> {
    let wire = entries.insert(name.to_owned());
    let decoded = context
        .within(Step::Name(name), |context| map.next_value_seed(Slot { wire, as_text, context }))?;
    if decoded != Decoded::Value {
        entries.remove(name);
    }
    Ok(())
}
