//! Writes what views show.

use std::hash::{DefaultHasher, Hasher};

use serde::ser::{Serialize, Serializer};

use super::container::{Array, Dictionary};
use super::form::Form;
use super::json::Json;
use super::kept::{self, Kept, Step, Was};
use super::sink::{Elements, Foreign, Members, Sink};
use super::table::{Described, Member, Table};
use super::union::{Held, Union};
use super::view::{View, is_default};
use super::{Map, UnknownMembers, Value, Wire, number};

/// Encodes a value as JSON (RFC 8259), without white space.
pub fn encode(value: &dyn Wire) -> Vec<u8> {
    let mut body = Vec::with_capacity(1024);
    let Ok(()) = Encoded::whole(value, &value.view()).write(Json(&mut body));
    body
}

/// Encodes a value in any format.
///
/// # Errors
///
/// When the format fails.
pub fn serialize<S: Serializer>(value: &dyn Wire, serializer: S) -> Result<S::Ok, S::Error> {
    Encoded::whole(value, &value.view()).serialize(serializer)
}

/// Returns the value of a union's member as any value. `kept` tells how the union was spelled.
pub(super) fn to_value(payload: &dyn Wire, member: &Member, kept: &[Kept]) -> Value {
    serde_json::to_value(Encoded::payload(payload, &payload.view(), member, kept, 0))
        .unwrap_or_default()
}

/// Returns a number that tells whether a list or dictionary still holds what it held.
pub(super) fn fingerprint(view: &View<'_>) -> u64 {
    let mut text = Vec::new();
    let Ok(()) = Encoded::whole(&(), view).write(Json(&mut text));
    let mut hasher = DefaultHasher::new();
    hasher.write(&text);
    hasher.finish()
}

/// A value about to be written.
///
/// It refers to the view instead of holding it: copying a view right after it was made stalls the processor.
#[derive(Clone, Copy)]
pub(super) struct Encoded<'a> {
    wire: &'a dyn Wire,
    view: &'a View<'a>,
    form: Form,
    /// How values in it were spelled, where that is kept by an object that it is a part of.
    kept: &'a [Kept],
    /// The number of steps from that object's field to the value.
    depth: usize,
}

impl Serialize for Encoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.write(Foreign(serializer))
    }
}

impl<'a> Encoded<'a> {
    /// Returns a value that is no part of an object, or of which no object keeps how it was spelled.
    fn whole(wire: &'a dyn Wire, view: &'a View<'a>) -> Self {
        Self::field(wire, view, Form::Natural, &[])
    }

    /// Returns the value of an object's field.
    fn field(wire: &'a dyn Wire, view: &'a View<'a>, form: Form, kept: &'a [Kept]) -> Self {
        Self { wire, view, form, kept, depth: 0 }
    }

    /// Returns the value of a union's member. The union lies `depth` steps from the field of the object that keeps how
    /// it was spelled.
    fn payload(
        payload: &'a dyn Wire,
        view: &'a View<'a>,
        member: &Member,
        kept: &'a [Kept],
        depth: usize,
    ) -> Self {
        let union = Self { depth, ..Self::field(payload, view, member.form, kept) };
        union.inner(payload, view, || Step::Name(member.name.into()))
    }

    /// Returns what lies behind a step.
    fn inner(&self, wire: &'a dyn Wire, view: &'a View<'a>, step: impl FnOnce() -> Step) -> Self {
        let kept = if self.kept.is_empty() {
            self.kept
        } else {
            kept::behind(self.kept, self.depth, &step())
        };
        Self { wire, view, form: self.form, kept, depth: self.depth + 1 }
    }

