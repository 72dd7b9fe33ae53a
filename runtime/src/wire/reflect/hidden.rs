//! What logs, errors and recordings do not show of a value.

use crate::secrets::is_secret;

/// What is not shown of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::wire) enum Hidden {
    Nothing,
    /// Its texts and numbers, because of a name: neither booleans, nor times, nor the values of enums that the spec lists.
    Texts,
    /// Its scalars, but not the names of its properties, because nothing describes it.
    Scalars,
    /// All of it, because of a type or a mark.
    All,
}

impl Hidden {
    /// Returns what is hidden of a value with this name, within another value.
    pub(in crate::wire) fn named(self, name: &str) -> Self {
        let secret = if self == Self::Scalars { Self::All } else { Self::Texts };
        if is_secret(name) { self.max(secret) } else { self }
    }
}
