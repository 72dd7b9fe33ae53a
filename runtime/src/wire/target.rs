//! Where decoding writes.

use jiff::Timestamp;
use jiff::civil::Date;

use super::container::{Array, Dictionary};
use super::open_enum::OpenEnum;
use super::union::Union;
use super::{Map, Value};

/// The place that a JSON value is decoded into.
pub enum Target<'a> {
    /// Takes anything and keeps nothing.
    Nothing,
    /// A boolean.
    Bool(&'a mut bool),
    /// A 32-bit integer.
    I32(&'a mut i32),
    /// A 64-bit integer.
    I64(&'a mut i64),
    /// An unsigned 32-bit integer.
    U32(&'a mut u32),
    /// An unsigned 64-bit integer.
    U64(&'a mut u64),
    /// A number of single precision.
    F32(&'a mut f32),
    /// A number.
    F64(&'a mut f64),
    /// Text.
    String(&'a mut String),
    /// An instant.
    Timestamp(&'a mut Timestamp),
    /// A day.
    Date(&'a mut Date),
    /// One of several texts.
    Enum(&'a mut dyn OpenEnum),
    /// An object whose members are described: the value itself gives out its fields.
    Object,
    /// An object that holds one of several members.
    Union(&'a mut dyn Union),
    /// A list.
    Array(&'a mut dyn Array),
    /// An object whose members all have one type.
    Dictionary(&'a mut dyn Dictionary),
    /// Any value.
    Value(&'a mut Value),
    /// Any object.
    Map(&'a mut Map),
}

impl Target<'_> {
    /// Returns what JSON the place takes, with its article.
    pub(super) fn expected(&self) -> &'static str {
        match self {
            Self::Nothing | Self::Value(_) => "any value",
            Self::Bool(_) => "a boolean",
            Self::I32(_) => "a 32-bit integer",
            Self::I64(_) => "a 64-bit integer",
            Self::U32(_) => "an unsigned 32-bit integer",
            Self::U64(_) => "an unsigned 64-bit integer",
            Self::F32(_) | Self::F64(_) => "a number",
            Self::String(_) | Self::Enum(_) => "a string",
            Self::Timestamp(_) => "a date-time (RFC 3339)",
            Self::Date(_) => "a date (RFC 3339)",
            Self::Object | Self::Union(_) | Self::Dictionary(_) | Self::Map(_) => "an object",
            Self::Array(_) => "an array",
        }
    }
}

/// Puts the default back, but for an object whose members are described.
pub(super) fn reset(target: Target<'_>) {
    match target {
        Target::Nothing | Target::Object => {}
        Target::Bool(slot) => *slot = false,
        Target::I32(slot) => *slot = 0,
        Target::I64(slot) => *slot = 0,
        Target::U32(slot) => *slot = 0,
        Target::U64(slot) => *slot = 0,
        Target::F32(slot) => *slot = 0.0,
        Target::F64(slot) => *slot = 0.0,
        Target::String(slot) => slot.clear(),
        Target::Timestamp(slot) => *slot = Timestamp::default(),
        Target::Date(slot) => *slot = Date::default(),
        Target::Enum(slot) => {
            slot.read("");
        }
        Target::Union(union) => union.choose(None),
        Target::Array(array) => array.clear(),
        Target::Dictionary(entries) => entries.clear(),
        Target::Value(slot) => *slot = Value::Null,
        Target::Map(map) => map.clear(),
    }
}
