//! From models to JSON.

pub(super) mod fields;
pub(super) mod secrets;
pub(super) mod send;
pub(super) mod sink;
pub(super) mod text;
#[cfg(feature = "record")]
pub(super) mod texts;

use serde::ser::{Error, Serialize, Serializer};

use self::send::{JsonSink, encode_with, write};
use self::sink::{Mode, SentValue};
use super::exact;
use super::reflect::wire::{View, Wire};
use super::value::Value;

/// Encodes a value as JSON (RFC 8259), without white space.
pub fn encode(value: &dyn Wire) -> Vec<u8> {
    encode_with(value, Mode::Whole).json
}

/// Encodes the properties of a value that are written.
///
/// # Errors
///
/// Fails if the value has content that is not text in memory, which JSON cannot hold, or an integer that was out of
/// range.
pub fn encode_checked(value: &dyn Wire, mode: Mode) -> Result<Vec<u8>, String> {
    let JsonSink { json, walk } = encode_with(value, mode);
    walk.finish(json)
}

/// Encodes a value in any format, through JSON.
///
/// # Errors
///
/// Fails if the format does, if the value has content that is not text in memory, or an integer that was out of range.
pub fn serialize<S: Serializer>(value: &dyn Wire, serializer: S) -> Result<S::Ok, S::Error> {
    let json = encode_checked(value, Mode::Whole).map_err(S::Error::custom)?;
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
