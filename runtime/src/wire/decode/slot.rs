//! A value to decode, and the outcome.

use crate::wire::decode::context::Context;
use crate::wire::reflect::table::Format;
use crate::wire::reflect::wire::Wire;
use crate::wire::retain::original::Original;

/// A value that JSON is decoded into.
pub(super) struct Slot<'a> {
    pub wire: &'a mut dyn Wire,
    pub format: Format,
    pub context: &'a mut Context,
}

/// How a value was written. It is returned from every level, so it is small.
pub(super) enum Decoded {
    /// As encoding writes it.
    Canonical,
    /// Differently.
    Respelled(Box<Original>),
    /// As a null, which the type does not have. The value is unchanged.
    Null,
}

impl Decoded {
    pub fn respelled(original: Original) -> Self {
        Self::Respelled(Box::new(original))
    }
}
