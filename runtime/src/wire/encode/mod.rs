//! From models to JSON.

pub(super) mod fields;
mod properties;
pub(super) mod secrets;
pub(super) mod text;
#[cfg(feature = "record")]
pub(super) mod texts;

use std::io::Write as _;
use std::str;

use serde::ser::{Error, Serialize, Serializer};

use self::fields::{ObjectFields, lacking_tags};
pub use self::properties::{each_property, invalid};
use self::text::{enclose, json, string};
use super::exact::{self, Digits};
use super::number;
use super::reflect::as_text::placed;
use super::reflect::rules::Tag;
use super::reflect::table::{PropertyRow, Role, Table};
use super::reflect::wire::{Active, Array, Choice, Dictionary, Union, View, Wire};
use super::unknown::UnknownProperties;
use super::value::{Map, Value};

/// Encodes a value as JSON (RFC 8259), without white space.
pub fn encode(value: &dyn Wire) -> Vec<u8> {
    encode_with(value, false).json
}

/// Encodes the body of a request, which has no read-only properties (`OpenAPI` 3.1, `readOnly`).
///
/// # Errors
///
/// Fails if the value has content that is not text in memory, which JSON cannot hold, or an integer that was out of
/// range.
pub fn encode_request(value: &dyn Wire) -> Result<Vec<u8>, String> {
    encode_with(value, true).finish()
}

/// Encodes a value with its read-only properties.
///
/// # Errors
///
/// Fails as [`encode_request`] does.
pub fn encode_checked(value: &dyn Wire) -> Result<Vec<u8>, String> {
    encode_with(value, false).finish()
}

/// The reason why content cannot be written.
const BYTES: &str = "it contains an upload that is not text in memory, which JSON cannot hold";

fn encode_with(value: &dyn Wire, is_request: bool) -> Body {
    let mut body = Body { json: Vec::with_capacity(1024), is_request, fault: None };
    body.value(&Encoded { wire: value, view: &value.view(), as_text: value.is_text() });
    body
}

/// Encodes a value in any format, through JSON.
///
/// # Errors
///
/// Fails if the format does, if the value has content that is not text in memory, or an integer that was out of range.
pub fn serialize<S: Serializer>(value: &dyn Wire, serializer: S) -> Result<S::Ok, S::Error> {
    let json = encode_checked(value).map_err(S::Error::custom)?;
    let value: Value = exact::nearest(&json).map_err(S::Error::custom)?;
    value.serialize(serializer)
}

/// Returns the content of a union as JSON, and its length.
pub(super) fn properties(union: &dyn Union) -> (Map, usize) {
    let mut body = Body::default();
    body.object(|body| body.union(union, |_| false));
    (exact::nearest(&body.json).unwrap_or_default(), body.json.len())
}

/// Returns the elements of a list as JSON, and its length.
pub(super) fn elements(
    array: &dyn Array,
    as_text: bool,
    digits: &mut Digits,
) -> (Vec<Value>, usize) {
    let mut body = Body::default();
    body.list(array, as_text);
    (digits.parse(&body.json).unwrap_or_default(), body.json.len())
}

/// Returns the entries of a dictionary as JSON, and its length.
pub(super) fn entries(
    entries: &dyn Dictionary,
    as_text: bool,
    digits: &mut Digits,
) -> (Map, usize) {
    let mut body = Body::default();
    body.object(|body| body.entries(entries, as_text, |_| false));
    (digits.parse(&body.json).unwrap_or_default(), body.json.len())
}

/// A value to write.
///
/// It refers to the view: copying a view right after it was created stalls the processor.
#[derive(Clone, Copy)]
struct Encoded<'a> {
    wire: &'a dyn Wire,
    view: &'a View<'a>,
    as_text: bool,
}

/// The JSON that is being written.
#[derive(Default)]
struct Body {
    json: Vec<u8>,
    is_request: bool,
    /// The reason why the value cannot be sent. Something else is written instead of a part of it.
    fault: Option<String>,
}

impl Body {
    /// Returns the JSON, or the reason why the value cannot be sent.
    fn finish(self) -> Result<Vec<u8>, String> {
        self.fault.map_or(Ok(self.json), Err)
    }

    /// Writes a value. Most are strings or objects, which have a fast path.
    #[inline]
    fn value(&mut self, value: &Encoded<'_>) {
        match *value.view {
            View::Text(text) | View::Enum(text, _) => string(&mut self.json, text),
            View::Object => self.described_object(value.wire),
            _ => self.any_value(value),
        }
    }

