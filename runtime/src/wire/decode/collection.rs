//! Decodes lists and dictionaries.

use std::mem;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use crate::wire::decode::context::{DecodeContext, Step};
use crate::wire::decode::decoded::Decoded;
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::slot::Slot;
use crate::wire::encode;
use crate::wire::exact::Digits;
use crate::wire::reflect::wire::{Array, Dictionary, View};
use crate::wire::value::{Map, Value};

/// An element that a list does not have as it was received.
struct LeftOut {
    index: usize,
    value: Value,
    /// Whether the list has another value in its place.
    is_replaced: bool,
}

/// Returns a list as it was received, and the bytes that this took.
fn restored(
    array: &dyn Array,
    as_text: bool,
    left_out: Vec<LeftOut>,
    digits: &mut Digits,
) -> (Value, usize) {
    let (elements, length): (Vec<Value>, _) =
        encode::content(&View::Array(array), as_text, |json| digits.parse(json));
    let length = length + left_out.len() * size_of::<LeftOut>();
    let mut others = elements.into_iter();
    let mut restored = Vec::with_capacity(array.len() + left_out.len());
    for LeftOut { index, value, is_replaced } in left_out {
        restored.extend(others.by_ref().take(index.saturating_sub(restored.len())));
        restored.push(value);
        if is_replaced {
            others.next();
        }
    }
    restored.extend(others);
    (Value::Array(restored), length)
}

/// Decodes a list. Elements that it cannot hold are left out, and so are nulls, unless their type has null.
pub(super) fn list<'de, A: SeqAccess<'de>>(
    array: &mut dyn Array,
    as_text: bool,
    context: &mut DecodeContext,
    mut seq: A,
) -> Result<Decoded, A::Error> {
    let mut left_out = Vec::new();
    let mut has_unfit = false;
    for index in 0.. {
        let element = context.within(Step::Index(index), |context| {
            let element = Element { array: &mut *array, as_text, context: &mut *context };
            let decoded = seq.next_element_seed(element)?;
            if decoded == Some(Decoded::Null) {
                context.report(DriftKind::NullElement, "");
            }
            Ok(decoded)
        });
        let Some(decoded) = element? else { break };
        if matches!(decoded, Decoded::Value | Decoded::Nothing) {
            continue;
        }
        let is_replaced = matches!(decoded, Decoded::Partial | Decoded::Approximate);
        if !is_replaced {
            array.pop();
        }
        has_unfit |= decoded.has_unfit();
        left_out.push(LeftOut { index, value: mem::take(&mut context.unfit), is_replaced });
    }
    if left_out.is_empty() {
        return Ok(Decoded::Value);
    }
    Ok(context.partial(has_unfit, |digits| restored(array, as_text, left_out, digits)))
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

/// Decodes an object whose properties all have one type. Values that it cannot hold are left out, and so are nulls, unless
/// their type has null.
pub(super) fn dictionary<'de, A: MapAccess<'de>>(
    entries: &mut dyn Dictionary,
    as_text: bool,
    context: &mut DecodeContext,
    mut map: A,
) -> Result<Decoded, A::Error> {
    let mut left_out = Map::new();
    let mut has_unfit = false;
    while let Some(name) = map.next_key::<String>()? {
        let decoded = entry(entries, &name, as_text, context, &mut map)?;
        has_unfit |= decoded.has_unfit();
        if matches!(decoded, Decoded::Value | Decoded::Nothing) {
            left_out.remove(&name);
        } else {
            left_out.insert(name, mem::take(&mut context.unfit));
        }
    }
    if left_out.is_empty() {
        return Ok(Decoded::Value);
    }
    Ok(context.partial(has_unfit, |digits| {
        let view = View::Dictionary(entries);
        let (mut object, length): (Map, _) =
            encode::content(&view, as_text, |json| digits.parse(json));
        object.extend(left_out);
        (Value::Object(object), length)
    }))
}

/// Decodes the value of an entry. The entry is removed if its type cannot hold the value.
pub(super) fn entry<'de, A: MapAccess<'de>>(
    entries: &mut dyn Dictionary,
    name: &str,
    as_text: bool,
    context: &mut DecodeContext,
    map: &mut A,
) -> Result<Decoded, A::Error> {
    let wire = entries.insert(name.to_owned());
    let decoded = context.within(Step::Name(name), |context| {
        let decoded = map.next_value_seed(Slot { wire, as_text, context: &mut *context })?;
        if decoded == Decoded::Null {
            context.report(DriftKind::NullElement, "");
        }
        Ok(decoded)
    })?;
    if matches!(decoded, Decoded::Null | Decoded::Unfit) {
        entries.remove(name);
    }
    Ok(decoded)
}
