//! The wire format: models to JSON and back, without loss of values.
//!
//! Emitted code describes types with macros (`object!`, `union!`, `choice!`, `open_enum!`), which expand to tables and trait
//! objects. The code that walks them is here, and compiled once.
//!
//! - `reflect`: a type as decoding writes it (`Target`) and as encoding reads it (`View`).
//! - `decode`: from JSON to targets, with errors and drift.
//! - `encode`: from views to JSON.
//! - `unknown`: undescribed properties, values and unions, which models retain.
//! - `buffered`: JSON that is read before its type is known.
//! - `exact`: numbers and texts that `serde_json` cannot hold.
//! - `integer`: integers as setters take them, checked.
//! - `scalar`: values that JSON has as text.
//! - `typed`: values of types of other crates, which read and write themselves.
//! - `parameter`: values as texts of paths, queries and headers.
//! - `plain`: values without their types, for all that is not a JSON body.
//!
//! A decoded value is encoded to JSON that is equal by value: numbers are compared as numbers, date-times as instants,
//! and a null property is the same as an absent one, unless its table declares that it is kept. Other JSON loses:
//!
//! - values that the type of an element does not have, such as nulls and values of another kind, in bodies that are a list
//!   or a map; elsewhere they are retained until their list or map is changed;
//! - all but the last of several properties with the same name, and all but the first if they distinguish the variants
//!   of a union;
//! - unpaired surrogates of texts, for which U+FFFD is read, and which are drift;
//! - digits of numbers with a fraction or an exponent that are not exact as `f64`, and of date-times after nanoseconds.
//!
//! A value that the type of its place cannot hold is retained, and is drift, wherever it is: in objects, lists, maps and
//! unions. So is an integer that the nearest float changes: the field has that float. In JSON without a type, an integer
//! beyond 64 bits and a number beyond `f64` are the nearest number, and drift.
//!
//! These are errors: a body that is itself a value that its type cannot hold, such as null, and more than 127 levels of
//! nesting.

mod buffered;
#[cfg(feature = "client")]
pub(crate) mod charset;
mod decode;
mod encode;
mod exact;
mod integer;
pub(crate) mod list;
pub(crate) mod lookup;
mod model;
mod parameter;
mod plain;
pub(crate) mod property;
mod reflect;
pub(crate) mod related;
mod scalar;
mod timestamp;
mod typed;
mod unknown;
pub(crate) mod upload;
mod value;
pub(crate) mod wait_end;

pub use self::decode::drift::{Drift, DriftKind};
pub use self::decode::error::DecodeError;
pub(crate) use self::decode::{decode, decode_into};
pub(crate) use self::encode::secrets::{TYPE, secrets};
pub(crate) use self::encode::sink::Mode;
#[cfg(feature = "record")]
pub(crate) use self::encode::texts::{Texts, texts};
pub(crate) use self::encode::{encode, encode_checked};
pub(crate) use self::exact::nearest;
pub use self::integer::IntoInteger;
pub(crate) use self::integer::{Integer, checked};
pub(crate) use self::lookup::each_property;
pub use self::model::Model;
pub use self::parameter::Param;
pub(crate) use self::plain::Plain;
pub(crate) use self::reflect::as_text::{AsText, placed};
pub use self::reflect::secret::{Secret, Sensitive};
pub use self::reflect::wire::Wire;
pub(crate) use self::reflect::wire::{Active, Target, View};
pub use self::timestamp::{Timestamp, UnixTime};
pub use self::typed::Typed;
pub use self::unknown::{
    UnknownInteger, UnknownProperties, UnknownUnion, UnknownValue, UnknownVariant,
};
pub use self::value::{Map, Value, map};

/// The interface of emitted code and its macros.
pub mod internal {
    pub use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub use super::Wire;
    pub use super::decode::{decode, deserialize};
    pub use super::encode::{encode, serialize};
    pub use super::integer::Integer;
    pub use super::lookup::base;
    pub use super::model::{Model, set_null};
    pub use super::parameter::Param;
    pub use super::reflect::as_text::AsText;
    pub use super::reflect::debug::debug;
    pub use super::reflect::equal::equal;
    pub use super::reflect::key::{compare, hash};
    pub use super::reflect::open_enum::known;
    pub use super::reflect::plan::Plan;
    pub use super::reflect::table::Table;
    pub use super::reflect::wire::{
        Active, ActiveMut, Choice, Fields, FieldsMut, OpenEnum, Target, Union, View,
    };
    pub use super::unknown::{
        UnknownInteger, UnknownProperties, UnknownUnion, UnknownValue, UnknownVariant,
        unknown_integer, unknown_properties, unknown_value, unknown_variant,
    };
    pub use super::wait_end::{WaitEnd, is_finished};
}