    fn any_value(&mut self, value: &Encoded<'_>) {
        match *value.view {
            View::Absent => self.json.extend_from_slice(b"null"),
            View::Bool(value) => json(&mut self.json, &value),
            View::Signed(number) if value.as_text => self.quoted(&number),
            View::Unsigned(number) if value.as_text => self.quoted(&number),
            View::Wide(number) if value.as_text => self.quoted(&number),
            View::Signed(value) => json(&mut self.json, &value),
            View::Unsigned(value) => json(&mut self.json, &value),
            View::Wide(value) => json(&mut self.json, &value),
            View::F64(float) => self.float(float),
            View::Text(text) | View::Enum(text, _) => string(&mut self.json, text),
            View::Timestamp(value) => self.quoted(&value),
            // Uploads are sent in forms. JSON, which describes them as text, has those that are.
            View::Upload(upload) => {
                if let Some(Ok(text)) = upload.as_bytes().map(str::from_utf8) {
                    string(&mut self.json, text);
                } else {
                    self.fault.get_or_insert_with(|| BYTES.to_owned());
                    self.json.extend_from_slice(b"null");
                }
            }
            View::Secret(wire) => self.value(&Encoded { wire, view: &wire.view(), ..*value }),
            View::Object => self.described_object(value.wire),
            View::Union(_) => self.object(|body| body.properties(value.wire, &|_| false)),
            View::Choice(choice) => self.choice(choice),
            View::Array(array) => self.list(array, value.as_text),
            View::Dictionary(entries) => {
                self.object(|body| body.entries(entries, value.as_text, |_| false));
            }
            View::Value(value) => json(&mut self.json, value),
            View::Exact(json) => self.json.extend_from_slice(json.as_bytes()),
        }
    }

    /// Writes a value as a string that needs no escapes.
    fn quoted(&mut self, value: &dyn std::fmt::Display) {
        let written = write!(self.json, "\"{value}\"");
        debug_assert!(written.is_ok(), "writing to memory does not fail");
    }

    /// Writes a number; a whole one without a fraction.
    fn float(&mut self, value: f64) {
        if let Some(whole) = number::whole(value) {
            return json(&mut self.json, &whole);
        }
        if let Some(why) = number::refusal(value) {
            self.fault.get_or_insert_with(|| format!("it contains {why}"));
        }
        json(&mut self.json, &value);
    }

    /// Writes a list.
    fn list(&mut self, array: &dyn Array, as_text: bool) {
        self.enclosed(*b"[]", |body| {
            for wire in array.elements() {
                body.json.push(b',');
                body.value(&Encoded { wire, view: &wire.view(), as_text });
            }
        });
    }

    /// Writes an object.
    fn object(&mut self, properties: impl FnOnce(&mut Self)) {
        self.enclosed(*b"{}", properties);
    }

    /// Writes an object or a list. A comma is written before every property or element.
    #[inline]
    fn enclosed(&mut self, brackets: [u8; 2], content: impl FnOnce(&mut Self)) {
        let start = self.json.len();
        content(self);
        enclose(&mut self.json, start, brackets);
    }

    /// Writes an object with described properties.
    fn described_object(&mut self, object: &dyn Wire) {
        self.object(|body| {
            object.with_fields(|table, fields, unknown| body.fields(table, fields, unknown, None));
        });
    }

    /// Writes the value of a union. The properties that distinguish its variant are written even if the value has none.
    fn choice(&mut self, choice: &dyn Choice) {
        let (index, wire) = match choice.active() {
            Active::Unknown(value) => return json(&mut self.json, value),
            Active::Known(index, wire) => (index, wire),
        };
        let view = wire.view();
        let lacking: Vec<&Tag> = lacking_tags(choice, index, wire, &view).collect();
        if lacking.is_empty() {
            return self.value(&Encoded {
                wire,
                view: &view,
                as_text: choice.plan().is_text(index),
            });
        }
        placed(wire, choice.plan().is_text(index), |wire| {
            self.object(|body| body.tagged(&lacking, wire, &|_| false));
        });
    }

    /// Writes the properties of a value with tags that it lacks, unless they are `written` already.
    fn tagged(&mut self, lacking: &[&Tag], wire: &dyn Wire, written: &dyn Fn(&str) -> bool) {
        for tag in lacking {
            self.json.extend_from_slice(&tag.json);
        }
        self.properties(wire, &|name| written(name) || lacking.iter().any(|tag| tag.name == name));
    }

