//! The wire format: how emitted models become JSON and JSON becomes models, without losing anything on the way.
//!
//! Emitted code only describes: a macro call names the members of a type (`object!`, `union!`, `open_enum!`), and what
//! it expands to is tables and trait objects, so that a large emitted crate stays quick to compile. All the work is done
//! here, once, over two small enums: decoding writes to a [`Target`](target::Target), encoding reads a
//! [`View`](view::View).
//!
//! - `target`, `view`, `container`, `scalar`, `object`, `table`, `union`, `open_enum`: what a type shows of itself.
//! - `decode`, `seed`, `members`, `alternatives`, `elements`, `store`: from JSON to targets.
//! - `encode`, `sink`, `json`: from views to JSON. `debug`: from views to text. `equal`: whether two views show the same.
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
//! - how a value was spelled, and which elements were null, where no object with described members is around it: in a
//!   list of date-times that is decoded by itself, say, or in a union of such lists.
//!
//! These bodies are no models at all, and decoding them is an error that says where: integers beyond 64 bits where an
//! integer is described, numbers beyond `f64`, halves of surrogate pairs, and more than 127 levels of nesting.

mod alternatives;
mod container;
mod debug;
mod decode;
mod drift;
mod elements;
mod encode;
mod equal;
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
mod table;
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
use self::object::{Fields, FieldsMut};
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
/// [`internal`](crate::internal). What is not overridden is that of an object whose members are described, so that the
/// most frequent types need the fewest functions.
pub trait Wire {
    /// Returns the place that decoding writes to. An option that is `None` becomes `Some` of the default.
    fn target(&mut self) -> Target<'_> {
        Target::Object
    }

    /// Returns what encoding writes.
    fn view(&self) -> View<'_> {
        View::Object
    }

    /// Shows the fields of an object whose members are described.
    fn fields<'a>(&'a self, _fields: Fields<'_, 'a>) {}

    /// Gives out the fields of an object whose members are described.
    fn fields_mut(&mut self, _fields: FieldsMut<'_>) {}

    /// Takes a null and tells whether the type has one. If not, the value stays as it is.
    fn null(&mut self) -> bool {
        false
    }

    /// Puts the default back.
    fn clear(&mut self) {
        if let Target::Object = self.target() {
            self.fields_mut(FieldsMut::new(&mut object::clear));
        } else {
            target::reset(self.target());
        }
    }
}

/// What emitted code and its macros use. Not for people.
pub mod internal {
    pub use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub use super::Wire;
    pub use super::debug::debug;
    pub use super::decode::{decode, deserialize};
    pub use super::encode::{encode, serialize};
    pub use super::equal::equal;
    pub use super::model::Model;
    pub use super::object::{Fields, FieldsMut};
    pub use super::open_enum::{OpenEnum, position};
    pub use super::table::Table;
    pub use super::target::Target;
    pub use super::union::{Active, ActiveMut, Union};
    pub use super::unknown::{
        UnknownMembers, UnknownUnion, UnknownValue, unknown_members, unknown_value,
    };
    pub use super::view::View;
}
