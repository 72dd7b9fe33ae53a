//! What a diagnostic points at.

use std::ops::Range;

use crate::source_map::Pointer;

/// A place in the description, found in its text only when it must be shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The document as a whole.
    Document,
    /// The value that a pointer leads to.
    Value(Pointer),
    /// The key of the member that a pointer leads to; the value, where that is an element of a list.
    Key(Pointer),
    /// A range of bytes of the text.
    Text(Range<usize>),
}

impl Place {
    /// Returns the place of a value.
    pub fn value(pointer: &Pointer) -> Self {
        Self::Value(pointer.clone())
    }

    /// Returns the place of a member's key.
    pub fn key(pointer: &Pointer) -> Self {
        Self::Key(pointer.clone())
    }
}
