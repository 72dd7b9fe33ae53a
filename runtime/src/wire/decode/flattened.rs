//! Decodes unions of values next to the properties of an object.
//!
//! The whole object decides the variant. The union then takes the properties that the object does not describe, and the
//! properties that both the object and the variant describe.

use serde::de::{Error, MapAccess};
use wire_rules::JsonKind;

use crate::wire::buffered::Properties;
use crate::wire::decode::choice::{self, describes, has_field};
use crate::wire::decode::context::DecodeContext;
use crate::wire::decode::decoded::Decoded;
use crate::wire::decode::entries::{self, Entries};
use crate::wire::decode::error::foreign;
use crate::wire::decode::key::is_described;
use crate::wire::reflect::table::{Described, Role};
use crate::wire::reflect::wire::{ActiveMut, Choice, Target, Wire};

/// The properties of an object that belong to its unions of values.
pub(super) struct Shares<'de>(Vec<Share<'de>>);

/// The properties of a union.
struct Share<'de> {
    /// The index of its field.
    field: usize,
    /// The index of the variant.
    variant: Option<usize>,
    properties: Properties<'de>,
}

impl<'de> Shares<'de> {
    /// Takes the properties of the unions from the entries of an object. `None` if it has no unions of values.
    pub fn take<A: MapAccess<'de>>(
        object: &mut dyn Wire,
        table: &Described,
        entries: &mut Entries<'de, A>,
    ) -> Result<Option<Self>, A::Error> {
        let shares = object.with_fields_mut(|fields, _| {
            let flattened = table.properties.iter().enumerate();
            let flattened = flattened.filter(|(_, property)| property.kind == Role::Flattened);
            let unions = flattened.map(|(field, _)| field);
            let unions: Vec<_> =
                unions.filter(|field| choice_of(fields, *field).is_some()).collect();
            if unions.is_empty() {
                return Ok(None);
            }
            let shares = share(table, fields, &unions, entries.all()?);
            entries.retain(|name| is_described(table, fields, name));
            Ok(Some(Self(shares)))
        });
        shares.unwrap_or(Ok(None))
    }

    /// Decodes the unions.
    pub fn decode<E: Error>(
        self,
        object: &mut dyn Wire,
        context: &mut DecodeContext,
    ) -> Result<(), E> {
        let decoded = object.with_fields_mut(|fields, _| {
            for share in self.0 {
                if share.variant.is_none() && share.properties.0.is_empty() {
                    // No deviation: there is nothing that could be a variant.
                    if let Some(wire) = fields.get_mut(share.field) {
                        wire.clear();
                    }
                } else if let Some(choice) = choice_of(fields, share.field) {
                    share.decode(choice, context).map_err(|error| foreign(&error))?;
                }
            }
            Ok(())
        });
        decoded.unwrap_or(Ok(()))
    }
}

impl Share<'_> {
    /// Decodes the union.
    fn decode(
        self,
        choice: &mut dyn Choice,
        context: &mut DecodeContext,
    ) -> Result<Decoded, serde_json::Error> {
        let mut entries = entries::buffered(self.properties);
        choice::chosen(choice, self.variant, context, &mut entries)
    }
}

/// Chooses the variants of the unions in these fields, and assigns the properties to them.
fn share<'de>(
    table: &Described,
    fields: &mut [&mut dyn Wire],
    unions: &[usize],
    all: &Properties<'de>,
) -> Vec<Share<'de>> {
    let mut shares = Vec::with_capacity(unions.len());
    for &field in unions {
        if let Some(choice) = choice_of(fields, field) {
            let rules = &choice.plan().read().plan.rules;
            let variant = rules.variant_of(rules.of_kind(JsonKind::Object), Some(all));
            choice.choose(variant);
            shares.push(Share { field, variant, properties: Properties::default() });
        }
    }
    for (name, value) in &all.0 {
        let is_own = is_described(table, fields, name);
        let mut is_taken = is_own;
        for share in &mut shares {
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
    shares
}

/// Returns the union in a field.
fn choice_of<'f>(fields: &'f mut [&mut dyn Wire], field: usize) -> Option<&'f mut dyn Choice> {
    match fields.get_mut(field)?.target() {
        Target::Choice(choice) => Some(choice),
        _ => None,
    }
}
