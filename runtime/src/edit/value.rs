//! Values that are being edited.

use std::ops::{Deref, DerefMut};

use super::changes::{EditedPath, changes};
use crate::wire::Model;

/// A value with the original that it is compared with.
///
/// It dereferences to the value, whose fields are assigned as usual: `edit.display_name = Some(…)`, or
/// `edit.expires_time = None` to clear one. The request of an operation with an update mask sends the changes
/// (`send_edit`), with their names in the mask. Undescribed properties
/// ([`Model::set_unknown`](crate::Model::set_unknown)) are also compared and sent. A field whose value its type cannot
/// hold is already `None`: [`Model::remove_unknown`](crate::Model::remove_unknown) clears the property.
#[derive(Clone, Debug)]
#[must_use = "an edit changes nothing until a request sends it"]
pub struct Edit<T> {
    original: T,
    value: T,
}

impl<T: Model> Edit<T> {
    /// Begins an edit of a value as the server returned it.
    pub fn new(original: T) -> Self
    where
        T: Clone,
    {
        Self { value: original.clone(), original }
    }

    /// Compares a value with its original.
    pub fn between(original: T, value: T) -> Self {
        Self { original, value }
    }

    /// Returns the value without the changes.
    pub fn original(&self) -> &T {
        &self.original
    }

    /// Returns the value with the changes.
    pub fn into_value(self) -> T {
        self.value
    }

    /// Returns the names, on the wire, of the properties that differ from the original because they were set, changed
    /// or cleared. The names are sorted.
    pub fn changes(&self) -> Vec<String> {
        changes(&self.original, &self.value, false).iter().map(EditedPath::path).collect()
    }

    /// Returns whether a property differs from the original.
    pub fn is_changed(&self) -> bool {
        !changes(&self.original, &self.value, false).is_empty()
    }
}

impl<T> Deref for Edit<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Edit<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}