    /// Writes the properties of a value that is an object, unless they are `written` already.
    fn properties(&mut self, wire: &dyn Wire, written: &dyn Fn(&str) -> bool) {
        match wire.view() {
            View::Secret(wire) => self.properties(wire, written),
            View::Object => wire.with_fields(|table, fields, unknown| {
                self.fields(table, fields, unknown, Some(written));
            }),
            View::Choice(choice) => match choice.active() {
                Active::Unknown(Value::Object(properties)) => self.undescribed(properties, written),
                Active::Unknown(_) => {}
                Active::Known(index, wire) => {
                    let view = wire.view();
                    let lacking = lacking_tags(choice, index, wire, &view);
                    let lacking: Vec<&Tag> = lacking.filter(|tag| !written(tag.name)).collect();
                    placed(wire, choice.plan().is_text(index), |wire| {
                        self.tagged(&lacking, wire, written);
                    });
                }
            },
            View::Union(union) => {
                self.union(union, written);
                if let Active::Known(_, payload) = union.active()
                    && let Some(beside) = payload.unknown()
                {
                    self.undescribed(beside.siblings(), written);
                }
            }
            View::Dictionary(entries) => self.entries(entries, wire.is_text(), written),
            View::Value(Value::Object(properties)) => self.undescribed(properties, written),
            _ => {}
        }
    }

    /// Writes a described property.
    #[inline]
    fn property(&mut self, property: &PropertyRow, value: &Encoded<'_>) {
        self.json.extend_from_slice(&property.lead);
        self.value(value);
    }

    /// Writes a property of any name.
    fn named(&mut self, name: &str, value: &Encoded<'_>) {
        self.json.push(b',');
        string(&mut self.json, name);
        self.json.push(b':');
        self.value(value);
    }

    /// Writes undescribed properties, unless they are `written` already.
    fn undescribed(&mut self, properties: &Map, written: impl Fn(&str) -> bool) {
        for (name, value) in properties {
            if !written(name) {
                let view = &View::Value(value);
                self.named(name, &Encoded { wire: value, view, as_text: false });
            }
        }
    }

    /// Writes the properties of an object, unless they are `written` already.
    fn fields(
        &mut self,
        table: &Table,
        wires: &[&dyn Wire],
        unknown: &UnknownProperties,
        written: Option<&dyn Fn(&str) -> bool>,
    ) {
        let fields = ObjectFields {
            table: table.read(),
            wires,
            retained: unknown.retained(),
            is_request: self.is_request,
            has_null: true,
        };
        let is_written = |name: &str| written.is_some_and(|written| written(name));
        for (field, property, wire) in fields.iter() {
            let view = &if fields.is_null(field, wire) { View::Absent } else { wire.view() };
            if fields.leaves_out(field, property, wire, view) || is_written(property.name) {
                continue;
            }
            let written = |name: &str| is_written(name) || fields.writes_before(field, name);
            match (property.kind, view) {
                (Role::Property, _) => {
                    self.property(property, &Encoded { wire, view, as_text: property.as_text });
                }
                (Role::Flattened, View::Union(union)) => {
                    self.union(*union, written);
                }
                (Role::Flattened, View::Choice(_)) => {
                    self.properties(wire, &written);
                }
                (Role::Additional, View::Dictionary(entries)) => {
                    self.entries(*entries, property.as_text, |name| {
                        is_written(name) || fields.writes(name)
                    });
                }
                _ => {}
            }
        }
        if let Some(retained) = fields.retained {
            for (name, wire) in fields.undescribed(retained) {
                if !is_written(name) {
                    self.named(name, &Encoded { wire, view: &wire.view(), as_text: false });
                }
            }
            self.fault = self.fault.take().or_else(|| fields::invalid(table, wires, unknown));
        }
    }

    /// Writes the properties of a union, unless they are `written` already.
    fn union(&mut self, union: &dyn Union, written: impl Fn(&str) -> bool) {
        match union.active() {
            Active::Known(index, wire) => {
                if let Some(property) = union.table().read().properties.get(index)
                    && !written(property.name)
                {
                    let as_text = property.as_text;
                    self.property(property, &Encoded { wire, view: &wire.view(), as_text });
                }
            }
            Active::Unknown(properties) => self.undescribed(properties, written),
        }
    }

    /// Writes the entries of a dictionary whose names are not `taken`.
    fn entries(&mut self, entries: &dyn Dictionary, as_text: bool, taken: impl Fn(&str) -> bool) {
        entries.each(&mut |name, wire| {
            if !taken(name) {
                self.named(name, &Encoded { wire, view: &wire.view(), as_text });
            }
        });
    }
}
