//! The wire format: models become JSON and JSON becomes models, without losing anything on the way.
//!
//! Emitted code only describes: a macro call names the properties of a type (`object!`, `union!`, `open_enum!`), and
//! expands to tables and trait objects, so that a large emitted crate compiles quickly. All the work is done here, once.
//!
//! - `reflect`: what a type shows of itself. Decoding writes to a `Target`, encoding reads a `View`.
//! - `decode`: from JSON to targets, with errors and drift.
//! - `encode`: from views to JSON.
//! - `retain`: what a model holds beside its fields, so that nothing is lost.
//!
//! `internal` lists what emitted code needs; the crate's own `internal` module offers it.
//!
//! Decoding and encoding again gives the same JSON, but for these:
//!
//! - the order of properties, white space, and the escapes in strings;
//! - optional properties that are null, which are left out;
//! - of properties with the same name, all but the last;
//! - numbers that `f64` cannot hold exactly and that are no 64-bit integers;
//! - how a value was written, and which elements were null, where no object with described properties is around it: in a
//!   list of date-times that is decoded by itself, say, or in a union of such lists.
//!
//! These bodies are no models at all, and decoding them is an error that says where: a null where an object is described,
//! integers beyond 64 bits where an integer is described, numbers beyond `f64`, halves of surrogate pairs, and more than
//! 127 levels of nesting.

mod decode;
mod encode;
mod fingerprint;
mod model;
mod number;
mod reflect;
mod retain;
mod timestamp;
mod value;

pub(crate) use self::decode::decode;
pub use self::decode::drift::{Drift, DriftKind};
pub use self::decode::error::DecodeError;
pub(crate) use self::encode::encode_request;
pub use self::model::Model;
pub use self::reflect::secret::{Secret, Sensitive};
pub use self::reflect::wire::Wire;
pub use self::retain::unknown::{UnknownMembers, UnknownUnion, UnknownValue};
pub use self::timestamp::Timestamp;
pub use self::value::{Map, Value, map};

/// What emitted code and its macros use. Not for people.
pub mod internal {
    pub use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub use super::Wire;
    pub use super::decode::{decode, deserialize};
    pub use super::encode::{encode, serialize};
    pub use super::model::Model;
    pub use super::reflect::debug::debug;
    pub use super::reflect::equal::equal;
    pub use super::reflect::open_enum::position;
    pub use super::reflect::table::Table;
    pub use super::reflect::wire::{
        Active, ActiveMut, Fields, FieldsMut, OpenEnum, Target, Union, View,
    };
    pub use super::retain::unknown::{
        UnknownMembers, UnknownUnion, UnknownValue, unknown_members, unknown_value,
    };
}
