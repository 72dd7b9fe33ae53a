//! Decodes unions of values next to the properties of an object.
//!
//! The whole object decides the variant. The union then takes the properties that the object does not describe, and the
//! properties that both the object and the variant describe.

use serde::de::{Error, MapAccess};
use wire_rules::JsonKind;

use crate::wire::buffered::Properties;
use crate::wire::decode::choice::{self, describes, has_field};
use crate::wire::decode::context::DecodeContext;
use crate::wire::decode::entries::{self, Entries};
use crate::wire::decode::error::foreign;
use crate::wire::decode::key::is_described;
use crate::wire::reflect::table::{Described, Role};
use crate::wire::reflect::wire::{ActiveMut, Choice, Target, Wire};

/// The properties of an object that belong to one of its unions of values.
pub(super) struct Share<'de> {
    /// The index of the field of the union.
    field: usize,
    variant: Option<usize>,
    properties: Properties<'de>,
}

/// Chooses the variants of the unions of an object, and takes their properties from its entries.
pub(super) fn take<'de, A: MapAccess<'de>>(
    object: &mut dyn Wire,
    table: &Described,
    entries: &mut Entries<'de, A>,
) -> Result<Vec<Share<'de>>, A::Error> {
    let shares = object.with_fields_mut(|fields, _| {
        let mut shares = Vec::new();
        for (field, property) in table.properties.iter().enumerate() {
            if property.kind == Role::Flattened
                && let Some(choice) = choice_of(fields, field)
            {
                let rules = &choice.plan().read().plan.rules;
                let rule = rules.of_kind(JsonKind::Object);
                let variant = rules.variant_of(rule, Some(entries.all()?));
                choice.choose(variant);
                shares.push(Share { field, variant, properties: Properties::default() });
            }
        }
        if !shares.is_empty() {
            share(table, fields, &mut shares, entries.all()?);
            entries.retain(|name| is_described(table, fields, name));
        }
        Ok(shares)
    });
    shares.unwrap_or(Ok(Vec::new()))
}

pub(super) fn decode<E: Error>(
    shares: Vec<Share<'_>>,
    object: &mut dyn Wire,
    context: &mut DecodeContext,
) -> Result<(), E> {
    let decoded = object.with_fields_mut(|fields, _| {
        for Share { field, variant, properties } in shares {
            if variant.is_none() && properties.0.is_empty() {
                // No deviation: there is nothing that could be a variant.
                if let Some(wire) = fields.get_mut(field) {
                    wire.clear();
                }
            } else if let Some(choice) = choice_of(fields, field) {
                let mut entries = entries::buffered(properties);
                let decoded = choice::chosen(choice, variant, context, &mut entries);
                decoded.map_err(|error| foreign(&error))?;
            }
        }
        Ok(())
    });
    decoded.unwrap_or(Ok(()))
}

/// Assigns the properties of an object to its unions.
fn share<'de>(
    table: &Described,
    fields: &mut [&mut dyn Wire],
    shares: &mut [Share<'de>],
    all: &Properties<'de>,
) {
    for (name, value) in &all.0 {
        let is_own = is_described(table, fields, name);
        let mut is_taken = is_own;
        for share in &mut *shares {
            let (Some(choice), Some(variant)) = (choice_of(fields, share.field), share.variant)
            else {
                continue;
            };
            let tags = choice.plan().read().tags(variant);
            let is_tag = tags.iter().any(|tag| tag.name == name);
            let ActiveMut::Known(payload) = choice.active_mut() else { continue };
            let is_shared = has_field(payload, name);
            if is_shared || !is_own && (is_tag || describes(payload, name)) {
                share.properties.0.push((name.clone(), value.clone()));
                is_taken = true;
            }
        }
        if !is_taken && let Some(first) = shares.first_mut() {
            first.properties.0.push((name.clone(), value.clone()));
        }
    }
}

fn choice_of<'f>(fields: &'f mut [&mut dyn Wire], field: usize) -> Option<&'f mut dyn Choice> {
    match fields.get_mut(field)?.target() {
        Target::Choice(choice) => Some(choice),
        _ => None,
    }
}
