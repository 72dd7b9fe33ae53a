//! Writes what views show.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::container::{Array, Dictionary};
use super::form::Form;
use super::json::Json;
use super::kept::{self, Kept, Step, Was};
use super::object::{Object, Table};
use super::union::{Active, Union};
use super::view::View;
use super::{Map, UnknownMembers, Value, Wire, number};

/// Encodes a value as JSON (RFC 8259), without white space.
pub fn encode(value: &dyn Wire) -> Vec<u8> {
    let mut body = Vec::with_capacity(128);
    let written = serialize(value, Json(&mut body));
    debug_assert!(
        written.is_ok(),
        "memory takes whatever is written, and views show nothing foreign"
    );
    body
}

/// Encodes a value in any format.
///
/// # Errors
///
/// When the format fails.
pub fn serialize<S: Serializer>(value: &dyn Wire, serializer: S) -> Result<S::Ok, S::Error> {
    Encoded {
        view: &value.view(),
        form: Form::Natural,
        kept: &[],
        depth: 0,
    }
    .serialize(serializer)
}

/// Returns a value as any value. `kept` tells how it was spelled.
pub(super) fn to_value(view: View<'_>, form: Form, kept: &[Kept]) -> Value {
    serde_json::to_value(Encoded {
        view: &view,
        form,
        kept,
        depth: 0,
    })
    .unwrap_or_default()
}

/// A value about to be written.
struct Encoded<'a> {
    view: &'a View<'a>,
    form: Form,
    /// How values in it were spelled, where that is kept by an object that it is a part of.
    kept: &'a [Kept],
    /// The number of steps from that object's field to the value.
    depth: usize,
}

impl Serialize for Encoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(Kept {
            steps,
            was: Was::Value(original),
            ..
        }) = self.kept.first()
            && steps.len() == self.depth
            && kept::spells(original, *self.view, self.form)
        {
            return original.serialize(serializer);
        }
        match *self.view {
            View::Absent => serializer.serialize_unit(),
            View::Bool(value) => serializer.serialize_bool(value),
            View::Signed(value) if self.form == Form::IntegerText => serializer.collect_str(&value),
            View::Unsigned(value) if self.form == Form::IntegerText => {
                serializer.collect_str(&value)
            }
            View::Signed(value) => serializer.serialize_i64(value),
            View::Unsigned(value) => serializer.serialize_u64(value),
            View::F32(value) => float(number::widen(value), serializer),
            View::F64(value) => float(value, serializer),
            View::Text(text) => serializer.serialize_str(text),
            View::Timestamp(value) => serializer.collect_str(value),
            View::Date(value) => serializer.collect_str(value),
            View::Secret(inner) => Encoded {
                view: &inner.view(),
                ..*self
            }
            .serialize(serializer),
            View::Object(object) => {
                let mut map = serializer.serialize_map(None)?;
                members(object, &mut map)?;
                map.end()
            }
            View::Union(union) => {
                let mut map = serializer.serialize_map(None)?;
                alternative(union, self.kept, self.depth, &mut map)?;
                if let Active::Known(_, payload) = union.active()
                    && let View::Object(object) = payload.view()
                {
                    entries(object.unknown().siblings(), &mut map)?;
                }
                map.end()
            }
            View::Array(array) => self.array(array, serializer),
            View::Dictionary(entries) => self.dictionary(entries, serializer),
            View::Value(value) => value.serialize(serializer),
            View::Map(map) => map.serialize(serializer),
        }
    }
}

impl<'a> Encoded<'a> {
    /// Returns what lies behind a step.
    fn inner(&self, view: &'a View<'a>, step: impl FnOnce() -> Step) -> Self {
        let kept = if self.kept.is_empty() {
            self.kept
        } else {
            kept::behind(self.kept, self.depth, &step())
        };
        Self {
            view,
            form: self.form,
            kept,
            depth: self.depth + 1,
        }
    }

