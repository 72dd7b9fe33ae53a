//! What was seen of values: how often, when, and where first.

use std::borrow::Cow;
use std::collections::BTreeMap;

use codegen::document::SchemaType;
use jiff::Timestamp;

use super::formats::{TELLING, example, is_formatted};
use super::value::{Kinds, PLACEHOLDER, Value, is_placeholder};

/// Maximum number of names or values at one place: the memory of a run does not grow with the traffic.
pub const MAX_NAMES: usize = 200;

/// Maximum length of a name or a value, in bytes.
const MAX_LENGTH: usize = 256;

/// Returns a name or a value, or its beginning, which is longer than any whole one.
pub fn bounded(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.len() <= MAX_LENGTH {
        return text;
    }
    text.chars().take(MAX_LENGTH).chain(['…']).collect::<String>().into()
}

/// Returns whether a name or a value is shown as it was received: neither cut nor with a placeholder.
pub fn is_whole(shown: &str) -> bool {
    shown.len() <= MAX_LENGTH && !shown.contains(PLACEHOLDER)
}

/// The time and the place of a message.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// `None` if the traffic does not have it.
    pub time: Option<Timestamp>,
    pub origin: Origin,
    /// Whether objects are merge patches (RFC 7396): null removes a property, and an absent one stays.
    pub is_patch: bool,
    /// Whether values are those of a secret, of which nothing is shown.
    pub is_secret: bool,
}

impl Moment {
    /// Returns the moment of the values in a value. A merge patch replaces lists: their elements are no patches.
    pub fn inside(self, value: &Value<'_>) -> Self {
        Self { is_patch: self.is_patch && !matches!(value, Value::List(_)), ..self }
    }

    /// Returns whether the value of a property removes it.
    pub fn is_removal(self, value: &Value<'_>) -> bool {
        self.is_patch && *value == Value::Null
    }
}

/// A message of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The number of the operation.
    pub operation: usize,
    /// The status of the response; `None` for the request.
    pub status: Option<u16>,
    /// The item of the stream that the message is, counted from 1; 0 for the message itself.
    pub item: usize,
}

/// How often something was seen, and when.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub count: u64,
    pub first: Option<Timestamp>,
    pub last: Option<Timestamp>,
    /// The message where it was seen first.
    pub origin: Origin,
    /// The first value, redacted.
    pub example: String,
}

impl Tally {
    pub fn add(&mut self, moment: Moment, value: &Value<'_>) {
        if self.count == 0 {
            self.origin = moment.origin;
            if !moment.is_secret {
                self.example = example(value);
            }
        }
        self.count += 1;
        self.first = self.first.into_iter().chain(moment.time).min();
        self.last = self.last.max(moment.time);
    }

    /// Adds what was seen later.
    pub fn join(&mut self, other: &Self) {
        if self.count == 0 {
            self.clone_from(other);
        } else {
            self.count += other.count;
            self.first = self.first.into_iter().chain(other.first).min();
            self.last = self.last.max(other.last);
        }
    }
}

/// What was seen of the values of a schema.
#[derive(Default)]
pub struct Seen<'d> {
    /// Values of kinds that the schema does not allow.
    pub kinds: BTreeMap<SchemaType, Tally>,
    /// The values that it does not list, in JSON.
    pub values: BTreeMap<Box<str>, Tally>,
    /// Values without its format.
    pub unformatted: Tally,
    /// Objects without a required property.
    pub missing: BTreeMap<&'d str, Tally>,
    /// Properties that it does not describe, with the places of their values.
    pub names: BTreeMap<Box<str>, (Tally, usize)>,
    /// Values of none of its alternatives, by what names them, with the places of these values.
    pub variants: BTreeMap<Box<str>, (Tally, usize)>,
    /// The property that names these.
    pub tag: Option<&'static str>,
}

/// The join of the values of a place that no schema describes.
#[derive(Default)]
pub struct Learned {
    pub count: u64,
    pub kinds: Kinds,
    /// Which of the [`TELLING`] formats not all texts have.
    pub excluded: [bool; TELLING.len()],
    pub objects: u64,
    /// The properties of objects: how many have them, and the places of their values.
    pub properties: BTreeMap<Box<str>, (u64, usize)>,
    /// Whether there are too many names for properties.
    pub is_map: bool,
    /// The place of the elements of lists.
    pub items: Option<usize>,
}

impl Learned {
    /// Adds a value, without those in it.
    pub fn add(&mut self, value: &Value<'_>) {
        self.count += 1;
        self.kinds.insert(value.kind());
        match value {
            Value::Text(text) => {
                for (is_excluded, format) in self.excluded.iter_mut().zip(TELLING) {
                    *is_excluded |= is_placeholder(text) || !is_formatted(value, format);
                }
            }
            Value::Object(_) => self.objects += 1,
            _ => {}
        }
    }
}
