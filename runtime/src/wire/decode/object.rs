//! Decodes objects with described properties.

use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;

use serde::de::MapAccess;

use crate::wire::decode::context::{DecodeContext, Step, wrong_type};
use crate::wire::decode::decoded::Decoded;
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::entries::Entries;
use crate::wire::decode::key::{KeyTarget, find};
use crate::wire::decode::slot::{Find, Slot};
use crate::wire::decode::{collection, flattened, union};
use crate::wire::encode::send::fingerprint;
use crate::wire::reflect::table::{Described, Presence, Role};
use crate::wire::reflect::wire::{Target, View, Wire};
use crate::wire::unknown::{Missing, Unfit, UnknownProperties};
use crate::wire::value::Value;

/// Decodes an object with described properties.
pub(super) fn decode<'de, A: MapAccess<'de>>(
    object: &mut dyn Wire,
    context: &mut DecodeContext,
    entries: &mut Entries<'de, A>,
) -> Result<(), A::Error> {
    // Types pass their table with their fields: one more function per type would cost more compile time.
    let Some(table) = object.table() else { return Ok(()) };
    let shares =
        if table.flattened { flattened::take(object, table, entries)? } else { Vec::new() };
    let is_of_union = mem::take(&mut context.is_of_union);
    let decoded = object.with_fields_mut(|fields, unknown| {
        let (map, context, seen) = (entries, &mut *context, SeenFields::default());
        Object { table, fields, unknown, context, map, seen, next: 0 }.decode()
    });
    context.is_of_union = is_of_union;
    decoded.transpose()?;
    if shares.is_empty() { Ok(()) } else { flattened::decode(shares, object, context) }
}

/// An object that is being decoded.
struct Object<'a, 's, A> {
    table: &'static Described,
    fields: &'a mut [&'s mut dyn Wire],
    unknown: &'a mut UnknownProperties,
    context: &'a mut DecodeContext,
    map: &'a mut A,
    /// The fields whose properties were decoded.
    seen: SeenFields,
    /// The field whose property is probably next.
    next: usize,
}

impl<'de, A: MapAccess<'de>> Object<'_, '_, A> {
    fn decode(mut self) -> Result<(), A::Error> {
        loop {
            let find = |name: &str| find(self.table, self.fields, self.next, name);
            match self.map.next_key_seed(Find(find))? {
                Some(KeyTarget::Property(field)) => self.property(field)?,
                Some(KeyTarget::Flattened(field, index)) => self.flattened(field, index)?,
                Some(KeyTarget::Unknown(name)) => self.unknown(&name)?,
                None => break,
            }
        }
        self.finish();
        Ok(())
    }

    /// Decodes a described property.
    fn property(&mut self, field: usize) -> Result<(), A::Error> {
        let (Some(property), Some(wire)) =
            (self.table.properties.get(field), self.fields.get_mut(field))
        else {
            return Ok(());
        };
        self.next = field + 1;
        if !self.seen.insert(field) {
            wire.clear();
            self.unknown.remove_missing(field);
            self.unknown.remove_override(property.name);
        }
        let map = &mut *self.map;
        let as_text = property.as_text;
        let decoded = self.context.within(Step::Name(property.name), |context| {
            let decoded = map.next_value_seed(Slot { wire: &mut **wire, as_text, context })?;
            if decoded == Decoded::Nothing && property.presence == Presence::Optional {
                context.report(wrong_type(&wire.target(), &Value::Null), "");
                wire.clear();
            }
            Ok(decoded)
        })?;
        let is_retained = matches!(property.presence, Presence::Optional | Presence::Null);
        match decoded {
            // A union may have the same property, which would be written twice.
            Decoded::Nothing if is_retained && !self.table.flattened => {
                self.unknown.retained_mut().missing.insert(field, Missing::Null);
            }
            Decoded::Null if property.presence == Presence::Required => {
                self.context.report(DriftKind::MissingProperty, property.name);
                self.missing(field, Missing::Null);
            }
            Decoded::Value | Decoded::Nothing | Decoded::Null => {}
            Decoded::Unfit | Decoded::Partial | Decoded::Approximate => {
                let has_value = decoded != Decoded::Unfit;
                let stand_in = has_value.then(|| fingerprint(&**wire));
                if !has_value {
                    wire.clear();
                }
                let (value, exact) = self.context.take_unfit();
                self.unknown.insert_unfit(property.name, value, Unfit { stand_in, exact });
            }
        }
        Ok(())
    }

