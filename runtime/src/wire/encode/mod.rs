//! From models to JSON.

mod original;
pub(super) mod text;

use std::io::Write as _;

use serde::ser::{Error, Serialize, Serializer};

use self::original::reads_as;
use self::text::{json, string};
use super::fingerprint;
use super::number;
use super::reflect::table::{Kind, Property, Table};
use super::reflect::wire::{Active, Array, Dictionary, Union, View, Wire};
use super::retain::original::Original;
use super::retain::unknown::UnknownProperties;
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
    body.value(&Encoded::plain(value, &value.view()));
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
    body.object(|body| body.union(union, original));
    (serde_json::from_slice(&body.json).unwrap_or_default(), body.json.len())
}

/// A value to write.
///
/// It refers to the view: copying a view right after it was created stalls the processor.
#[derive(Clone, Copy)]
struct Encoded<'a> {
    wire: &'a dyn Wire,
    view: &'a View<'a>,
    as_text: bool,
    /// How the value was written when it was decoded.
    original: Option<&'a Original>,
}

impl<'a> Encoded<'a> {
    /// Returns a value of a type that is not written as text.
    fn plain(wire: &'a dyn Wire, view: &'a View<'a>) -> Self {
        Self { wire, view, as_text: false, original: None }
    }
}

/// Returns whether a property is left out: it is absent, or it was missing and still has the default of its type.
#[inline]
fn is_left_out(
    wire: &dyn Wire,
    view: &View<'_>,
    original: Option<&Original>,
    required: bool,
) -> bool {
    let is_omissible = !required && view.is_absent();
    match original {
        None => is_omissible,
        Some(Original::Missing) => wire.is_default(),
        Some(original) => is_omissible && !reads_as(original, wire, false),
    }
}

/// The JSON that is being written.
struct Body {
    json: Vec<u8>,
    is_request: bool,
}

impl Body {
    /// Writes a value. Most are strings or objects, which have a fast path.
    #[inline]
    fn value(&mut self, value: &Encoded<'_>) {
        match *value.view {
            View::Text(text) if value.original.is_none() => string(&mut self.json, text),
            View::Object if value.original.is_none() => self.described_object(value.wire),
            _ => self.any_value(value),
        }
    }

    fn any_value(&mut self, value: &Encoded<'_>) {
        match value.original.filter(|original| reads_as(original, value.wire, value.as_text)) {
            Some(Original::Null) => return self.json.extend_from_slice(b"null"),
            Some(Original::Number(number)) => return json(&mut self.json, number),
            Some(Original::Text(text)) => return string(&mut self.json, text),
            _ => {}
        }
        match *value.view {
            View::Absent => self.json.extend_from_slice(b"null"),
            View::Bool(value) => json(&mut self.json, &value),
            View::Signed(number) if value.as_text => self.quoted(&number),
            View::Unsigned(number) if value.as_text => self.quoted(&number),
            View::Signed(value) => json(&mut self.json, &value),
            View::Unsigned(value) => json(&mut self.json, &value),
            View::F32(float) => self.float(number::widen(float), value.original),
            View::F64(float) => self.float(float, value.original),
            View::Text(text) => string(&mut self.json, text),
            View::Timestamp(value) => self.quoted(&value),
            View::Secret(wire) => self.value(&Encoded { wire, view: &wire.view(), ..*value }),
            View::Object => self.described_object(value.wire),
            View::Union(union) => self.object(|body| {
                body.union(union, value.original);
                if let Active::Known(_, payload) = union.active()
                    && let Some(beside) = payload.unknown()
                {
                    body.undescribed(beside.siblings());
                }
            }),
            View::Array(array) => self.list(array, value),
            View::Dictionary(entries) => {
                self.object(|body| body.entries(entries, value, |_| false));
            }
            View::Value(value) => json(&mut self.json, value),
        }
    }

    /// Writes a value as a string that needs no escapes.
    fn quoted(&mut self, value: &dyn std::fmt::Display) {
        let written = write!(self.json, "\"{value}\"");
        debug_assert!(written.is_ok(), "writing to memory does not fail");
    }

    /// Writes a number; a whole one without a fraction, unless it was decoded with one.
    fn float(&mut self, value: f64, original: Option<&Original>) {
        match number::whole(value) {
            Some(whole) if original != Some(&Original::Fraction) => json(&mut self.json, &whole),
            _ => json(&mut self.json, &value),
        }
    }

