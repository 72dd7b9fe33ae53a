//! From models to JSON.

mod original;
pub(super) mod text;

use std::io::Write as _;

use serde::ser::{Error, Serialize, Serializer};

use self::original::reads_as;
use self::text::{json, string};
use super::fingerprint;
use super::number;
use super::reflect::table::{Described, Format, Kind, Property, Table};
use super::reflect::wire::{Active, Array, Dictionary, Union, View, Wire};
use super::retain::original::Original;
use super::retain::unknown::{Retained, UnknownProperties};
use super::value::{Map, Value};

/// Encodes a value as JSON (RFC 8259), without white space.
pub fn encode(value: &dyn Wire) -> Vec<u8> {
    written(value, false)
}

/// Encodes the body of a request, which has no read-only properties (`OpenAPI` 3.1, `readOnly`).
pub fn encode_request(value: &dyn Wire) -> Vec<u8> {
    written(value, true)
}

fn written(value: &dyn Wire, is_request: bool) -> Vec<u8> {
    let mut body = Body { json: Vec::with_capacity(1024), is_request };
    Encoded::plain(value, &value.view()).write(&mut body);
    body.json
}

/// Encodes a value in any format, by way of JSON.
///
/// # Errors
///
/// Fails if the format does.
pub fn serialize<S: Serializer>(value: &dyn Wire, serializer: S) -> Result<S::Ok, S::Error> {
    let value: Value = serde_json::from_slice(&encode(value)).map_err(S::Error::custom)?;
    value.serialize(serializer)
}

/// Returns the content of a union as JSON, and its length.
pub(super) fn properties(union: &dyn Union, original: Option<&Original>) -> (Map, usize) {
    let mut body = Body { json: Vec::new(), is_request: false };
    let mut object = Object::open(&mut body);
    object.union(union, original);
    object.close();
    (serde_json::from_slice(&body.json).unwrap_or_default(), body.json.len())
}

/// The JSON that is being written.
struct Body {
    json: Vec<u8>,
    is_request: bool,
}

/// A value to write.
///
/// It refers to the view: copying a view right after it was created stalls the processor.
#[derive(Clone, Copy)]
struct Encoded<'a> {
    wire: &'a dyn Wire,
    view: &'a View<'a>,
    format: Format,
    /// How the value was written when it was decoded.
    original: Option<&'a Original>,
}

impl<'a> Encoded<'a> {
    /// Returns a value with the natural format of its type.
    fn plain(wire: &'a dyn Wire, view: &'a View<'a>) -> Self {
        Self { wire, view, format: Format::Natural, original: None }
    }

    /// Writes the value. Most are strings or objects, which have a fast path.
    #[inline]
    fn write(&self, body: &mut Body) {
        match *self.view {
            View::Text(text) if self.original.is_none() => string(&mut body.json, text),
            View::Object if self.original.is_none() => object(self.wire, body),
            _ => self.write_any(body),
        }
    }

    fn write_any(&self, body: &mut Body) {
        match self.original.filter(|original| reads_as(original, self.wire, self.format)) {
            Some(Original::Null) => return body.json.extend_from_slice(b"null"),
            Some(Original::Number(number)) => return json(&mut body.json, number),
            Some(Original::Text(text)) => return string(&mut body.json, text),
            _ => {}
        }
        match *self.view {
            View::Absent => body.json.extend_from_slice(b"null"),
            View::Bool(value) => json(&mut body.json, &value),
            View::Signed(value) if self.format == Format::IntegerText => {
                quoted(&mut body.json, &value);
            }
            View::Unsigned(value) if self.format == Format::IntegerText => {
                quoted(&mut body.json, &value);
            }
            View::Signed(value) => json(&mut body.json, &value),
            View::Unsigned(value) => json(&mut body.json, &value),
            View::F32(value) => self.float(number::widen(value), body),
            View::F64(value) => self.float(value, body),
            View::Text(text) => string(&mut body.json, text),
            View::Timestamp(value) => quoted(&mut body.json, &value),
            View::Secret(inner) => {
                Encoded { wire: inner, view: &inner.view(), ..*self }.write(body);
            }
            View::Object => object(self.wire, body),
            View::Union(union) => {
                let mut object = Object::open(body);
                object.union(union, self.original);
                if let Active::Known(_, payload) = union.active()
                    && let Some(beside) = payload.unknown()
                {
                    object.undescribed(beside.siblings());
                }
                object.close();
            }
            View::Array(array) => self.list(array, body),
            View::Dictionary(entries) => {
                let mut object = Object::open(body);
                object.dictionary(self, entries, |_| false);
                object.close();
            }
            View::Value(value) => json(&mut body.json, value),
        }
    }

