//! Decodes objects with exactly one of several properties.

use std::mem;

use serde::de::{DeserializeSeed, Error, MapAccess};

use crate::wire::decode::context::{DecodeContext, Step};
use crate::wire::decode::decoded::Decoded;
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::error::foreign;
use crate::wire::decode::slot::{Find, Slot};
use crate::wire::encode;
use crate::wire::exact;
use crate::wire::reflect::table::PropertyRow;
use crate::wire::reflect::wire::{Active, ActiveMut, Union, View};
use crate::wire::value::{Map, Value};

/// Decodes a union that is not flattened.
pub(super) fn decode<'de, A: MapAccess<'de>>(
    union: &mut dyn Union,
    context: &mut DecodeContext,
    mut map: A,
) -> Result<(), A::Error> {
    let table = union.table().read();
    let mut siblings = Map::new();
    let find = |name: &str| table.position(name, 0).ok_or_else(|| name.to_owned());
    while let Some(key) = map.next_key_seed(Find(find))? {
        match key {
            Ok(index) => property(union, index, context, &mut map)?,
            Err(name) => {
                let value = any(&name, &mut map, context)?;
                siblings.insert(name, value);
            }
        }
    }
    if siblings.is_empty() { Ok(()) } else { attach(union, siblings, context) }
}

/// Decodes the value of an undescribed property.
pub(super) fn any<'de, A: MapAccess<'de>>(
    name: &str,
    map: &mut A,
    context: &mut DecodeContext,
) -> Result<Value, A::Error> {
    context.within(Step::Name(name), |context| {
        let mut value: Value = map.next_value()?;
        context.round(&mut value);
        Ok(value)
    })
}

/// Decodes the known property at `index`.
pub(super) fn property<'de, A: MapAccess<'de>>(
    union: &mut dyn Union,
    index: usize,
    context: &mut DecodeContext,
    map: &mut A,
) -> Result<(), A::Error> {
    let Some(property) = union.table().read().properties.get(index) else {
        return Ok(());
    };
    let first = match union.active() {
        Active::Unknown(properties) => properties.is_empty(),
        Active::Known(held, _) => held == index,
    };
    if first {
        return known(union, index, property, context, |slot| map.next_value_seed(slot));
    }
    let value = any(property.name, map, context)?;
    if value.is_null() {
        return Ok(());
    }
    // The first one in the table is not reported, in whatever order they come.
    let held = match union.active() {
        Active::Known(held, _) => Some(held),
        Active::Unknown(held) => held.keys().filter_map(|name| union.position(name)).min(),
    };
    let other = union.table().read().properties.get(held.map_or(index, |held| held.max(index)));
    context.report(DriftKind::SeveralVariants, other.map_or("", |property| property.name));
    // Each is decoded by its type before it is held as JSON, so that the result does not depend on their order.
    unite(union, context)?;
    let others = match union.active_mut() {
        ActiveMut::Unknown(properties) => mem::take(properties),
        ActiveMut::Known(_) => Map::new(),
    };
    // Through text: the decoder is compiled for it anyway.
    let text = value.to_string();
    let decoded = known(union, index, property, context, |slot| {
        slot.deserialize(&mut serde_json::Deserializer::from_str(&text))
    });
    decoded.map_err(|error| foreign(&error))?;
    unite(union, context)?;
    union.hold(others);
    Ok(())
}

/// Decodes the property at `index` as the only property of the union.
fn known<E>(
    union: &mut dyn Union,
    index: usize,
    property: &PropertyRow,
    context: &mut DecodeContext,
    decode: impl FnOnce(Slot<'_>) -> Result<Decoded, E>,
) -> Result<(), E> {
    union.choose(Some(index));
    let ActiveMut::Known(payload) = union.active_mut() else {
        return Ok(());
    };
    let wire = &mut *payload;
    let decoded = context.within(Step::Name(property.name), |context| {
        decode(Slot { wire, as_text: property.as_text, context })
    })?;
    match decoded {
        Decoded::Unfit | Decoded::Partial | Decoded::Approximate => {
            let (value, _) = context.take_unfit();
            union.hold([(property.name.to_owned(), value)]);
        }
        Decoded::Value => {}
        Decoded::Nothing | Decoded::Null => union.choose(None),
    }
    Ok(())
}

/// Converts the known property of a union to JSON, so that it can hold others next to it. Nested unions are encoded
/// once for each union around them that does the same, so the sum is limited.
fn unite<E: Error>(union: &mut dyn Union, context: &mut DecodeContext) -> Result<(), E> {
    if let Active::Known(..) = union.active() {
        let view = View::Union(union);
        let (properties, length): (Map, _) = encode::content(&view, false, exact::nearest);
        let reserve = context.reserve.checked_sub(length);
        context.reserve =
            reserve.ok_or_else(|| E::custom("too many nested unions with several properties"))?;
        union.hold(properties);
    }
    Ok(())
}

/// Retains the undescribed properties of a union: in the value of its known property if that is an object, else with
/// all its properties as JSON.
fn attach<E: Error>(
    union: &mut dyn Union,
    mut siblings: Map,
    context: &mut DecodeContext,
) -> Result<(), E> {
    let kind =
        if union.is_empty() { DriftKind::UnknownVariant } else { DriftKind::UnknownProperty };
    for name in siblings.keys() {
        context.report(kind, name);
    }
    if !union.attach(&mut siblings) {
        unite(union, context)?;
        union.hold(siblings);
    }
    Ok(())
}
