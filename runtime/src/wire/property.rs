//! Names of properties as constants.

use std::fmt;
use std::marker::PhantomData;

/// The name of a property of `T` on the wire, for an update mask that is written by hand.
///
/// Emitted models have a constant for each property that an update can change.
pub struct Property<T> {
    name: &'static str,
    owner: PhantomData<fn() -> T>,
}

impl<T> Property<T> {
    #[doc(hidden)]
    pub const fn new(name: &'static str) -> Self {
        Self { name, owner: PhantomData }
    }

    /// Returns the name on the wire.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl<T> Clone for Property<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Property<T> {}

impl<T> fmt::Debug for Property<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.name, f)
    }
}

impl<T> fmt::Display for Property<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
