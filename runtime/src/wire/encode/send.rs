//! Values as they are written, for any format: the one place that knows tags, unions beside fields, nulls, and retained
//! properties that replace described ones.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;

use super::fields::{self, Mode, ObjectFields, lacking_tags};
use super::{number, text};
use crate::wire::reflect::plan::Tag;
use crate::wire::reflect::table::{PropertyRow, Role};
use crate::wire::reflect::wire::{Active, Choice, Fields, Union, View, Wire};
use crate::wire::value::{Map, Value};

/// A value that is written.
///
/// It refers to the view: copying a view right after it was created stalls the processor.
#[derive(Clone, Copy)]
pub struct SentValue<'v, 'a> {
    pub wire: &'a dyn Wire,
    pub view: &'v View<'a>,
    pub as_text: bool,
}

/// The name of a property, with what describes it.
#[derive(Clone, Copy)]
pub enum PropertyName<'a> {
    Row(&'static PropertyRow),
    /// A constant that distinguishes the variant of a union.
    Tag(&'static Tag),
    /// No description, or that of all entries of a dictionary.
    Other(&'a str),
    /// None: an element of a list.
    Element,
}

/// A value without parts, other than text, or JSON, as it is written.
pub enum SentScalar<'s> {
    /// A text without characters to escape.
    Plain(&'s dyn Display),
    Integer(i128),
    Json(&'s Value),
    /// JSON with its digits.
    Exact(&'s str),
}

impl<'v, 'a> SentValue<'v, 'a> {
    pub fn of(wire: &'a dyn Wire, view: &'v View<'a>) -> Self {
        Self { wire, view, as_text: wire.is_text() }
    }
}

impl<'a> PropertyName<'a> {
    pub fn text(self) -> &'a str {
        match self {
            Self::Row(row) => row.name,
            Self::Tag(tag) => tag.name,
            Self::Other(name) => name,
            Self::Element => "",
        }
    }
}

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

/// What takes the properties of an object.
pub trait PropertySink<'a> {
    fn mode(&self) -> Mode;
    fn property(&mut self, name: PropertyName<'a>, value: &SentValue<'_, 'a>);

    /// Takes the reason why a value cannot be sent.
    fn fault(&mut self, why: String);
}

/// What takes values.
pub trait ValueSink<'a>: PropertySink<'a> {
    fn text(&mut self, text: &str);
    fn scalar(&mut self, scalar: SentScalar<'_>);
    fn list(&mut self, elements: impl FnOnce(&mut Self));
    fn object(&mut self, properties: impl FnOnce(&mut Self));
}

/// Writes a value. Most are strings or objects, which have a fast path.
#[inline]
pub fn write<'a>(value: &SentValue<'_, 'a>, sink: &mut impl ValueSink<'a>) {
    match *value.view {
        View::Text(text) | View::Enum(text, _) => sink.text(text),
        View::Object => write_object(value.wire, sink),
        _ => write_other(value, sink),
    }
}

fn write_object<'a>(value: &'a dyn Wire, sink: &mut impl ValueSink<'a>) {
    sink.object(|sink| object(value, sink));
}

fn write_other<'a>(value: &SentValue<'_, 'a>, sink: &mut impl ValueSink<'a>) {
    match *value.view {
        View::Absent => sink.scalar(SentScalar::Json(&Value::Null)),
        View::Bool(value) => sink.scalar(SentScalar::Json(&value.into())),
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
        View::Choice(choice) => {
            let chosen = Chosen::of(choice);
            if chosen.lacking.is_empty() {
                write(&chosen.encoded(&chosen.wire.view()), sink);
            } else {
                sink.object(|sink| {
                    chosen.send(sink);
                });
            }
        }
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

/// Writes a value, or null if it cannot be sent.
fn checked<'a>(value: Result<Cow<'_, Value>, String>, sink: &mut impl ValueSink<'a>) {
    let value = value.unwrap_or_else(|why| {
        sink.fault(why);
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
    object.fields(Fields(&mut |table, wires, unknown| {
        let table = table.read();
        let retained = unknown.retained();
        let fields = ObjectFields { table, wires, retained, mode: sink.mode() };
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
                sink.fault(why);
            }
        }
    }));
}

/// Sends the property of a union.
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
    fn mode(&self) -> Mode {
        self.sink.mode()
    }

    fn property(&mut self, name: PropertyName<'a>, value: &SentValue<'_, 'a>) {
        if !(self.is_written)(name.text()) {
            self.sink.property(name, value);
        }
    }

    fn fault(&mut self, why: String) {
        self.sink.fault(why);
    }
}

/// Calls `visit` with the name and the value of each property, and whether a type describes it. Returns whether the value
/// is an object.
///
/// # Errors
///
/// Fails if the object cannot be sent.
pub fn each_property<'a>(
    value: &'a dyn Wire,
    mode: Mode,
    visit: impl FnMut(&'a str, &SentValue<'_, 'a>, bool),
) -> Result<bool, String> {
    let mut properties = EachProperty { mode, visit, fault: None };
    let is_object = send(&SentValue::of(value, &value.view()), &mut properties);
    properties.fault.map_or(Ok(is_object), Err)
}

struct EachProperty<F> {
    mode: Mode,
    visit: F,
    fault: Option<String>,
}

impl<'a, F: FnMut(&'a str, &SentValue<'_, 'a>, bool)> PropertySink<'a> for EachProperty<F> {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn property(&mut self, name: PropertyName<'a>, value: &SentValue<'_, 'a>) {
        (self.visit)(name.text(), value, !matches!(name, PropertyName::Other(_)));
    }

    fn fault(&mut self, why: String) {
        self.fault.get_or_insert(why);
    }
}
