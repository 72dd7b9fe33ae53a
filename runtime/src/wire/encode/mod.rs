//! From models to JSON.

pub(super) mod fields;
pub(super) mod secrets;
pub(super) mod send;
pub(super) mod text;
#[cfg(feature = "record")]
pub(super) mod texts;

use std::hash::{DefaultHasher, Hasher as _};
use std::io::Write as _;
use std::str;

use serde::ser::{Error, Serialize, Serializer};
use serde_json::Number;

use self::fields::Mode;
use self::send::{PropertyName, PropertySink, SentScalar, SentValue, ValueSink, write};
use self::text::{enclose, json, string};
use super::exact;
use super::reflect::wire::{View, Wire};
use super::upload::Upload;
use super::value::Value;
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
    write(&SentValue::of(value, &value.view()), &mut body);
    body
}

/// Returns a number that equal values of a type share: that of the JSON of all fields and of what is retained beside them.
pub(super) fn fingerprint(value: &dyn Wire) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(&encode_with(value, Mode::Fields).json);
    hasher.finish()
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

/// Returns what `read` makes of a list, a dictionary or a union as JSON, and the length of the JSON.
pub(super) fn content<T: Default>(
    view: &View<'_>,
    as_text: bool,
    read: impl FnOnce(&[u8]) -> Result<T, serde_json::Error>,
) -> (T, usize) {
    let mut body = JsonSink::default();
    write(&SentValue { wire: &(), view, as_text }, &mut body);
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

    #[inline]
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
            PropertyName::Element => self.json.push(b','),
        }
        write(value, self);
    }

    fn fault(&mut self, why: String) {
        self.fault.get_or_insert(why);
    }
}
