//! Values as they are written, for any format: the one place that knows tags, unions beside fields, nulls, and retained
//! properties that replace described ones. Which of these do is known by the JSON of their fields, so JSON is here.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::Write as _;
use std::str;

use serde_json::Number;
use wire_rules::number;

use super::fields::{self, additional, lacking_tags};
use super::sink::{Mode, PropertyName, PropertySink, SentScalar, SentValue, ValueSink, Walk};
use super::text::{enclose, json, string};
use crate::wire::reflect::plan::Tag;
use crate::wire::reflect::table::{Described, Presence, PropertyRow, Role};
use crate::wire::reflect::wire::{Active, Choice, Union, View, Wire};
use crate::wire::unknown::{Missing, Retained};
use crate::wire::upload::Upload;
use crate::wire::value::{Map, Value};

/// The value of a union of values.
pub struct Chosen<'a> {
    pub wire: &'a dyn Wire,
    as_text: bool,
    /// The tags of its variant that it has none of. They are sent with it.
    pub lacking: Vec<&'static Tag>,
}

impl<'a> Chosen<'a> {
    pub fn of(choice: &'a dyn Choice) -> Self {
        match choice.active() {
            Active::Unknown(wire) => Self { wire, as_text: false, lacking: Vec::new() },
            Active::Known(index, wire) => {
                let lacking = lacking_tags(choice, index, wire, &wire.view()).collect();
                Self { wire, as_text: choice.plan().is_text(index), lacking }
            }
        }
    }

    pub fn encoded<'v>(&self, view: &'v View<'a>) -> SentValue<'v, 'a> {
        SentValue { wire: self.wire, view, as_text: self.as_text }
    }

    /// Sends the properties of the value after the tags that it lacks, and returns whether it is an object.
    pub fn send(&self, sink: &mut impl PropertySink<'a>) -> bool {
        let view = &self.wire.view();
        let value = self.encoded(view);
        if self.lacking.is_empty() {
            return send(&value, sink);
        }
        for tag in &self.lacking {
            let view = &View::Value(&tag.value);
            sink.property(PropertyName::Tag(tag), &SentValue::of(&tag.value, view));
        }
        let mut is_written = |name: &str| self.lacking.iter().any(|tag| tag.name == name);
        send(&value, &mut Unwritten { sink, is_written: &mut is_written })
    }
}

/// Writes a value. Most are strings, objects or unions, which have a fast path.
#[expect(clippy::inline_always, reason = "a call for each property costs 4 % of the time")]
#[inline(always)]
pub fn write<'a>(value: &SentValue<'_, 'a>, sink: &mut impl ValueSink<'a>) {
    match *value.view {
        View::Text(text) | View::Enum(text, _) => sink.text(text),
        View::Object => write_object(value.wire, sink),
        View::Choice(choice) => write_choice(choice, sink),
        _ => write_other(value, sink),
    }
}

#[inline(never)]
fn write_object<'a>(value: &'a dyn Wire, sink: &mut impl ValueSink<'a>) {
    sink.object(|sink| object(value, sink));
}

#[inline(never)]
fn write_other<'a>(value: &SentValue<'_, 'a>, sink: &mut impl ValueSink<'a>) {
    match *value.view {
        View::Absent => sink.scalar(SentScalar::Exact("null")),
        View::Bool(value) => sink.scalar(SentScalar::Exact(if value { "true" } else { "false" })),
        View::Integer(number) if value.as_text => sink.scalar(SentScalar::Plain(&number)),
        View::Integer(number) => sink.scalar(SentScalar::Integer(number)),
        View::F64(float) => checked(number(float).map(|it| Cow::Owned(it.into())), sink),
        View::Text(text) | View::Enum(text, _) => sink.text(text),
        View::Scalar(value) => sink.scalar(SentScalar::Plain(&value)),
        View::Own(value) => checked(value.sent(), sink),
        // Uploads are sent in forms. JSON, which describes them as text, has those that are.
        View::Upload(upload) => checked(text(upload).map(|it| Cow::Owned(it.into())), sink),
        View::Secret(wire) => write(&SentValue { wire, view: &wire.view(), ..*value }, sink),
        View::Object | View::Union(_) | View::Dictionary(_) => sink.object(|sink| {
            send(value, sink);
        }),
        View::Choice(choice) => write_choice(choice, sink),
        View::Array(array) => sink.list(|sink| {
            for wire in array.elements() {
                let element = SentValue { wire, view: &wire.view(), ..*value };
                sink.property(PropertyName::Element, &element);
            }
        }),
        View::Value(value) => sink.scalar(SentScalar::Json(value)),
        View::Exact(json) => sink.scalar(SentScalar::Exact(json)),
    }
}