    /// Marks a required property as missing. The only value of an enum is its default, but was not received.
    fn missing(&mut self, field: usize, missing: Missing) {
        if let Some(wire) = self.fields.get_mut(field) {
            wire.clear();
        }
        self.unknown.retained_mut().missing.insert(field, missing);
    }

    /// Decodes a property of the flattened union in a field.
    fn flattened(&mut self, field: usize, index: usize) -> Result<(), A::Error> {
        if let Some(Target::Union(union)) = self.fields.get_mut(field).map(|wire| wire.target()) {
            union::property(union, index, self.context, self.map)?;
        }
        Ok(())
    }

    /// Decodes an undescribed property.
    fn unknown(&mut self, name: &str) -> Result<(), A::Error> {
        let additional = self.table.additional();
        let field = additional.and_then(|(field, _)| self.fields.get_mut(field));
        let (Some((_, property)), Some(Target::Dictionary(entries))) =
            (additional, field.map(|wire| wire.target()))
        else {
            let entries = &mut self.unknown.retained_mut().properties;
            collection::entry(entries, name, false, self.context, self.map)?;
            return Ok(());
        };
        self.unknown.remove_override(name);
        let as_text = property.as_text;
        let decoded = collection::entry(entries, name, as_text, self.context, self.map)?;
        if matches!(decoded, Decoded::Value | Decoded::Nothing) {
            return Ok(());
        }
        let stand_in = entries.get(name).map(fingerprint);
        let (value, exact) = self.context.take_unfit();
        self.unknown.insert_unfit(name, value, Unfit { stand_in, exact });
        Ok(())
    }

    /// Completes the object after its last property.
    fn finish(&mut self) {
        if self.table.flattened {
            self.finish_flattened();
        }
        for &(field, name) in &self.table.required {
            if !self.seen.contains(field) {
                if !self.table.properties[field].write_only {
                    self.context.report(DriftKind::MissingProperty, name);
                }
                self.missing(field, Missing::Absent);
            }
        }
        if let Some(withheld) = &self.context.withheld {
            self.unknown.retained_mut().withheld = Some(Arc::clone(withheld));
        }
        if self.unknown.retained().is_some() {
            if self.context.findings.is_some() {
                self.report_unknown();
            }
            self.unknown.drop_if_empty();
        }
    }

    fn report_unknown(&mut self) {
        let retained = self.unknown.retained();
        for name in self.unknown.properties().keys() {
            if !retained.is_some_and(|retained| retained.unfit.contains_key(name)) {
                self.context.report(DriftKind::UnknownProperty, name);
            }
        }
    }

    /// Resets flattened unions without a property. A single union takes the undescribed properties: one of them is
    /// probably a new variant.
    fn finish_flattened(&mut self) {
        let mut unions = 0;
        let mut vacant = None;
        for (property, wire) in self.table.properties.iter().zip(self.fields.iter_mut()) {
            if property.kind == Role::Flattened {
                unions += 1;
                let is_vacant = match wire.view() {
                    View::Union(union) => union.is_empty(),
                    view => view.is_absent(),
                };
                if is_vacant {
                    wire.clear();
                    vacant = Some(wire);
                }
            }
        }
        if unions == 1
            && self.table.additional().is_none()
            && let Some(wire) = vacant
            && let Some(properties) =
                self.unknown.take_valued(|name| self.table.position(name, 0).is_some())
            && let Target::Union(union) = wire.target()
        {
            for name in properties.keys() {
                self.context.report(DriftKind::UnknownVariant, name);
            }
            union.hold(properties);
        }
    }
}

/// A set of fields, cheap for the first 64.
#[derive(Default)]
struct SeenFields {
    first: u64,
    others: BTreeSet<usize>,
}

impl SeenFields {
    fn insert(&mut self, field: usize) -> bool {
        if field >= 64 {
            return self.others.insert(field);
        }
        let is_new = !self.contains(field);
        self.first |= 1 << field;
        is_new
    }

    fn contains(&self, field: usize) -> bool {
        if field < 64 { self.first & (1 << field) != 0 } else { self.others.contains(&field) }
    }
}
