//! The wire format: how emitted models become JSON and JSON becomes models, without losing anything on the way.
//!
//! Emitted code only describes: a macro call names the members of a type (`object!`, `union!`, `open_enum!`), and what
//! it expands to is tables and trait objects, so that a large emitted crate stays quick to compile. All the work is done
//! here, once, over two small enums: decoding writes to a [`Target`](target::Target), encoding reads a
//! [`View`](view::View).
//!
//! - `target`, `view`, `container`, `scalar`, `object`, `union`, `open_enum`: what a type shows of itself.
//! - `decode`, `seed`, `members`, `alternatives`, `elements`, `store`: from JSON to targets.
//! - `encode`, `sink`, `json`: from views to JSON. `debug`: from views to text.
//! - `unknown`, `kept`: what a model keeps beside its fields, so that nothing is lost.
//! - `error`, `drift`, `notes`: what decoding has to tell.
//!
//! `internal` lists what emitted code needs; the crate's own `internal` module offers it.
//!
//! Decoding and encoding again gives the same JSON, but for these:
//!
//! - the order of members, white space, and the escapes in strings;
//! - optional members that are null, which are left out;
//! - of members with the same name, all but the last;
//! - numbers that `f64` cannot hold exactly and that are no 64-bit integers;
//! - how a value was spelled that is decoded by itself, outside of any object: a list of date-times, say.

mod alternatives;
mod container;
mod debug;
mod decode;
mod drift;
mod elements;
mod encode;
mod error;
mod form;
mod json;
mod kept;
mod lookup;
mod members;
mod model;
mod notes;
mod number;
mod object;
mod open_enum;
mod scalar;
mod secret;
mod seed;
mod sink;
mod store;
mod target;
mod time;
mod union;
mod unknown;
mod view;

pub(crate) use self::decode::decode;
pub use self::drift::{Drift, DriftKind};
pub(crate) use self::encode::encode;
pub use self::error::DecodeError;
pub use self::model::Model;
pub use self::secret::{Secret, Sensitive};
use self::target::Target;
pub use self::unknown::{UnknownMembers, UnknownUnion, UnknownValue};
use self::view::View;

/// Any JSON value.
pub type Value = serde_json::Value;

/// A JSON object of which nothing is described.
pub type Map = serde_json::Map<String, Value>;

/// A value that has a form on the wire.
///
/// Implemented for every type that a field can have. Models implement it through the macros in
/// [`internal`](crate::internal).
pub trait Wire {
    /// Returns the place that decoding writes to. An option that is `None` becomes `Some` of the default.
    fn target(&mut self) -> Target<'_>;

    /// Returns what encoding writes.
    fn view(&self) -> View<'_>;

    /// Takes a null and tells whether the type has one. If not, the value stays as it is.
    fn null(&mut self) -> bool {
        false
    }

    /// Puts the default back.
    fn clear(&mut self) {
        target::reset(self.target());
    }
}

/// What emitted code and its macros use. Not for people.
pub mod internal {
    pub use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub use super::Wire;
    pub use super::debug::debug;
    pub use super::decode::{decode, deserialize};
    pub use super::encode::{encode, serialize};
    pub use super::form::{Form, Int64Text, Spelling, UInt64Text};
    pub use super::lookup::Index;
    pub use super::model::Model;
    pub use super::object::{Additional, Member, Object, Table, VisitSlots, VisitSlotsMut};
    pub use super::open_enum::{OpenEnum, position};
    pub use super::target::Target;
    pub use super::union::{Active, ActiveMut, Union};
    pub use super::unknown::{
        UnknownMembers, UnknownUnion, UnknownValue, unknown_members, unknown_value,
    };
    pub use super::view::View;
}