#[inline(never)]
fn write_choice<'a>(choice: &'a dyn Choice, sink: &mut impl ValueSink<'a>) {
    let chosen = Chosen::of(choice);
    if chosen.lacking.is_empty() {
        return write(&chosen.encoded(&chosen.wire.view()), sink);
    }
    sink.object(|sink| {
        chosen.send(sink);
    });
}

/// Writes a value, or null if it cannot be sent.
fn checked<'a>(value: Result<Cow<'_, Value>, String>, sink: &mut impl ValueSink<'a>) {
    let value = value.unwrap_or_else(|why| {
        sink.walk().fail(why);
        Cow::Owned(Value::Null)
    });
    sink.scalar(SentScalar::Json(&value));
}

/// Sends the properties of a value that are written, and returns whether it is an object. Null is one without properties.
pub fn send<'a>(value: &SentValue<'_, 'a>, sink: &mut impl PropertySink<'a>) -> bool {
    match *value.view {
        View::Secret(wire) => return send(&SentValue { wire, view: &wire.view(), ..*value }, sink),
        View::Object => object(value.wire, sink),
        View::Union(union) => {
            alternative(union, sink);
            if let Active::Known(_, payload) = union.active() {
                undescribed(payload.unknown().siblings(), sink);
            }
        }
        View::Choice(choice) => return Chosen::of(choice).send(sink),
        View::Dictionary(entries) => entries.each(&mut |name, wire| {
            let value = SentValue { wire, view: &wire.view(), as_text: value.as_text };
            sink.property(PropertyName::Other(name), &value);
        }),
        View::Value(Value::Object(properties)) => undescribed(properties, sink),
        View::Absent | View::Value(Value::Null) => {}
        _ => return false,
    }
    true
}

/// Sends the properties of an object with described properties.
#[inline]
pub fn object<'a>(object: &'a dyn Wire, sink: &mut impl PropertySink<'a>) {
    // Without a result, which would cost 4 % of the time.
    object.fields(&mut |table, wires, unknown| {
        let table = table.read();
        let retained = unknown.retained();
        let fields = ObjectFields { table, wires, retained, mode: sink.walk().mode };
        let mut of_unions = BTreeSet::new();
        for (field, property, wire) in fields.iter() {
            let view = &if fields.is_null(field, wire) { View::Absent } else { wire.view() };
            if fields.leaves_out(field, property, wire, view) {
                continue;
            }
            let value = SentValue { wire, view, as_text: property.as_text };
            if property.kind == Role::Property {
                sink.property(PropertyName::Row(property), &value);
            } else {
                // The object itself writes a property, else the first of its unions that has it.
                let is_last = field + 1 == wires.len();
                let mut is_written = |name| {
                    fields.writes(name)
                        || if is_last { of_unions.contains(name) } else { !of_unions.insert(name) }
                };
                let sink = &mut Unwritten { sink, is_written: &mut is_written };
                if let View::Union(union) = view {
                    alternative(*union, sink);
                } else {
                    send(&value, sink);
                }
            }
        }
        if let Some(retained) = retained {
            for (name, wire) in fields.undescribed(retained) {
                sink.property(PropertyName::Other(name), &SentValue::of(wire, &wire.view()));
            }
            if let Some(why) = fields::invalid(table, wires, unknown) {
                sink.walk().fail(why);
            }
        }
    });
}

fn alternative<'a>(union: &'a dyn Union, sink: &mut impl PropertySink<'a>) {
    match union.active() {
        Active::Known(index, wire) => {
            if let Some(property) = union.table().read().properties.get(index) {
                let value = SentValue { wire, view: &wire.view(), as_text: property.as_text };
                sink.property(PropertyName::Row(property), &value);
            }
        }
        Active::Unknown(properties) => undescribed(properties, sink),
    }
}

