//! Places in a document.

use std::ops::Range;

use super::origins::Origins;
use crate::source_map::Pointer;

/// A place in a document, located in its text only for rendering.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Value(Pointer),
    /// The key of a property, or an element of a list.
    Key(Pointer),
    /// A range of bytes within the value of a pointer.
    Text(Pointer, Range<usize>),
}

impl Place {
    /// Returns the place of the whole document.
    pub(crate) fn document() -> Self {
        Self::Value(Pointer::root())
    }

    /// Returns the place of a value.
    pub(crate) fn value(pointer: &Pointer) -> Self {
        Self::Value(pointer.clone())
    }

    /// Returns the place of a property's key.
    pub(crate) fn key(pointer: &Pointer) -> Self {
        Self::Key(pointer.clone())
    }

    /// Returns the pointer to the place.
    pub(crate) fn pointer(&self) -> &Pointer {
        match self {
            Self::Value(pointer) | Self::Key(pointer) | Self::Text(pointer, _) => pointer,
        }
    }

    /// Returns whether operations can need the place, unlike `info`, `servers` and `tags`.
    pub(super) fn is_needed(&self) -> bool {
        let segments = self.pointer().segments();
        let parts = ["paths", "components", "security"];
        self.file().is_some()
            || segments.first().is_none_or(|field| parts.contains(field) || field.starts_with("x-"))
    }

    /// Returns the place where its value is written.
    pub(super) fn origin(&self, origins: &Origins) -> Self {
        match self {
            Self::Value(pointer) => Self::Value(origins.of(pointer)),
            Self::Key(pointer) => Self::Key(origins.of(pointer)),
            Self::Text(..) => self.clone(),
        }
    }

    /// Returns the file of the place; `None` for the document itself.
    pub(super) fn file(&self) -> Option<&str> {
        self.pointer().file()
    }
}
