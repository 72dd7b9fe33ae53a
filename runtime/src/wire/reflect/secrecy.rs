//! What logs, errors and recordings do not show of a value: secrets by their types or their names, and the JSON that is
//! retained in place of a value whose type contains secrets.

use std::sync::OnceLock;

use crate::secrets::names;

/// What is not shown of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::wire) enum Hidden {
    Nothing,
    /// Its texts and numbers, because of a name: neither booleans, nor times, nor the values of enums that the spec lists.
    Texts,
    /// All of it, because of a type or a mark.
    All,
}

impl Hidden {
    /// Returns what is hidden of a value with this name, within another value.
    pub(in crate::wire) fn named(self, name: &str) -> Self {
        if names::is_secret(name) { self.max(Self::Texts) } else { self }
    }
}

/// Whether a type contains secrets, as soon as that was needed.
pub(in crate::wire) struct Secrecy(OnceLock<bool>);

impl Secrecy {
    pub(in crate::wire) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Returns whether the type contains secrets, and searches it for the first call.
    pub(in crate::wire) fn contains_secrets(&self, has_secrets: impl FnOnce() -> bool) -> bool {
        *self.0.get_or_init(has_secrets)
    }

    /// Returns what is hidden of JSON in place of a value, within another one. There was a search before anything was
    /// retained.
    pub(in crate::wire) fn hides(&self, outer: Hidden) -> Hidden {
        if self.0.get() == Some(&true) { Hidden::All } else { outer }
    }
}
