//! Decodes unions of values, by their rules.

use std::mem;

use serde::de::{DeserializeSeed as _, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use wire_rules::{JsonKind, Next, Rule};

use crate::wire::buffered::Buffered;
use crate::wire::decode::context::DecodeContext;
use crate::wire::decode::decoded::Decoded;
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::entries::Entries;
use crate::wire::decode::error::foreign;
use crate::wire::decode::slot::Slot;
use crate::wire::reflect::plan::UnionTable;
use crate::wire::reflect::table::{Described, Role};
use crate::wire::reflect::wire::{ActiveMut, Choice, Target, Wire};
use crate::wire::value::Value;

/// Decodes a boolean, a number or a string.
pub(super) fn scalar<E: Error>(
    choice: &mut dyn Choice,
    context: &mut DecodeContext,
    value: Value,
    kind: JsonKind,
    decode: impl FnOnce(Slot<'_>) -> Result<Decoded, E>,
) -> Result<Decoded, E> {
    match choice.plan().read().plan.rules.of_kind(kind) {
        // A union has a place for a scalar as it was received.
        Rule::Variant(index) => payload(choice, *index, context, |slot| {
            decode(slot).map(|it| if it == Decoded::Value { it } else { Decoded::Unfit })
        }),
        _ => Ok(unknown(choice, value, context)),
    }
}

pub(super) fn list<'de, A: SeqAccess<'de>>(
    choice: &mut dyn Choice,
    context: &mut DecodeContext,
    mut seq: A,
) -> Result<Decoded, A::Error> {
    let rules = &choice.plan().read().plan.rules;
    let rule = rules.of_kind(JsonKind::Array);
    if let Rule::Variant(index) = rule {
        return payload(choice, *index, context, |slot| slot.visit_seq(seq));
    }
    let mut json = String::from("[");
    while let Some(element) = seq.next_element::<&RawValue>()? {
        json.extend([if json.len() > 1 { "," } else { "" }, element.get()]);
    }
    json.push(']');
    let decoded = match rules.variant(&Buffered::Array(&json)) {
        None => serde_json::from_str(&json).map(|value| unknown(choice, value, context)),
        Some(index) => payload(choice, index, context, |slot| {
            slot.deserialize(&mut serde_json::Deserializer::from_str(&json))
        }),
    };
    decoded.map_err(|error| foreign(&error))
}

pub(super) fn object<'de, A: MapAccess<'de>>(
    choice: &mut dyn Choice,
    context: &mut DecodeContext,
    entries: &mut Entries<'de, A>,
) -> Result<Decoded, A::Error> {
    let rules = &choice.plan().read().plan.rules;
    let mut rule = rules.of_kind(JsonKind::Object);
    let index = loop {
        rule = match rule {
            Rule::Variant(index) => break Some(*index),
            Rule::Tag { name, .. } | Rule::Property { name, .. } => {
                match rules.by_value(rule, entries.find(name)?.map(|value| value as _)) {
                    Next::Rule(rule) => rule,
                    Next::Variant(variant) => break variant,
                }
            }
            rule => break rules.variant_of(rule, Some(entries.all()?)),
        }
    };
    chosen(choice, index, context, entries)
}

/// Decodes an object as the variant at `index`, or retains it.
pub(super) fn chosen<'de, A: MapAccess<'de>>(
    choice: &mut dyn Choice,
    index: Option<usize>,
    context: &mut DecodeContext,
    entries: &mut Entries<'de, A>,
) -> Result<Decoded, A::Error> {
    let mut outer_tags = mem::take(&mut context.outer_tags);
    let Some(index) = index else {
        return Ok(unknown(choice, Value::Object(entries.json()?), context));
    };
    let rules = choice.plan().read();
    let own = rules.tags(index);
    outer_tags.retain(|outer| own.iter().all(|tag| tag.name != outer.name));
    let mut missing = Vec::new();
    let before = context.count();
    let decoded = payload(choice, index, context, |slot| {
        if let Target::Choice(_) = slot.wire.target() {
            outer_tags.extend(own);
            slot.context.outer_tags = outer_tags;
            return slot.entries(entries);
        }
        for tag in outer_tags.into_iter().chain(own) {
            if entries.find(tag.name)?.is_none() {
                missing.push(tag.name);
            } else if !has_place(slot.wire, tag.name) {
                entries.remove(tag.name, &tag.value);
            }
        }
        entries.remove_nulls(|name| is_of_others(rules, slot.wire, name));
        slot.entries(entries)
    })?;
    context.allow(before, |name| rules.plan.is_open || rules.plan.others.contains(name));
    if !missing.is_empty()
        && let ActiveMut::Known(wire) = choice.active_mut()
    {
        wire.with_fields_mut(|_, unknown| unknown.retained_mut().missing_tags = missing);
    }
    Ok(decoded)
}

/// Decodes the value of the variant at `index`. If it does not have the type of the variant, it is retained as it is.
fn payload<E>(
    choice: &mut dyn Choice,
    index: usize,
    context: &mut DecodeContext,
    decode: impl FnOnce(Slot<'_>) -> Result<Decoded, E>,
) -> Result<Decoded, E> {
    let as_text = choice.plan().is_text(index);
    choice.choose(Some(index));
    let ActiveMut::Known(wire) = choice.active_mut() else {
        return Ok(Decoded::Value);
    };
    let before = context.count();
    let is_of_union = mem::replace(&mut context.is_of_union, true);
    let decoded = decode(Slot { wire, as_text, context: &mut *context });
    context.is_of_union = is_of_union;
    let decoded = decoded?;
    if matches!(decoded, Decoded::Value | Decoded::Approximate) {
        return Ok(decoded);
    }
    let value = mem::take(&mut context.unfit);
    context.discard(before);
    Ok(unknown(choice, value, context))
}

/// Returns whether a value has a place for a tag, itself or in one of the unions next to its properties. Overwrites these.
fn has_place(wire: &mut dyn Wire, name: &str) -> bool {
    let unions = wire.table().filter(|it| it.flattened && it.additional().is_none());
    let (Some(table), Target::Object) = (unions, wire.target()) else {
        return describes(wire, name);
    };
    let has_place = wire.with_fields_mut(|fields, _| {
        let fields = table.properties.iter().zip(fields.iter_mut());
        let mut unions = fields.filter(|(property, _)| property.kind == Role::Flattened);
        table.position(name, 0).is_some()
            || unions.any(|(_, union)| is_of_variant(&mut **union, name))
    });
    has_place.unwrap_or_default()
}

/// Returns whether a union reads a property, to choose a variant or as its value.
fn is_of_variant(union: &mut dyn Wire, name: &str) -> bool {
    match union.target() {
        Target::Union(union) => union.position(name).is_some(),
        Target::Choice(choice) => {
            let rules = choice.plan().read();
            rules.mentions(name)
                || (0..rules.variants.len()).any(|variant| {
                    choice.choose(Some(variant));
                    choice.active_mut().known().is_some_and(|payload| describes(payload, name))
                })
        }
        _ => false,
    }
}

/// Returns whether a property is only of other variants. A null property is the same as an absent one, and not drift.
fn is_of_others(rules: &UnionTable, wire: &mut dyn Wire, name: &str) -> bool {
    rules.mentions(name) && !describes(wire, name)
}

/// Returns whether a value has a place for a property.
pub(super) fn describes(wire: &mut dyn Wire, name: &str) -> bool {
    let Target::Object = wire.target() else { return true };
    let is_open = |table: &Described| table.flattened || table.additional().is_some();
    wire.table().is_some_and(is_open) || has_field(wire, name)
}

/// Returns whether a value is an object with a field for a property.
pub(super) fn has_field(wire: &mut dyn Wire, name: &str) -> bool {
    let Target::Object = wire.target() else { return false };
    wire.table().is_some_and(|table| table.position(name, 0).is_some())
}

/// Retains a value that matches none of the variants.
fn unknown(choice: &mut dyn Choice, mut value: Value, context: &mut DecodeContext) -> Decoded {
    context.report(DriftKind::NoVariant, "");
    context.round(&mut value);
    choice.choose(None);
    if let ActiveMut::Unknown(slot) = choice.active_mut() {
        *slot = value;
    }
    Decoded::Value
}