    /// Writes a number; a whole one without a fraction, unless it was decoded with one.
    fn float(&self, value: f64, body: &mut Body) {
        match number::whole(value) {
            Some(whole) if self.original != Some(&Original::Fraction) => {
                json(&mut body.json, &whole);
            }
            _ => json(&mut body.json, &value),
        }
    }

    /// Writes a list, with the original nulls among its elements if it is unchanged.
    fn list(&self, array: &dyn Array, body: &mut Body) {
        let originals = match self.original {
            Some(Original::List(originals)) => Some(originals),
            _ => None,
        };
        let original = |position| originals.and_then(|originals| originals.get(position));
        let has_nulls = originals
            .is_some_and(|originals| fingerprint::matches(originals.fingerprint, self.view));
        body.json.push(b'[');
        let start = body.json.len();
        let mut position = 0;
        for index in 0..=array.len() {
            while original(position) == Some(&Original::Null) {
                if has_nulls {
                    separate(&mut body.json, start);
                    body.json.extend_from_slice(b"null");
                }
                position += 1;
            }
            if let Some(element) = array.get(index) {
                separate(&mut body.json, start);
                let (wire, view) = (element, &element.view());
                Encoded { wire, view, original: original(position), ..*self }.write(body);
                position += 1;
            }
        }
        body.json.push(b']');
    }
}

/// Writes a comma unless nothing was written since `start`.
fn separate(json: &mut Vec<u8>, start: usize) {
    if json.len() > start {
        json.push(b',');
    }
}

/// Writes an object with described properties.
fn object(object: &dyn Wire, body: &mut Body) {
    let mut inside = Object::open(body);
    object.fields(&mut |table, fields, unknown| inside.fields(table, fields, unknown));
    inside.close();
}

/// The inside of an object.
struct Object<'b> {
    body: &'b mut Body,
    start: usize,
}

impl<'b> Object<'b> {
    fn open(body: &'b mut Body) -> Self {
        body.json.push(b'{');
        let start = body.json.len();
        Self { body, start }
    }

    fn close(self) {
        self.body.json.push(b'}');
    }

    /// Writes a described property.
    fn described(&mut self, property: &Property, value: &Encoded<'_>) {
        let lead = if self.body.json.len() > self.start {
            &property.lead
        } else {
            property.lead.get(1..).unwrap_or_default()
        };
        self.body.json.extend_from_slice(lead);
        value.write(self.body);
    }

    /// Writes a property of any name.
    fn named(&mut self, name: &str, value: &Encoded<'_>) {
        separate(&mut self.body.json, self.start);
        string(&mut self.body.json, name);
        self.body.json.push(b':');
        value.write(self.body);
    }

    /// Writes undescribed properties.
    fn undescribed(&mut self, properties: &Map) {
        for (name, value) in properties {
            self.named(name, &Encoded::plain(value, &View::Value(value)));
        }
    }

    fn fields(&mut self, table: &Table, fields: &[&dyn Wire], unknown: &UnknownProperties) {
        match unknown.retained() {
            None => self.described_fields(table.read(), fields, None),
            Some(retained) => self.retained_fields(table.read(), fields, retained),
        }
    }