    /// Returns where nulls were among `len` elements.
    fn nulls(&self, len: usize) -> &'a [Step] {
        match self.kept.iter().find(|kept| kept.steps.len() == self.depth) {
            Some(Kept {
                was: Was::Nulls { len: then, at },
                ..
            }) if *then == len => at,
            _ => &[],
        }
    }

    fn array<S: Serializer>(&self, array: &'a dyn Array, serializer: S) -> Result<S::Ok, S::Error> {
        let nulls = self.nulls(array.len());
        let mut seq = serializer.serialize_seq(Some(array.len() + nulls.len()))?;
        let mut nulls = nulls.iter().peekable();
        let mut place = 0;
        for index in 0..array.len() {
            while nulls.next_if_eq(&&Step::Index(place)).is_some() {
                seq.serialize_element(&())?;
                place += 1;
            }
            if let Some(element) = array.get(index) {
                match element.view() {
                    View::Text(text) if self.kept.is_empty() => seq.serialize_element(text)?,
                    ref view => seq.serialize_element(&self.inner(view, || Step::Index(index)))?,
                }
            }
            place += 1;
        }
        for _ in nulls {
            seq.serialize_element(&())?;
        }
        seq.end()
    }

    fn dictionary<S: Serializer>(
        &self,
        entries: &dyn Dictionary,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut outcome = Ok(());
        entries.each(&mut |name, wire| {
            if outcome.is_ok() {
                let value = wire.view();
                let entry =
                    Encoded { ..*self }.inner(&value, || Step::Name(name.to_owned().into()));
                outcome = map.serialize_entry(name, &entry);
            }
        });
        outcome?;
        for null in self.nulls(entries.len()) {
            if let Step::Name(name) = null
                && !entries.contains(name)
            {
                map.serialize_entry(name, &())?;
            }
        }
        map.end()
    }
}

/// Writes the members of an object whose members are described.
fn members<M: SerializeMap>(object: &dyn Object, map: &mut M) -> Result<(), M::Error> {
    let (table, unknown) = (object.table(), object.unknown());
    let mut outcome = Ok(());
    object.slots(&mut |slots| outcome = fields(table, slots, unknown, map));
    outcome
}

fn fields<M: SerializeMap>(
    table: &Table,
    slots: &[&dyn Wire],
    unknown: &UnknownMembers,
    map: &mut M,
) -> Result<(), M::Error> {
    let all = unknown.kept();
    for (slot, (member, wire)) in table.members.iter().zip(slots).enumerate() {
        let kept = if all.is_empty() {
            all
        } else {
            kept::of(all, slot)
        };
        match wire.view() {
            View::Text(text) if kept.is_empty() => map.serialize_entry(member.name, text)?,
            View::Absent if !member.required && kept.is_empty() => {}
            View::Union(union) if member.group => alternative(union, kept, 0, map)?,
            ref view => {
                if !is_left_out(view, kept, member.required) {
                    map.serialize_entry(
                        member.name,
                        &Encoded {
                            view,
                            form: member.form,
                            kept,
                            depth: 0,
                        },
                    )?;
                }
            }
        }
    }
    if let (Some(additional), Some(wire)) =
        (table.additional.first(), slots.get(table.members.len()))
    {
        let slot = table.members.len();
        let taken = |name: &str| {
            let slot = table.position(name, 0).and_then(|slot| slots.get(slot));
            slot.is_some_and(|wire| !wire.view().is_absent())
        };
        match wire.view() {
            View::Dictionary(entries) => {
                let kept = kept::of(all, slot);
                let mut outcome = Ok(());
                entries.each(&mut |name, wire| {
                    if outcome.is_ok() && !taken(name) {
                        let value = wire.view();
                        let whole = Encoded {
                            view: &value,
                            form: additional.form,
                            kept,
                            depth: 0,
                        };
                        let entry = whole.inner(&value, || Step::Name(name.to_owned().into()));
                        outcome = map.serialize_entry(name, &entry);
                    }
                });
                outcome?;
            }
            View::Map(entries) => {
                for (name, value) in entries.iter().filter(|(name, _)| !taken(name)) {
                    map.serialize_entry(name, value)?;
                }
            }
            _ => {}
        }
    }
    entries(unknown.members(), map)
}

/// Writes what a union holds, as members of the object around.
fn alternative<M: SerializeMap>(
    union: &dyn Union,
    kept: &[Kept],
    depth: usize,
    map: &mut M,
) -> Result<(), M::Error> {
    match union.active() {
        Active::Known(member, payload) => map.serialize_entry(
            member.name,
            &Encoded {
                view: &payload.view(),
                form: member.form,
                kept,
                depth,
            },
        ),
        Active::Unknown(members) => entries(members, map),
    }
}

/// Writes members of which nothing is described.
fn entries<M: SerializeMap>(members: &Map, map: &mut M) -> Result<(), M::Error> {
    members
        .iter()
        .try_for_each(|(name, value)| map.serialize_entry(name, value))
}

/// Tells whether a member is not written, because it is absent or was missing and still is what it was then.
fn is_left_out(view: &View<'_>, kept: &[Kept], required: bool) -> bool {
    match kept.first().map(|kept| &kept.was) {
        Some(Was::Missing) => view.is_default(),
        Some(Was::Value(original)) if kept::spells(original, *view, Form::Natural) => false,
        _ => view.is_absent() && !required,
    }
}

/// Writes a number, without a fraction if it has none.
fn float<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    match number::whole(value) {
        Some(whole) => serializer.serialize_i64(whole),
        None => serializer.serialize_f64(value),
    }
}
