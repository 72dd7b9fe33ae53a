//! A value to decode, and what becomes of it.

use crate::wire::decode::context::Context;
use crate::wire::reflect::table::Format;
use crate::wire::reflect::wire::Wire;
use crate::wire::retain::original::Original;

/// A value about to be decoded into its place.
pub(super) struct Seed<'a> {
    pub wire: &'a mut dyn Wire,
    pub format: Format,
    pub context: &'a mut Context,
}

/// What becomes of a value.
pub(super) enum Outcome {
    /// It was stored, and is written as it came.
    Stored,
    /// It was stored, but would be written otherwise.
    Respelled(Original),
    /// It is a null, which the type does not have. Nothing was stored.
    Null,
}
