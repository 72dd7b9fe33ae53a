//! How values were spelled where encoding them would spell them otherwise.
//!
//! One JSON value has many spellings for the same Rust value: `2024-01-01T02:00:00+02:00` is an instant that is
//! written as `2024-01-01T00:00:00Z`, and `["a", null]` reads as one string. An object keeps what came, and encoding
//! gives it back for as long as the field holds the value that it was read as.

use std::borrow::Cow;

use super::form::Form;
use super::number::{self, Arrived};
use super::view::{View, is_default};
use super::{Value, Wire, time};

/// How one value of an object was spelled.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// The index of the field.
    pub slot: usize,
    /// The way from the field to the value, the outermost step first.
    pub steps: Vec<Step>,
    /// What came.
    pub was: Was,
}

impl Kept {
    /// Returns how a value of field `slot` was spelled. `steps` lead to the value, the innermost first.
    pub(super) fn new(slot: usize, mut steps: Vec<Step>, was: Was) -> Self {
        steps.reverse();
        Self { slot, steps, was }
    }
}

/// Sorts by place.
pub(super) fn sort(kept: &mut [Kept]) {
    kept.sort_by(|one, other| (one.slot, &one.steps).cmp(&(other.slot, &other.steps)));
}

/// Returns the part of sorted `kept` that belongs to field `slot`.
pub(super) fn of(kept: &[Kept], slot: usize) -> &[Kept] {
    let start = kept.partition_point(|kept| kept.slot < slot);
    let rest = kept.get(start..).unwrap_or_default();
    let length = rest.partition_point(|kept| kept.slot == slot);
    rest.get(..length).unwrap_or_default()
}

/// What came instead of the canonical spelling.
#[derive(Clone, Debug)]
pub(super) enum Was {
    /// Nothing came for a required member.
    Missing,
    /// This value came.
    Value(Value),
    /// Nulls came for elements, which are left out of the list or dictionary.
    Nulls {
        /// The fingerprint of the elements that are not null.
        among: u64,
        /// Where the nulls were.
        at: Vec<Step>,
    },
}

/// A step into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// To the element of an array.
    Index(usize),
    /// To the member of an object.
    Name(Cow<'static, str>),
}

/// Returns the part of sorted `kept` that lies behind `step`, the step at `depth`.
pub(super) fn behind<'k>(kept: &'k [Kept], depth: usize, step: &Step) -> &'k [Kept] {
    let start = kept.partition_point(|kept| kept.steps.get(depth) < Some(step));
    let rest = kept.get(start..).unwrap_or_default();
    let length = rest.partition_point(|kept| kept.steps.get(depth) == Some(step));
    rest.get(..length).unwrap_or_default()
}

/// Tells whether `original` reads as the value of `wire`.
pub(super) fn spells(original: &Value, wire: &dyn Wire, form: Form) -> bool {
    if original.is_null() {
        return is_default(wire);
    }
    match (wire.view(), original) {
        (View::Absent | View::Timestamp(_) | View::Date(_), Value::String(text))
            if text.is_empty() =>
        {
            is_default(wire)
        }
        (View::Signed(_) | View::Unsigned(_), Value::String(text)) if form == Form::IntegerText => {
            number::reads_as(text, wire)
        }
        (View::Signed(value), Value::Number(number)) => {
            Arrived::from(number).to_i64() == Some(value)
        }
        (View::Unsigned(value), Value::Number(number)) => {
            Arrived::from(number).to_u64() == Some(value)
        }
        (View::F32(value), Value::Number(read)) => read.as_f64().map(number::narrow) == Some(value),
        (View::F64(value), Value::Number(number)) => number.as_f64() == Some(value),
        (View::Timestamp(value), Value::String(text)) => {
            time::timestamp(text).is_some_and(|read| read.value == *value)
        }
        (View::Date(value), Value::String(text)) => {
            time::date(text).is_some_and(|read| read.value == *value)
        }
        (View::Secret(inner), _) => spells(original, inner, form),
        _ => false,
    }
}