    /// Returns what came for the value instead of its canonical spelling, if the value still is what it was read as.
    fn original(&self) -> Option<&'a Value> {
        let Kept { steps, was: Was::Value(original), .. } = self.kept.first()? else {
            return None;
        };
        (steps.len() == self.depth && kept::spells(original, self.wire, self.form))
            .then_some(original)
    }

    /// Returns where nulls were among the elements, if these still are what they were.
    fn nulls(&self) -> &'a [Step] {
        match self.kept.iter().find(|kept| kept.steps.len() == self.depth).map(|kept| &kept.was) {
            Some(Was::Nulls { among, at }) if *among == fingerprint(self.view) => at,
            _ => &[],
        }
    }

    /// Writes the value. Most values are texts or objects, for which the way is short.
    #[inline]
    pub(super) fn write<S: Sink>(&self, sink: S) -> Result<S::Done, S::Error> {
        match *self.view {
            View::Text(text) if self.kept.is_empty() => sink.text(text),
            View::Object if self.kept.is_empty() => described(self.wire, sink),
            _ => self.write_any(sink),
        }
    }

    fn write_any<S: Sink>(&self, sink: S) -> Result<S::Done, S::Error> {
        if let Some(original) = self.original() {
            return sink.value(original);
        }
        match *self.view {
            View::Absent => sink.null(),
            View::Bool(value) => sink.boolean(value),
            View::Signed(value) if self.form == Form::IntegerText => sink.displayed(&value),
            View::Unsigned(value) if self.form == Form::IntegerText => sink.displayed(&value),
            View::Signed(value) => sink.signed(value),
            View::Unsigned(value) => sink.unsigned(value),
            View::F32(value) => float(number::widen(value), sink),
            View::F64(value) => float(value, sink),
            View::Text(text) => sink.text(text),
            View::Timestamp(value) => sink.displayed(value),
            View::Date(value) => sink.displayed(value),
            View::Secret(inner) => {
                Encoded { wire: inner, view: &inner.view(), ..*self }.write(sink)
            }
            View::Object => described(self.wire, sink),
            View::Union(union) => {
                let mut members = sink.members()?;
                let payload = alternative(union, self.kept, self.depth, &mut members)?;
                if let Some(beside) = payload.and_then(|payload| payload.unknown()) {
                    undescribed(beside.siblings(), &mut members)?;
                }
                members.end()
            }
            View::Array(array) => self.array(array, sink),
            View::Dictionary(entries) => self.dictionary(entries, sink),
            View::Value(value) => sink.value(value),
            View::Map(map) => {
                let mut members = sink.members()?;
                undescribed(map, &mut members)?;
                members.end()
            }
        }
    }

    fn array<S: Sink>(&self, array: &dyn Array, sink: S) -> Result<S::Done, S::Error> {
        let null = Encoded::whole(&(), &View::Absent);
        let nulls = self.nulls();
        let mut elements = sink.elements(array.len() + nulls.len())?;
        let mut nulls = nulls.iter().peekable();
        let mut place = 0;
        for index in 0..array.len() {
            while nulls.next_if_eq(&&Step::Index(place)).is_some() {
                elements.element(&null)?;
                place += 1;
            }
            if let Some(element) = array.get(index) {
                let view = element.view();
                elements.element(&self.inner(element, &view, || Step::Index(index)))?;
            }
            place += 1;
        }
        for _ in nulls {
            elements.element(&null)?;
        }
        elements.end()
    }

    fn dictionary<S: Sink>(&self, entries: &dyn Dictionary, sink: S) -> Result<S::Done, S::Error> {
        let mut members = sink.members()?;
        self.entries(entries, &mut members, |_| false)?;
        for null in self.nulls() {
            if let Step::Name(name) = null
                && !entries.contains(name)
            {
                members.named(name, &Encoded::whole(&(), &View::Absent))?;
            }
        }
        members.end()
    }

    /// Writes the entries of a dictionary whose names are not `taken`.
    fn entries<M: Members>(
        &self,
        entries: &dyn Dictionary,
        members: &mut M,
        taken: impl Fn(&str) -> bool,
    ) -> Result<(), M::Error> {
        let mut outcome = Ok(());
        entries.each(&mut |name, wire| {
            if outcome.is_ok() && !taken(name) {
                let step = || Step::Name(name.to_owned().into());
                outcome = members.named(name, &Encoded { ..*self }.inner(wire, &wire.view(), step));
            }
        });
        outcome
    }
}

