//! What a diagnostic points at.

use std::ops::Range;

use crate::source_map::Pointer;

/// A place in a document, found in its text only when it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A value.
    Value(Pointer),
    /// The key of a property; an element of a list has none, and is shown itself.
    Key(Pointer),
    /// A range of bytes of the file that a pointer is in.
    Text(Pointer, Range<usize>),
}

impl Place {
    /// Returns the place of the whole document.
    pub fn document() -> Self {
        Self::Value(Pointer::root())
    }

    /// Returns the place of a value.
    pub fn value(pointer: &Pointer) -> Self {
        Self::Value(pointer.clone())
    }

    /// Returns the place of a property's key.
    pub fn key(pointer: &Pointer) -> Self {
        Self::Key(pointer.clone())
    }

    /// Returns the pointer to the place; `None` for a place in a text.
    pub(crate) fn pointer(&self) -> Option<&Pointer> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => Some(pointer),
            Self::Text(..) => None,
        }
    }

    /// Returns the file that the place is in; `None` for the document itself.
    pub(super) fn file(&self) -> Option<&str> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) | Self::Text(pointer, _) => pointer.file(),
        }
    }
}
