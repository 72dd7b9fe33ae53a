//! From models to JSON.

pub(super) mod fields;
pub(super) mod secrets;
pub(super) mod send;
pub(super) mod text;
#[cfg(feature = "record")]
pub(super) mod texts;

use std::io::Write as _;
use std::str;

use serde::ser::{Error, Serialize, Serializer};
use serde_json::Number;

use self::fields::Mode;
use self::send::{Chosen, PropertyName, PropertySink, SentValue, send};
use self::text::{enclose, json, string};
use super::exact::{self, Digits};
use super::reflect::wire::{Array, Choice, Dictionary, Union, View, Wire};
use super::upload::Upload;
use super::value::{Map, Value};
use wire_rules::number;

/// Encodes a value as JSON (RFC 8259), without white space.
pub fn encode(value: &dyn Wire) -> Vec<u8> {
    encode_with(value, Mode::Whole).json
}

/// Encodes the body of a request, which has no read-only properties (`OpenAPI` 3.1, `readOnly`).
///
/// # Errors
///
/// Fails if the value has content that is not text in memory, which JSON cannot hold, or an integer that was out of
/// range.
pub fn encode_request(value: &dyn Wire) -> Result<Vec<u8>, String> {
    encode_with(value, Mode::Request).finish()
}

/// Encodes a value with its read-only properties.
///
/// # Errors
///
/// Fails as [`encode_request`] does.
pub fn encode_checked(value: &dyn Wire) -> Result<Vec<u8>, String> {
    encode_with(value, Mode::Whole).finish()
}

/// Returns a float as it is written: a whole number without a fraction.
///
/// # Errors
///
/// Fails if it is NaN or infinite.
pub(super) fn number(float: f64) -> Result<Number, String> {
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
pub(super) fn text(upload: &Upload) -> Result<&str, String> {
    let text = upload.as_bytes().and_then(|bytes| str::from_utf8(bytes).ok());
    text.ok_or_else(|| {
        "it contains an upload that is not text in memory, which JSON cannot hold".to_owned()
    })
}

fn encode_with(value: &dyn Wire, mode: Mode) -> JsonSink {
    let mut body = JsonSink { json: Vec::with_capacity(1024), mode, fault: None };
    body.value(&SentValue::of(value, &value.view()));
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
    content(&View::Union(union), false, exact::nearest)
}

/// Returns the elements of a list as JSON, and its length.
pub(super) fn elements(
    array: &dyn Array,
    as_text: bool,
    digits: &mut Digits,
) -> (Vec<Value>, usize) {
    content(&View::Array(array), as_text, |json| digits.parse(json))
}

/// Returns the entries of a dictionary as JSON, and its length.
pub(super) fn entries(
    entries: &dyn Dictionary,
    as_text: bool,
    digits: &mut Digits,
) -> (Map, usize) {
    content(&View::Dictionary(entries), as_text, |json| digits.parse(json))
}

fn content<T: Default>(
    view: &View<'_>,
    as_text: bool,
    read: impl FnOnce(&[u8]) -> Result<T, serde_json::Error>,
) -> (T, usize) {
    let mut body = JsonSink::default();
    body.value(&SentValue { wire: &(), view, as_text });
    (read(&body.json).unwrap_or_default(), body.json.len())
}

/// The JSON that is being written.
#[derive(Default)]
struct JsonSink {
    json: Vec<u8>,
    mode: Mode,
    /// The reason why the value cannot be sent. Something else is written instead of a part of it.
    fault: Option<String>,
}

impl JsonSink {
    /// Returns the JSON, or the reason why the value cannot be sent.
    fn finish(self) -> Result<Vec<u8>, String> {
        self.fault.map_or(Ok(self.json), Err)
    }

    /// Writes a value. Most are strings or objects, which have a fast path.
    #[inline]
    fn value(&mut self, value: &SentValue<'_, '_>) {
        match *value.view {
            View::Text(text) | View::Enum(text, _) => string(&mut self.json, text),
            View::Object => self.described_object(value.wire),
            _ => self.any_value(value),
        }
    }

    fn any_value(&mut self, value: &SentValue<'_, '_>) {
        match *value.view {
            View::Absent => self.json.extend_from_slice(b"null"),
            View::Bool(value) => json(&mut self.json, &value),
            View::Integer(number) if value.as_text => self.quoted(&number),
            View::Integer(number) => match i64::try_from(number) {
                Ok(number) => json(&mut self.json, &number),
                Err(_) => json(&mut self.json, &number),
            },
            View::F64(float) => self.checked(number(float)),
            View::Text(text) | View::Enum(text, _) => string(&mut self.json, text),
            View::Scalar(value) => self.quoted(&value),
            View::Own(value) => self.checked(value.sent()),
            // Uploads are sent in forms. JSON, which describes them as text, has those that are.
            View::Upload(upload) => self.checked(text(upload)),
            View::Secret(wire) => self.value(&SentValue { wire, view: &wire.view(), ..*value }),
            View::Object => self.described_object(value.wire),
            View::Union(_) | View::Dictionary(_) => self.enclosed(*b"{}", |body| {
                send(value, body);
            }),
            View::Choice(choice) => self.choice(choice),
            View::Array(array) => self.list(array, value.as_text),
            View::Value(value) => json(&mut self.json, value),
            View::Exact(json) => self.json.extend_from_slice(json.as_bytes()),
        }
    }

    /// Writes a value as a string that needs no escapes.
    fn quoted(&mut self, value: &dyn std::fmt::Display) {
        let written = write!(self.json, "\"{value}\"");
        debug_assert!(written.is_ok(), "writing to memory does not fail");
    }

    /// Writes a value, or null if it cannot be sent.
    fn checked(&mut self, value: Result<impl Serialize, String>) {
        match value {
            Ok(value) => json(&mut self.json, &value),
            Err(why) => {
                self.fault(why);
                self.json.extend_from_slice(b"null");
            }
        }
    }

    /// Writes a list.
    fn list(&mut self, array: &dyn Array, as_text: bool) {
        self.enclosed(*b"[]", |body| {
            for wire in array.elements() {
                body.json.push(b',');
                body.value(&SentValue { wire, view: &wire.view(), as_text });
            }
        });
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
        self.enclosed(*b"{}", |body| send::object(object, body));
    }

    /// Writes the value of a union.
    fn choice(&mut self, choice: &dyn Choice) {
        let chosen = Chosen::of(choice);
        if chosen.lacking.is_empty() {
            return self.value(&chosen.encoded(&chosen.wire.view()));
        }
        self.enclosed(*b"{}", |body| {
            chosen.send(body);
        });
    }
}

impl<'a> PropertySink<'a> for JsonSink {
    fn mode(&self) -> Mode {
        self.mode
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
        }
        self.value(value);
    }

    fn fault(&mut self, why: String) {
        self.fault.get_or_insert(why);
    }
}
