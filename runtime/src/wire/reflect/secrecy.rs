//! Whether a type contains secrets: `Debug` does not show the JSON that is retained in place of its values.

use std::sync::OnceLock;

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

    /// Returns whether a search found secrets. There was one before anything was retained.
    pub(in crate::wire) fn is_known(&self) -> bool {
        self.0.get() == Some(&true)
    }
}
