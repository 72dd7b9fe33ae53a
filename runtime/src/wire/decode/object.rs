//! Decodes objects with described properties.

use std::borrow::Cow;

use serde::de::MapAccess;

use crate::wire::decode::context::{Context, Step};
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::key::Find;
use crate::wire::decode::slot::{Decoded, Slot};
use crate::wire::decode::{collection, union};
use crate::wire::reflect::table::Described;
use crate::wire::reflect::wire::{Target, View, Wire};
use crate::wire::retain::original::{self, Original};
use crate::wire::retain::unknown::UnknownProperties;

/// Decodes an object with described properties.
pub(super) fn decode<'de, A: MapAccess<'de>>(
    object: &mut dyn Wire,
    context: &mut Context,
    mut map: A,
) -> Result<(), A::Error> {
    // Types pass their table with their fields: one more function per type would cost more compile time.
    let mut described = None;
    object.with_fields(|table, _, _| described = Some(table.read()));
    let Some(table) = described else {
        return Ok(());
    };
    let mut result = Ok(());
    object.with_fields_mut(|fields, unknown| {
        let seen = Seen::default();
        let additional = original::Dictionary::default();
        result =
            Object { table, fields, unknown, context, seen, next: 0, additional }.decode(&mut map);
    });
    result
}

/// An object that is being decoded.
struct Object<'a, 's> {
    table: &'static Described,
    fields: &'a mut [&'s mut dyn Wire],
    unknown: &'a mut UnknownProperties,
    context: &'a mut Context,
    /// The fields whose properties were decoded.
    seen: Seen,
    /// The field whose property is probably next.
    next: usize,
    /// How additional properties were written.
    additional: original::Dictionary,
}

impl Object<'_, '_> {
    fn decode<'de, A: MapAccess<'de>>(mut self, map: &mut A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Find(|name: &str| self.find(name)))? {
            match key {
                Key::Property(field) => self.property(field, map)?,
                Key::Flattened(field, index) => self.flattened(field, index, map)?,
                Key::Unknown(name) => self.unknown(name, map)?,
            }
        }
        self.finish();
        Ok(())
    }

    /// Looks up a name.
    fn find(&mut self, name: &str) -> Key {
        if let Some(field) = self.table.position(name, self.next) {
            return Key::Property(field);
        }
        if self.table.flattened {
            let properties = self.table.properties.iter();
            for (field, (property, wire)) in properties.zip(self.fields.iter_mut()).enumerate() {
                if property.flattened
                    && let Target::Union(union) = wire.target()
                    && let Some(index) = union.table().read().position(name, 0)
                {
                    return Key::Flattened(field, index);
                }
            }
        }
        Key::Unknown(name.to_owned())
    }

    /// Decodes a described property.
    fn property<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let (Some(property), Some(wire)) =
            (self.table.properties.get(field), self.fields.get_mut(field))
        else {
            return Ok(());
        };
        self.next = field + 1;
        if self.seen.insert(field) {
            wire.clear();
            self.unknown.release(field);
        }
        let mark = self.context.mark();
        let slot = Slot { wire: &mut **wire, format: property.format, context: &mut *self.context };
        let result = map.next_value_seed(slot);
        match self.context.step(mark, result, || Step::Name(Cow::Borrowed(property.name)))? {
            Decoded::Canonical => {}
            Decoded::Respelled(original) => self.unknown.retain(field, *original),
            Decoded::Null => {
                if property.required {
                    self.context.report(DriftKind::MissingProperty, property.name);
                }
                self.unknown.retain(field, Original::Null);
            }
        }
        Ok(())
    }

    /// Decodes a property of the flattened union in a field.
    fn flattened<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        index: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let Some(Target::Union(union)) = self.fields.get_mut(field).map(|wire| wire.target())
        else {
            return Ok(());
        };
        let mut original = self.unknown.release(field);
        union::property(union, index, &mut original, self.context, map)?;
        if let Some(original) = original {
            self.unknown.retain(field, original);
        }
        Ok(())
    }

    /// Decodes an undescribed property.
    fn unknown<'de, A: MapAccess<'de>>(
        &mut self,
        name: String,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let field = self.fields.get_mut(self.table.properties.len());
        match (&self.table.additional, field.map(|wire| wire.target())) {
            (Some(additional), Some(Target::Dictionary(entries))) => {
                let (format, originals) = (additional.format, &mut self.additional);
                collection::entry(entries, name, format, self.context, map, originals)
            }
            (Some(_), Some(Target::Map(entries))) => {
                let value = union::any(&name, map, self.context)?;
                entries.insert(name, value);
                Ok(())
            }
            _ => {
                let value = union::any(&name, map, self.context)?;
                self.unknown.insert(name, value);
                Ok(())
            }
        }
    }

    /// Completes the object after its last property.
    fn finish(&mut self) {
        if self.table.flattened {
            self.finish_flattened();
        }
        for &(field, name) in &self.table.required {
            if !self.seen.contains(field) {
                self.context.report(DriftKind::MissingProperty, name);
                self.unknown.retain(field, Original::Missing);
            }
        }
        let additional = self.table.properties.len();
        if let Some(Target::Dictionary(entries)) =
            self.fields.get_mut(additional).map(|wire| wire.target())
            && let Some(original) =
                collection::finished(entries, std::mem::take(&mut self.additional))
        {
            self.unknown.retain(additional, original);
        }
        if !self.unknown.retains_nothing() {
            for name in self.unknown.properties().keys() {
                self.context.report(DriftKind::UnknownProperty, name);
            }
            self.unknown.settle();
        }
    }

    /// Resets flattened unions without a property. A single one takes the undescribed properties: one of them is
    /// probably a new variant.
    fn finish_flattened(&mut self) {
        let mut unions = 0;
        let mut vacant = None;
        for (property, wire) in self.table.properties.iter().zip(self.fields.iter_mut()) {
            if property.flattened {
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
            && self.table.additional.is_none()
            && let Some(wire) = vacant
            && let Some(properties) = self.unknown.take_valued()
            && let Target::Union(union) = wire.target()
        {
            for name in properties.keys() {
                self.context.report(DriftKind::UnknownVariant, name);
            }
            union.hold_all(properties);
        }
    }
}

/// The meaning of a name.
enum Key {
    /// The property of a field.
    Property(usize),
    /// A property of the flattened union in a field.
    Flattened(usize, usize),
    /// An undescribed property.
    Unknown(String),
}

/// A set of fields, cheap for the first 64.
#[derive(Default)]
struct Seen {
    first: u64,
    others: Vec<usize>,
}

impl Seen {
    /// Adds a field and returns whether it was present.
    fn insert(&mut self, field: usize) -> bool {
        let before = self.contains(field);
        match field {
            0..64 => self.first |= 1 << field,
            _ if before => {}
            _ => self.others.push(field),
        }
        before
    }

    fn contains(&self, field: usize) -> bool {
        match field {
            0..64 => self.first & (1 << field) != 0,
            _ => self.others.contains(&field),
        }
    }
}
