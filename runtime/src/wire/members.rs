//! Decodes objects whose members are described.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::drift::DriftKind;
use super::kept::{Step, Was};
use super::notes::{Mark, Notes};
use super::seed::{Outcome, Seed};
use super::table::{Additional, Described};
use super::target::Target;
use super::{UnknownMembers, Value, Wire, alternatives};

/// Decodes into an object whose members are described.
pub(super) fn object<'de, A: MapAccess<'de>>(
    object: &mut dyn Wire,
    notes: &mut Notes,
    mut map: A,
) -> Result<(), A::Error> {
    // Types give their table out with their fields alone: a function for it would cost every type more than this does.
    let mut described = None;
    object.with_fields(|table, _, _| described = Some(table.read()));
    let Some(table) = described else {
        return Ok(());
    };
    let mut outcome = Ok(());
    object.with_fields_mut(|slots, unknown| {
        outcome = Members { table, slots, unknown, notes, seen: Seen::default(), next: 0 }
            .decode(&mut map);
    });
    outcome
}

/// Decodes the value of a member of which nothing is described.
pub(super) fn undescribed<'de, A: MapAccess<'de>>(
    name: &str,
    map: &mut A,
    notes: &mut Notes,
) -> Result<Value, A::Error> {
    map.next_value().inspect_err(|_| notes.trail.push(Step::Name(Cow::Owned(name.to_owned()))))
}

/// An object that is being decoded.
struct Members<'a, 's> {
    table: &'static Described,
    slots: &'a mut [&'s mut dyn Wire],
    unknown: &'a mut UnknownMembers,
    notes: &'a mut Notes,
    /// The fields whose members have come.
    seen: Seen,
    /// The field whose member is likely to come next.
    next: usize,
}

impl Members<'_, '_> {
    fn decode<'de, A: MapAccess<'de>>(mut self, map: &mut A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(KeySeed(&mut self))? {
            match key {
                Key::Member(slot) => self.member(slot, map)?,
                Key::Grouped(slot, index) => self.grouped(slot, index, map)?,
                Key::Other(name) => self.other(name, map)?,
            }
        }
        self.finish();
        Ok(())
    }

    /// Finds out whose name `name` is.
    fn find(&mut self, name: &str) -> Key {
        if let Some(slot) = self.table.position(name, self.next) {
            return Key::Member(slot);
        }
        if self.table.groups {
            for (slot, (member, wire)) in
                self.table.members.iter().zip(self.slots.iter_mut()).enumerate()
            {
                if member.group
                    && let Target::Union(union) = wire.target()
                    && let Some(index) = union.table().read().position(name, 0)
                {
                    return Key::Grouped(slot, index);
                }
            }
        }
        Key::Other(name.to_owned())
    }

    /// Decodes the value of a described member.
    fn member<'de, A: MapAccess<'de>>(&mut self, slot: usize, map: &mut A) -> Result<(), A::Error> {
        let (Some(member), Some(wire)) = (self.table.members.get(slot), self.slots.get_mut(slot))
        else {
            return Ok(());
        };
        self.next = slot + 1;
        if self.seen.insert(slot) {
            wire.clear();
            self.unknown.release(slot);
        }
        let mark = self.notes.mark();
        match map.next_value_seed(Seed { wire: &mut **wire, form: member.form, notes: self.notes })
        {
            Ok(Outcome::Value) => {}
            Ok(Outcome::Null) => self.notes.spelled(Was::Value(Value::Null)),
            Err(error) => {
                self.notes.trail.push(Step::Name(Cow::Borrowed(member.name)));
                return Err(error);
            }
        }
        if self.notes.mark() != mark {
            self.notes.step_drift(mark, &Step::Name(Cow::Borrowed(member.name)));
            self.keep(mark, slot);
        }
        Ok(())
    }

    /// Decodes the value of a member that belongs to a group.
    fn grouped<'de, A: MapAccess<'de>>(
        &mut self,
        slot: usize,
        index: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let Some(Target::Union(union)) = self.slots.get_mut(slot).map(|wire| wire.target()) else {
            return Ok(());
        };
        let mark = self.notes.mark();
        alternatives::member(union, index, self.notes, map, |_| self.unknown.release(slot))?;
        self.keep(mark, slot);
        Ok(())
    }