fn undescribed<'a>(properties: &'a Map, sink: &mut impl PropertySink<'a>) {
    for (name, value) in properties {
        sink.property(PropertyName::Other(name), &SentValue::of(value, &View::Value(value)));
    }
}

/// A sink of the properties that are not written already.
struct Unwritten<'s, 'a> {
    sink: &'s mut dyn PropertySink<'a>,
    is_written: &'s mut dyn FnMut(&'a str) -> bool,
}

impl<'a> PropertySink<'a> for Unwritten<'_, 'a> {
    fn walk(&mut self) -> &mut Walk {
        self.sink.walk()
    }

    fn property(&mut self, name: PropertyName<'a>, value: &SentValue<'_, 'a>) {
        if !(self.is_written)(name.text()) {
            self.sink.property(name, value);
        }
    }
}

/// The fields of an object that is being written.
struct ObjectFields<'w, 'a> {
    pub table: &'static Described,
    pub wires: &'w [&'a dyn Wire],
    pub retained: Option<&'a Retained>,
    pub mode: Mode,
}

impl<'a> ObjectFields<'_, 'a> {
    /// Returns the fields with their indices and properties.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &'static PropertyRow, &'a dyn Wire)> {
        let fields = self.table.properties.iter().zip(self.wires).enumerate();
        fields.map(|(field, (property, wire))| (field, property, *wire))
    }

    /// Returns whether a field is null: its property was, and it still has no value, or the default of its type.
    #[inline]
    pub fn is_null(&self, field: usize, wire: &dyn Wire) -> bool {
        self.retained.is_some_and(|retained| {
            retained.missing.get(&field) == Some(&Missing::Null) && wire.is_unset()
        })
    }

    /// Returns whether the property of a field is not written: it is read-only, has no value, was missing and still has the
    /// default of its type, or is replaced by an undescribed property with the same name.
    #[inline]
    pub fn leaves_out(
        &self,
        field: usize,
        property: &PropertyRow,
        wire: &dyn Wire,
        view: &View<'_>,
    ) -> bool {
        property.read_only && self.is_request()
            || view.is_absent()
                && (self.mode == Mode::Form
                    || property.presence != Presence::Required
                        && (self.mode == Mode::Compared || !self.is_null(field, wire)))
            || self.retained.is_some_and(|retained| {
                self.mode != Mode::Compared
                    && retained.missing.get(&field) == Some(&Missing::Absent)
                    && wire.is_unset()
                    || property.kind == Role::Property && self.is_replaced(property.name)
            })
    }

    /// Returns whether an undescribed property is written instead of a described one.
    fn is_replaced(&self, name: &str) -> bool {
        self.mode != Mode::Fields
            && self.retained.is_some_and(|retained| retained.overrides(name))
            && !self.is_outdated(name)
    }

    /// Returns the undescribed properties that are written.
    pub fn undescribed(
        &self,
        retained: &'a Retained,
    ) -> impl Iterator<Item = (&'a str, &'a dyn Wire)> {
        let written = retained.properties.iter().filter(|(name, _)| !self.is_outdated(name));
        written.map(|(name, value)| (name.as_str(), fields::undescribed(retained, name, value)))
    }

    /// Returns whether an undescribed property is not written, because its field is set, or is read-only and could not
    /// hold it.
    fn is_outdated(&self, name: &str) -> bool {
        // Of fields that are compared with what they were, those within them are not.
        let retained = self.retained.filter(|_| self.mode != Mode::Fields);
        let Some(unfit) = retained.and_then(|retained| retained.unfit.get(name)) else {
            return false;
        };
        let described = self.table.position(name, 0);
        if self.is_request()
            && described.and_then(|it| self.table.properties.get(it)).is_some_and(|it| it.read_only)
        {
            return true;
        }
        let field = match described {
            Some(field) => self.wires.get(field).copied(),
            None => additional(self.table, self.wires).and_then(|entries| entries.get(name)),
        };
        match (field, unfit.stand_in) {
            (field, Some(received)) => field.is_none_or(|field| fingerprint(field) != received),
            (Some(field), None) => described.is_none() || !field.is_unset(),
            (None, None) => false,
        }
    }

    fn is_request(&self) -> bool {
        matches!(self.mode, Mode::Request | Mode::Form)
    }

    /// Returns whether the object itself writes a property: by its field, or by a retained property that replaces the
    /// described one.
    pub fn writes(&self, name: &str) -> bool {
        let field = self.table.position(name, 0).and_then(|field| self.iter().nth(field));
        self.is_replaced(name)
            || field.is_some_and(|(field, property, wire)| {
                !self.leaves_out(field, property, wire, &wire.view())
            })
    }
}

