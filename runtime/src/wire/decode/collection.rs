//! Decodes lists and dictionaries.

use std::mem;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use crate::wire::buffered::Buffered;
use crate::wire::decode::context::{Context, Step};
use crate::wire::decode::decoded::Decoded;
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::slot::Slot;
use crate::wire::encode;
use crate::wire::reflect::wire::{Array, Dictionary};
use crate::wire::value::{Map, Value};

/// Decodes a list. Null elements are left out, unless their type has null. Within a union, an element of the wrong type
/// makes it a list that does not have its type.
pub(super) fn list<'de, A: SeqAccess<'de>>(
    array: &mut dyn Array,
    as_text: bool,
    context: &mut Context,
    mut seq: A,
) -> Result<Decoded, A::Error> {
    // The omitted elements of the list, in case it is retained as JSON.
    let mut left_out: Vec<(usize, Value)> = Vec::new();
    for index in 0.. {
        let element = context.within(Step::Index(index), |context| {
            let decoded =
                seq.next_element_seed(Element { array: &mut *array, as_text, context })?;
            match decoded {
                Some(Decoded::Null) => {
                    array.pop();
                    left_out.push((index, Value::Null));
                    context.report(DriftKind::NullElement, "");
                }
                Some(Decoded::EmptyText) => {
                    array.pop();
                    left_out.push((index, Value::from("")));
                    context.report(DriftKind::Format, "");
                }
                Some(Decoded::Mismatch) => array.pop(),
                Some(Decoded::Rounded) => context.report_rounded(),
                Some(Decoded::Value) | None => {}
            }
            Ok(decoded)
        });
        match element? {
            None => break,
            Some(Decoded::Mismatch) => {
                let mut elements = encode::elements(array, as_text);
                for (index, element) in left_out {
                    elements.insert(index.min(elements.len()), element);
                }
                elements.push(mem::take(&mut context.mismatched));
                while let Some(element) = seq.next_element::<Buffered<'de>>()? {
                    elements.push(element.into());
                }
                context.mismatched = Value::Array(elements);
                return Ok(Decoded::Mismatch);
            }
            Some(_) => {}
        }
    }
    Ok(Decoded::Value)
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

/// Decodes an object whose properties all have one type. Within a union, a value of the wrong type makes it an object that
/// does not have its type.
pub(super) fn dictionary<'de, A: MapAccess<'de>>(
    entries: &mut dyn Dictionary,
    as_text: bool,
    context: &mut Context,
    mut map: A,
) -> Result<Decoded, A::Error> {
    let mut absent = Map::new();
    while let Some(name) = map.next_key::<String>()? {
        match entry(entries, &name, as_text, context, &mut map)? {
            Decoded::Value | Decoded::Rounded => {}
            Decoded::Null => {
                absent.insert(name, Value::Null);
            }
            Decoded::EmptyText => {
                context.within(Step::Name(&name), |context| {
                    context.report(DriftKind::Format, "");
                    Ok::<_, A::Error>(())
                })?;
                absent.insert(name, Value::String(String::new()));
            }
            Decoded::Mismatch => {
                let mut object = encode::entries(entries, as_text);
                // The retained value must not depend on the order of the entries.
                object.extend(absent);
                object.insert(name, mem::take(&mut context.mismatched));
                while let Some((name, value)) = map.next_entry::<String, Buffered<'de>>()? {
                    object.insert(name, value.into());
                }
                context.mismatched = Value::Object(object);
                return Ok(Decoded::Mismatch);
            }
        }
    }
    Ok(Decoded::Value)
}

/// Decodes the value of an entry. Null removes it and is drift, unless its type has null.
pub(super) fn entry<'de, A: MapAccess<'de>>(
    entries: &mut dyn Dictionary,
    name: &str,
    as_text: bool,
    context: &mut Context,
    map: &mut A,
) -> Result<Decoded, A::Error> {
    let wire = entries.insert(name.to_owned());
    let decoded = context.within(Step::Name(name), |context| {
        let decoded = map.next_value_seed(Slot { wire, as_text, context })?;
        match decoded {
            Decoded::Rounded => context.report_rounded(),
            Decoded::Null => context.report(DriftKind::NullElement, ""),
            _ => {}
        }
        Ok(decoded)
    })?;
    if !matches!(decoded, Decoded::Value | Decoded::Rounded) {
        entries.remove(name);
    }
    Ok(decoded)
}