    /// Decodes the value of a member that is not described.
    fn other<'de, A: MapAccess<'de>>(&mut self, name: String, map: &mut A) -> Result<(), A::Error> {
        if let Some(additional) = &self.table.additional {
            return self.additional(additional, name, map);
        }
        let value = undescribed(&name, map, self.notes)?;
        self.unknown.insert(name, value);
        Ok(())
    }

    /// Decodes the value of a member that belongs to the additional properties.
    fn additional<'de, A: MapAccess<'de>>(
        &mut self,
        additional: &Additional,
        name: String,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let slot = self.table.members.len();
        match self.slots.get_mut(slot).map(|wire| wire.target()) {
            Some(Target::Dictionary(entries)) => {
                let step = Step::Name(Cow::Owned(name.clone()));
                if entries.contains(&name) {
                    self.unknown.forget(slot, &step);
                }
                self.unknown.remove(&name);
                let mark = self.notes.mark();
                let wire = entries.insert(name.clone());
                match map.next_value_seed(Seed { wire, form: additional.form, notes: self.notes }) {
                    Ok(Outcome::Value) => {}
                    Ok(Outcome::Null) => {
                        entries.remove(&name);
                        self.unknown.insert(name, Value::Null);
                    }
                    Err(error) => {
                        self.notes.trail.push(step);
                        return Err(error);
                    }
                }
                if self.notes.mark() != mark {
                    self.notes.step(mark, &step);
                    self.keep(mark, slot);
                }
            }
            Some(Target::Map(entries)) => {
                let value = undescribed(&name, map, self.notes)?;
                entries.insert(name, value);
            }
            _ => {
                let value = undescribed(&name, map, self.notes)?;
                self.unknown.insert(name, value);
            }
        }
        Ok(())
    }

    /// Keeps how the value of field `slot` was spelled.
    fn keep(&mut self, mark: Mark, slot: usize) {
        for (steps, was) in self.notes.take_spellings(mark) {
            self.unknown.keep(slot, steps, was);
        }
    }

    /// Puts the object in order once all its members have come.
    fn finish(&mut self) {
        if self.table.groups {
            self.finish_groups();
        }
        if self.table.required {
            for (slot, member) in self.table.members.iter().enumerate() {
                if member.required && !member.group && !self.seen.contains(slot) {
                    self.unknown.keep(slot, Vec::new(), Was::Missing);
                }
            }
        }
        if !self.unknown.holds_nothing() {
            for name in self.unknown.members().keys() {
                self.notes.unknown(DriftKind::Member, name);
            }
            self.unknown.settle();
        }
    }

    /// Makes groups absent of which no member came. An object with a single group gives it the undescribed members
    /// then: one of them is probably a member that joined the group later.
    fn finish_groups(&mut self) {
        let mut groups = 0;
        let mut vacant = None;
        for (member, wire) in self.table.members.iter().zip(self.slots.iter_mut()) {
            if member.group {
                groups += 1;
                if wire.view().is_vacant() {
                    wire.clear();
                    vacant = Some(wire);
                }
            }
        }
        if groups == 1
            && self.table.additional.is_none()
            && let Some(wire) = vacant
            && let Some(members) = self.unknown.take_valued()
            && let Target::Union(union) = wire.target()
        {
            for name in members.keys() {
                self.notes.unknown(DriftKind::UnionMember, name);
            }
            union.hold_all(members);
        }
    }
}

/// Whose name a name is.
enum Key {
    /// The member of a field.
    Member(usize),
    /// A member of the group in a field.
    Grouped(usize, usize),
    /// None that is described.
    Other(String),
}

/// A name about to be read.
struct KeySeed<'a, 'm, 's>(&'a mut Members<'m, 's>);

impl<'de> DeserializeSeed<'de> for KeySeed<'_, '_, '_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_, '_, '_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
        Ok(self.0.find(name))
    }
}

/// A set of fields, small for the first 64.
#[derive(Default)]
struct Seen {
    first: u64,
    others: Vec<usize>,
}

impl Seen {
    /// Adds a field and tells whether it was there before.
    fn insert(&mut self, slot: usize) -> bool {
        let before = self.contains(slot);
        match slot {
            0..64 => self.first |= 1 << slot,
            _ if before => {}
            _ => self.others.push(slot),
        }
        before
    }

    fn contains(&self, slot: usize) -> bool {
        match slot {
            0..64 => self.first & (1 << slot) != 0,
            _ => self.others.contains(&slot),
        }
    }
}
