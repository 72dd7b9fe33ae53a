//! What encoding reads.

use jiff::Timestamp;
use jiff::civil::Date;

use super::container::{Array, Dictionary};
use super::union::Union;
use super::{Map, Value, Wire};

/// What a value shows of itself.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// Nothing: as a member it is left out, elsewhere it is null.
    Absent,
    /// A boolean.
    Bool(bool),
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// A number of single precision.
    F32(f32),
    /// A number.
    F64(f64),
    /// Text.
    Text(&'a str),
    /// An instant.
    Timestamp(&'a Timestamp),
    /// A day.
    Date(&'a Date),
    /// A value that no log may show.
    Secret(&'a dyn Wire),
    /// An object whose members are described: the value itself shows its fields.
    Object,
    /// An object that holds one of several members.
    Union(&'a dyn Union),
    /// A list.
    Array(&'a dyn Array),
    /// An object whose members all have one type.
    Dictionary(&'a dyn Dictionary),
    /// Any value.
    Value(&'a Value),
    /// Any object.
    Map(&'a Map),
}

impl View<'_> {
    /// Tells whether a member with this value is left out.
    pub(super) fn is_absent(self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Tells whether the value is a union that holds nothing, or none at all.
    pub(super) fn is_vacant(self) -> bool {
        match self {
            Self::Absent => true,
            Self::Union(union) => union.is_empty(),
            _ => false,
        }
    }
}

/// Tells whether a value is what decoding starts from.
pub(super) fn is_default(wire: &dyn Wire) -> bool {
    match wire.view() {
        View::Absent => true,
        View::Bool(value) => !value,
        View::Signed(value) => value == 0,
        View::Unsigned(value) => value == 0,
        View::F32(value) => value.to_bits() == 0,
        View::F64(value) => value.to_bits() == 0,
        View::Text(text) => text.is_empty(),
        View::Timestamp(value) => *value == Timestamp::default(),
        View::Date(value) => *value == Date::default(),
        View::Secret(inner) => is_default(inner),
        View::Object => {
            let mut default = true;
            wire.with_fields(|_, fields, unknown| {
                default = unknown.holds_nothing() && fields.iter().all(|field| is_default(*field));
            });
            default
        }
        View::Union(union) => union.is_empty(),
        View::Array(array) => array.len() == 0,
        View::Dictionary(entries) => entries.len() == 0,
        View::Value(value) => value.is_null(),
        View::Map(map) => map.is_empty(),
    }
}
