//! Decodes lists and dictionaries.

use std::mem;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use crate::wire::buffered::Buffered;
use crate::wire::decode::context::{DecodeContext, Step};
use crate::wire::decode::decoded::Decoded;
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::slot::Slot;
use crate::wire::encode;
use crate::wire::exact::Digits;
use crate::wire::reflect::wire::{Array, Dictionary};
use crate::wire::value::{Map, Value};

/// The elements of a list that it cannot hold, or holds only as other values, by their indices.
#[derive(Default)]
struct LeftOut(Vec<(usize, Omission)>);

enum Omission {
    /// An element that the list does not contain.
    Inserted(Value),
    /// An element in whose place the list has another value.
    Replaced(Value),
}

impl LeftOut {
    /// Returns the list as it was received, and the bytes that this took.
    fn restore(self, array: &dyn Array, as_text: bool, digits: &mut Digits) -> (Vec<Value>, usize) {
        let (mut elements, length) = encode::elements(array, as_text, digits);
        let length = length + self.0.len() * size_of::<(usize, Omission)>();
        if self.0.is_empty() {
            return (elements, length);
        }
        let mut others = elements.drain(..);
        let mut restored = Vec::with_capacity(array.len() + self.0.len());
        for (index, received) in self.0 {
            restored.extend(others.by_ref().take(index.saturating_sub(restored.len())));
            restored.push(match received {
                Omission::Inserted(value) => value,
                Omission::Replaced(value) => {
                    others.next();
                    value
                }
            });
        }
        restored.extend(others);
        (restored, length)
    }
}

/// Decodes a list. Null elements are left out, unless their type has null. Within a union, an element of the wrong type
/// makes it a list that does not have its type.
pub(super) fn list<'de, A: SeqAccess<'de>>(
    array: &mut dyn Array,
    as_text: bool,
    context: &mut DecodeContext,
    mut seq: A,
) -> Result<Decoded, A::Error> {
    let mut left_out = LeftOut::default();
    for index in 0.. {
        let element = context.within(Step::Index(index), |context| {
            let decoded =
                seq.next_element_seed(Element { array: &mut *array, as_text, context })?;
            let received = match decoded {
                Some(Decoded::Null) => {
                    context.report(DriftKind::NullElement, "");
                    Omission::Inserted(Value::Null)
                }
                Some(Decoded::EmptyText) => {
                    context.report(DriftKind::Format, "");
                    Omission::Inserted(Value::from(""))
                }
                Some(Decoded::Converted) => {
                    context.report_converted();
                    Omission::Replaced(mem::take(&mut context.mismatched))
                }
                Some(Decoded::Partial) => Omission::Replaced(mem::take(&mut context.mismatched)),
                Some(Decoded::Value | Decoded::Mismatch) | None => return Ok(decoded),
            };
            if matches!(received, Omission::Inserted(_)) {
                array.pop();
            }
            left_out.0.push((index, received));
            Ok(decoded)
        });
        match element? {
            None => break,
            Some(Decoded::Mismatch) => {
                array.pop();
                let (mut elements, _) = left_out.restore(array, as_text, &mut context.digits);
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
    if left_out.0.is_empty() {
        return Ok(Decoded::Value);
    }
    Ok(context.partial(|digits| {
        let (elements, length) = left_out.restore(array, as_text, digits);
        (Value::Array(elements), length)
    }))
}

/// An element, which is added to its list only if there is one.
struct Element<'a> {
    array: &'a mut dyn Array,
    as_text: bool,
    context: &'a mut DecodeContext,
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
    context: &mut DecodeContext,
    mut map: A,
) -> Result<Decoded, A::Error> {
    let mut left_out = Map::new();
    while let Some(name) = map.next_key::<String>()? {
        let received = match entry(entries, &name, as_text, context, &mut map)? {
            Decoded::Value => {
                left_out.remove(&name);
                continue;
            }
            Decoded::Null => Value::Null,
            Decoded::Converted | Decoded::Partial => mem::take(&mut context.mismatched),
            Decoded::EmptyText => {
                context.within(Step::Name(&name), |context| {
                    context.report(DriftKind::Format, "");
                    Ok::<_, A::Error>(())
                })?;
                Value::String(String::new())
            }
            Decoded::Mismatch => {
                let (mut object, _) = encode::entries(entries, as_text, &mut context.digits);
                // The retained value must not depend on the order of the entries.
                object.extend(left_out);
                object.insert(name, mem::take(&mut context.mismatched));
                while let Some((name, value)) = map.next_entry::<String, Buffered<'de>>()? {
                    object.insert(name, value.into());
                }
                context.mismatched = Value::Object(object);
                return Ok(Decoded::Mismatch);
            }
        };
        left_out.insert(name, received);
    }
    if left_out.is_empty() {
        return Ok(Decoded::Value);
    }
    Ok(context.partial(|digits| {
        let (mut object, length) = encode::entries(entries, as_text, digits);
        object.extend(left_out);
        (Value::Object(object), length)
    }))
}

/// Decodes the value of an entry. Null removes it and is drift, unless its type has null.
pub(super) fn entry<'de, A: MapAccess<'de>>(
    entries: &mut dyn Dictionary,
    name: &str,
    as_text: bool,
    context: &mut DecodeContext,
    map: &mut A,
) -> Result<Decoded, A::Error> {
    let wire = entries.insert(name.to_owned());
    let decoded = context.within(Step::Name(name), |context| {
        let decoded = map.next_value_seed(Slot { wire, as_text, context })?;
        match decoded {
            Decoded::Converted => context.report_converted(),
            Decoded::Null => context.report(DriftKind::NullElement, ""),
            _ => {}
        }
        Ok(decoded)
    })?;
    if !matches!(decoded, Decoded::Value | Decoded::Converted | Decoded::Partial) {
        entries.remove(name);
    }
    Ok(decoded)
}
