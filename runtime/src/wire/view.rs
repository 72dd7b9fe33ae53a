//! What encoding reads.

use jiff::Timestamp;
use jiff::civil::Date;

use super::container::{Array, Dictionary};
use super::object::Object;
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
    /// An object whose members are described.
    Object(&'a dyn Object),
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

    /// Tells whether the value is what decoding starts from.
    pub(super) fn is_default(self) -> bool {
        match self {
            Self::Absent => true,
            Self::Bool(value) => !value,
            Self::Signed(value) => value == 0,
            Self::Unsigned(value) => value == 0,
            Self::F32(value) => value.to_bits() == 0,
            Self::F64(value) => value.to_bits() == 0,
            Self::Text(text) => text.is_empty(),
            Self::Timestamp(value) => *value == Timestamp::default(),
            Self::Date(value) => *value == Date::default(),
            Self::Secret(inner) => inner.view().is_default(),
            Self::Object(object) => {
                let mut default = true;
                object.slots(&mut |_, slots, unknown| {
                    default = unknown.holds_nothing()
                        && slots.iter().all(|slot| slot.view().is_default());
                });
                default
            }
            Self::Union(union) => union.is_empty(),
            Self::Array(array) => array.len() == 0,
            Self::Dictionary(entries) => entries.len() == 0,
            Self::Value(value) => value.is_null(),
            Self::Map(map) => map.is_empty(),
        }
    }
}