/// Writes an object whose members are described.
fn described<S: Sink>(object: &dyn Wire, sink: S) -> Result<S::Done, S::Error> {
    let mut members = sink.members()?;
    let mut outcome = Ok(());
    object.with_fields(|table, fields, unknown| {
        outcome = each(table, fields, unknown, &mut members);
    });
    outcome?;
    members.end()
}

fn each<M: Members>(
    table: &Table,
    slots: &[&dyn Wire],
    unknown: &UnknownMembers,
    members: &mut M,
) -> Result<(), M::Error> {
    let (table, all) = (table.read(), unknown.kept());
    for (slot, (member, wire)) in table.members.iter().zip(slots).enumerate() {
        let kept = if all.is_empty() { all } else { kept::of(all, slot) };
        match wire.view() {
            View::Absent if all.is_empty() && !member.required => {}
            View::Absent if member.group => {}
            View::Union(union) if member.group => {
                alternative(union, kept, 0, members)?;
            }
            _ if !all.is_empty() && is_left_out(*wire, kept, member.required) => {}
            ref view => {
                members.described(member, &Encoded::field(*wire, view, member.form, kept))?;
            }
        }
    }
    if table.additional.is_none() && unknown.holds_nothing() {
        return Ok(());
    }
    rest(table, slots, unknown, members)
}

/// Writes the members of an object that are not described. Most objects have none, and are written faster without this.
#[inline(never)]
fn rest<M: Members>(
    table: &Described,
    slots: &[&dyn Wire],
    unknown: &UnknownMembers,
    members: &mut M,
) -> Result<(), M::Error> {
    let slot = table.members.len();
    if let (Some(additional), Some(wire)) = (&table.additional, slots.get(slot)) {
        let taken = |name: &str| {
            let described = table.position(name, 0).and_then(|slot| slots.get(slot));
            described.is_some_and(|wire| !wire.view().is_absent())
        };
        match wire.view() {
            ref view @ View::Dictionary(entries) => {
                let kept = kept::of(unknown.kept(), slot);
                Encoded::field(*wire, view, additional.form, kept)
                    .entries(entries, members, taken)?;
            }
            View::Map(map) => {
                for (name, value) in map.iter().filter(|(name, _)| !taken(name)) {
                    members.named(name, &Encoded::whole(value, &View::Value(value)))?;
                }
            }
            _ => {}
        }
    }
    undescribed(unknown.members(), members)
}

/// Writes what a union holds, as members of the object around, and returns the value of a known member.
fn alternative<'a, M: Members>(
    union: &'a dyn Union,
    kept: &[Kept],
    depth: usize,
    members: &mut M,
) -> Result<Option<&'a dyn Wire>, M::Error> {
    match union.held() {
        Held::Known(member, payload) => {
            let view = payload.view();
            let value = Encoded::payload(payload, &view, member, kept, depth);
            members.described(member, &value)?;
            Ok(Some(payload))
        }
        Held::Unknown(unknown) => {
            undescribed(unknown, members)?;
            Ok(None)
        }
    }
}

/// Writes members of which nothing is described.
fn undescribed<M: Members>(map: &Map, members: &mut M) -> Result<(), M::Error> {
    map.iter().try_for_each(|(name, value)| {
        members.named(name, &Encoded::whole(value, &View::Value(value)))
    })
}

/// Tells whether a member is not written, because it is absent or was missing and still is what it was then.
fn is_left_out(wire: &dyn Wire, kept: &[Kept], required: bool) -> bool {
    let own = kept.first().filter(|kept| kept.steps.is_empty());
    match own.map(|kept| &kept.was) {
        Some(Was::Missing) => is_default(wire),
        Some(Was::Value(original)) if kept::spells(original, wire, Form::Natural) => false,
        _ => wire.view().is_absent() && !required,
    }
}

/// Writes a number, without a fraction if it has none.
fn float<S: Sink>(value: f64, sink: S) -> Result<S::Done, S::Error> {
    match number::whole(value) {
        Some(whole) => sink.signed(whole),
        None => sink.float(value),
    }
}