/// The JSON that is being written.
#[derive(Default)]
pub struct JsonSink {
    pub json: Vec<u8>,
    pub walk: Walk,
}

impl JsonSink {
    /// Writes an object or a list. A comma is written before every property or element.
    #[inline]
    fn enclosed(&mut self, brackets: [u8; 2], content: impl FnOnce(&mut Self)) {
        let start = self.json.len();
        content(self);
        enclose(&mut self.json, start, brackets);
    }
}

impl ValueSink<'_> for JsonSink {
    #[inline]
    fn text(&mut self, text: &str) {
        string(&mut self.json, text);
    }

    #[expect(clippy::inline_always, reason = "a second match on the kind costs 3 % of the time")]
    #[inline(always)]
    fn scalar(&mut self, scalar: SentScalar<'_>) {
        match scalar {
            SentScalar::Plain(text) => {
                let written = write!(self.json, "\"{text}\"");
                debug_assert!(written.is_ok(), "writing to memory does not fail");
            }
            SentScalar::Integer(number) => match i64::try_from(number) {
                Ok(number) => json(&mut self.json, &number),
                Err(_) => json(&mut self.json, &number),
            },
            SentScalar::Json(value) => json(&mut self.json, value),
            SentScalar::Exact(json) => self.json.extend_from_slice(json.as_bytes()),
        }
    }

    #[inline]
    fn list(&mut self, elements: impl FnOnce(&mut Self)) {
        self.enclosed(*b"[]", elements);
    }

    #[inline]
    fn object(&mut self, properties: impl FnOnce(&mut Self)) {
        self.enclosed(*b"{}", properties);
    }
}

impl<'a> PropertySink<'a> for JsonSink {
    #[inline]
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    #[expect(clippy::inline_always, reason = "a call for each property costs 4 % of the time")]
    #[inline(always)]
    fn property(&mut self, name: PropertyName<'a>, value: &SentValue<'_, 'a>) {
        match name {
            PropertyName::Row(property) => self.json.extend_from_slice(&property.lead),
            PropertyName::Tag(tag) => return self.json.extend_from_slice(&tag.json),
            PropertyName::Other(name) => {
                self.json.push(b',');
                string(&mut self.json, name);
                self.json.push(b':');
            }
            PropertyName::Element => self.json.push(b','),
        }
        write(value, self);
    }
}

/// Encodes a value as JSON.
pub fn encode_with(value: &dyn Wire, mode: Mode) -> JsonSink {
    let mut body = JsonSink { json: Vec::with_capacity(1024), walk: Walk::new(mode) };
    write(&SentValue::of(value, &value.view()), &mut body);
    body
}

/// Returns a number that equal values of a type share: that of the JSON of all fields and of what is retained beside them.
pub(in crate::wire) fn fingerprint(value: &dyn Wire) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(&encode_with(value, Mode::Fields).json);
    hasher.finish()
}

/// Returns a float as it is written: a whole number without a fraction.
///
/// # Errors
///
/// Fails if it is NaN or infinite.
fn number(float: f64) -> Result<Number, String> {
    match (number::whole(float), number::refusal(float)) {
        (Some(whole), _) => Ok(whole.into()),
        (None, Some(why)) => Err(format!("it contains {why}")),
        (None, None) => Ok(Number::from_f64(float).unwrap_or_else(|| 0.into())),
    }
}

/// Returns the text of an upload.
///
/// # Errors
///
/// Fails if it is not text in memory.
fn text(upload: &Upload) -> Result<&str, String> {
    let text = upload.as_bytes().and_then(|bytes| str::from_utf8(bytes).ok());
    text.ok_or_else(|| {
        "it contains an upload that is not text in memory, which JSON cannot hold".to_owned()
    })
}