    /// Writes an object that retains something. Most do not, and are faster without this.
    #[inline(never)]
    fn retained_fields(&mut self, table: &Described, fields: &[&dyn Wire], retained: &Retained) {
        self.described_fields(table, fields, Some(retained));
        self.undescribed(&retained.properties);
    }

    #[inline(always)]
    fn described_fields(
        &mut self,
        table: &Described,
        fields: &[&dyn Wire],
        retained: Option<&Retained>,
    ) {
        for (field, (property, wire)) in table.properties.iter().zip(fields).enumerate() {
            if property.read_only && self.body.is_request {
                continue;
            }
            let view = &wire.view();
            let original = retained.and_then(|retained| retained.original(field));
            let value = Encoded { wire: *wire, view, format: property.format, original };
            let overridden = || retained.is_some_and(|retained| retained.overrides(property.name));
            match (property.kind, view) {
                (Kind::Flattened, View::Union(union)) => self.union(*union, original),
                (Kind::Flattened, _) => {}
                (Kind::Additional, _) => self.additional(table, fields, &value),
                (Kind::Property, _) if overridden() || is_left_out(&value, property.required) => {}
                (Kind::Property, _) => self.described(property, &value),
            }
        }
    }

    /// Writes the additional properties, without those whose name a field has.
    #[inline(never)]
    fn additional(&mut self, table: &Described, fields: &[&dyn Wire], value: &Encoded<'_>) {
        let taken = |name: &str| {
            let described = table.position(name, 0).and_then(|field| fields.get(field));
            described.is_some_and(|wire| !wire.view().is_absent())
        };
        if let View::Dictionary(entries) = *value.view {
            self.dictionary(value, entries, taken);
        }
    }

    /// Writes the properties of a union.
    fn union(&mut self, union: &dyn Union, original: Option<&Original>) {
        match union.active() {
            Active::Known(index, payload) => {
                let Some(property) = union.table().read().properties.get(index) else {
                    return;
                };
                let original = match original {
                    Some(Original::Variant(variant, original)) if *variant == index => {
                        Some(&**original)
                    }
                    _ => None,
                };
                let (wire, view, format) = (payload, &payload.view(), property.format);
                self.described(property, &Encoded { wire, view, format, original });
            }
            Active::Unknown(properties) => self.undescribed(properties),
        }
    }

    /// Writes the entries of a dictionary whose names are not `taken`.
    fn dictionary(
        &mut self,
        dictionary: &Encoded<'_>,
        entries: &dyn Dictionary,
        taken: impl Fn(&str) -> bool,
    ) {
        let originals = match dictionary.original {
            Some(Original::Dictionary(originals)) => Some(originals),
            _ => None,
        };
        entries.each(&mut |name, wire| {
            if !taken(name) {
                let original = originals.and_then(|originals| originals.entries.get(name));
                self.named(name, &Encoded { wire, view: &wire.view(), original, ..*dictionary });
            }
        });
        let originals = originals
            .filter(|originals| fingerprint::matches(originals.fingerprint, dictionary.view));
        for (name, original) in originals.iter().flat_map(|originals| &originals.entries) {
            if *original == Original::Null && entries.get(name).is_none() && !taken(name) {
                self.named(name, &Encoded::plain(&Value::Null, &View::Absent));
            }
        }
    }
}

/// Returns whether a property is left out: it is absent, or it was missing and still has the default of its type.
fn is_left_out(value: &Encoded<'_>, required: bool) -> bool {
    match value.original {
        Some(Original::Missing) => value.wire.is_default(),
        _ if required || !value.view.is_absent() => false,
        original => {
            !original.is_some_and(|original| reads_as(original, value.wire, Format::Natural))
        }
    }
}

/// Writes a value as a string that needs no escapes.
fn quoted(json: &mut Vec<u8>, value: &dyn std::fmt::Display) {
    let written = write!(json, "\"{value}\"");
    debug_assert!(written.is_ok(), "writing to memory does not fail");
}