    /// Writes a list, with the original nulls among its elements if it is unchanged.
    fn list(&mut self, array: &dyn Array, list: &Encoded<'_>) {
        let originals = match list.original {
            Some(Original::List(originals)) => Some(originals),
            _ => None,
        };
        let original = |position| originals.and_then(|originals| originals.get(position));
        let has_nulls = originals
            .is_some_and(|originals| fingerprint::matches(originals.fingerprint, list.view));
        self.enclosed(*b"[]", |body| {
            let mut position = 0;
            for index in 0..=array.len() {
                while original(position) == Some(&Original::Null) {
                    if has_nulls {
                        body.json.extend_from_slice(b",null");
                    }
                    position += 1;
                }
                if let Some(wire) = array.get(index) {
                    let (view, original) = (&wire.view(), original(position));
                    body.json.push(b',');
                    body.value(&Encoded { wire, view, original, ..*list });
                    position += 1;
                }
            }
        });
    }

    /// Writes an object.
    fn object(&mut self, properties: impl FnOnce(&mut Self)) {
        self.enclosed(*b"{}", properties);
    }

    /// Writes an object or a list. A comma is written before every property or element; the bracket takes the place of the
    /// first.
    fn enclosed(&mut self, [open, close]: [u8; 2], content: impl FnOnce(&mut Self)) {
        let start = self.json.len();
        content(self);
        match self.json.get_mut(start) {
            Some(comma) => *comma = open,
            None => self.json.push(open),
        }
        self.json.push(close);
    }

    /// Writes an object with described properties.
    fn described_object(&mut self, object: &dyn Wire) {
        self.object(|body| {
            object.with_fields(|table, fields, unknown| body.fields(table, fields, unknown));
        });
    }

    /// Writes a described property.
    fn property(&mut self, property: &Property, value: &Encoded<'_>) {
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

    /// Writes undescribed properties.
    fn undescribed(&mut self, properties: &Map) {
        for (name, value) in properties {
            self.named(name, &Encoded::plain(value, &View::Value(value)));
        }
    }

    fn fields(&mut self, table: &Table, fields: &[&dyn Wire], unknown: &UnknownProperties) {
        match unknown.retained() {
            None => self.described_fields::<false>(table, fields, unknown),
            Some(retained) => {
                self.described_fields::<true>(table, fields, unknown);
                self.undescribed(&retained.properties);
            }
        }
    }

    /// Few objects retain something, and the others are faster without the search for originals.
    fn described_fields<const RETAINED: bool>(
        &mut self,
        table: &Table,
        fields: &[&dyn Wire],
        unknown: &UnknownProperties,
    ) {
        let (table, retained) = (table.read(), unknown.retained().filter(|_| RETAINED));
        for (field, (property, wire)) in table.properties.iter().zip(fields).enumerate() {
            let view = &wire.view();
            let original = retained.and_then(|retained| retained.originals.get(&field));
            if property.read_only && self.is_request
                || is_left_out(*wire, view, original, property.required)
            {
                continue;
            }
            let value = Encoded { wire: *wire, view, as_text: property.as_text, original };
            match (property.kind, view) {
                (Kind::Property, _) => match retained {
                    Some(retained) if retained.overrides(property.name) => {}
                    _ => self.property(property, &value),
                },
                (Kind::Flattened, View::Union(union)) => self.union(*union, original),
                (Kind::Additional, View::Dictionary(entries)) => {
                    // A property whose name a field has is not written twice.
                    self.entries(*entries, &value, |name| {
                        let field = table.position(name, 0).and_then(|field| fields.get(field));
                        field.is_some_and(|wire| !wire.view().is_absent())
                    });
                }
                _ => {}
            }
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
                let (wire, view, as_text) = (payload, &payload.view(), property.as_text);
                self.property(property, &Encoded { wire, view, as_text, original });
            }
            Active::Unknown(properties) => self.undescribed(properties),
        }
    }

    /// Writes the entries of a dictionary whose names are not `taken`.
    fn entries(
        &mut self,
        entries: &dyn Dictionary,
        dictionary: &Encoded<'_>,
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
