//! Decodes objects that hold one of several members.

use std::borrow::Cow;
use std::{fmt, mem};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::drift::DriftKind;
use super::kept::{self, Kept, Step};
use super::members::undescribed;
use super::notes::{Mark, Notes};
use super::object::{Fields, FieldsMut};
use super::seed::Seed;
use super::table::Described;
use super::target::Target;
use super::union::{Active, ActiveMut, Held, Union};
use super::view::View;
use super::{Map, Wire, encode};

/// Decodes into a union that is a value of its own.
pub(super) fn union<'de, A: MapAccess<'de>>(
    union: &mut dyn Union,
    notes: &mut Notes,
    mut map: A,
) -> Result<(), A::Error> {
    union.choose(None);
    let table = union.table().read();
    let start = notes.mark();
    let mut siblings = Map::new();
    while let Some(key) = map.next_key_seed(KeySeed(table))? {
        match key {
            Key::Member(index) => {
                member(union, index, notes, &mut map, |notes| release(notes, start))?;
            }
            Key::Other(name) => {
                let value = undescribed(&name, &mut map, notes)?;
                siblings.insert(name, value);
            }
        }
    }
    if !siblings.is_empty() {
        attach(union, siblings, notes, start);
    }
    Ok(())
}

/// Decodes the value of the known member at `index`. `release` gives up how the value that the union holds so far was
/// spelled.
pub(super) fn member<'de, A: MapAccess<'de>>(
    union: &mut dyn Union,
    index: usize,
    notes: &mut Notes,
    map: &mut A,
    release: impl FnOnce(&mut Notes) -> Vec<Kept>,
) -> Result<(), A::Error> {
    let Some(member) = union.table().read().members.get(index) else {
        return Ok(());
    };
    let first = match union.active() {
        Active::Unknown(members) => members.is_empty(),
        Active::Known(_, held, _) => {
            if held == index {
                release(notes);
                return chosen(union, index, notes, map);
            }
            false
        }
    };
    if first {
        return chosen(union, index, notes, map);
    }
    let value = undescribed(member.name, map, notes)?;
    if !value.is_null() {
        unite(union, release(notes));
        union.hold(member.name.to_owned(), value);
        notes.unknown(DriftKind::UnionMembers, member.name);
    }
    Ok(())
}

/// Decodes the value of the member at `index` as the one that the union holds, unless it is null.
fn chosen<'de, A: MapAccess<'de>>(
    union: &mut dyn Union,
    index: usize,
    notes: &mut Notes,
    map: &mut A,
) -> Result<(), A::Error> {
    let Some(member) = union.table().read().members.get(index) else {
        return Ok(());
    };
    let step = Step::Name(Cow::Borrowed(member.name));
    let mark = notes.mark();
    let wire = &mut Choice { union, index };
    if let Err(error) = map.next_value_seed(Seed { wire, form: member.form, notes }) {
        notes.trail.push(step);
        return Err(error);
    }
    if notes.mark() != mark {
        notes.step(mark, &step);
    }
    Ok(())
}

/// Turns a known member that the union holds into a member kept as it came.
fn unite(union: &mut dyn Union, mut kept: Vec<Kept>) {
    kept::sort(&mut kept);
    if let Held::Known(member, payload) = union.held() {
        let value = encode::to_value(payload, member, &kept);
        union.hold(member.name.to_owned(), value);
    }
}

/// Finds a place for the undescribed members of a union: beside the members of the value that it holds, or together
/// with whatever it holds as they came.
fn attach(union: &mut dyn Union, mut siblings: Map, notes: &mut Notes, start: Mark) {
    let kind = if union.is_empty() { DriftKind::UnionMember } else { DriftKind::Member };
    for name in siblings.keys() {
        notes.unknown(kind, name);
    }
    if let ActiveMut::Known(payload) = union.active_mut()
        && let Target::Object = payload.target()
    {
        payload.with_fields_mut(|_, unknown| unknown.set_siblings(mem::take(&mut siblings)));
        return;
    }
    unite(union, release(notes, start));
    union.hold_all(siblings);
}

/// Takes the spellings that wait for an object to keep them.
fn release(notes: &mut Notes, start: Mark) -> Vec<Kept> {
    notes.take_spellings(start).map(|(steps, was)| Kept::new(0, steps, was)).collect()
}

/// A member of a union that is chosen once its value is certain to be none but null.
struct Choice<'a> {
    union: &'a mut dyn Union,
    index: usize,
}

impl Wire for Choice<'_> {
    fn target(&mut self) -> Target<'_> {
        self.union.choose(Some(self.index));
        match self.union.active_mut() {
            ActiveMut::Known(payload) => payload.target(),
            ActiveMut::Unknown(_) => Target::Nothing,
        }
    }

    fn view(&self) -> View<'_> {
        View::Absent
    }

    fn fields<'a>(&'a self, fields: Fields<'_, 'a>) {
        if let Active::Known(_, _, payload) = self.union.active() {
            payload.fields(fields);
        }
    }

    fn fields_mut(&mut self, fields: FieldsMut<'_>) {
        if let ActiveMut::Known(payload) = self.union.active_mut() {
            payload.fields_mut(fields);
        }
    }

    fn null(&mut self) -> bool {
        true
    }

    fn clear(&mut self) {
        if let ActiveMut::Known(payload) = self.union.active_mut() {
            payload.clear();
        }
    }
}

/// Whose name a name is.
enum Key {
    /// A known member's.
    Member(usize),
    /// None that is described.
    Other(String),
}

/// A name about to be read.
struct KeySeed(&'static Described);

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
        Ok(self.0.position(name, 0).map_or_else(|| Key::Other(name.to_owned()), Key::Member))
    }
}
