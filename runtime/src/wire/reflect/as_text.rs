//! Values at places without a table, such as whole bodies, whose form differs from that of their Rust types.

use crate::wire::reflect::wire::{Fields, View, Wire};

/// A value whose integers are strings of decimal digits, and whose enums allow any text.
#[derive(Clone, Debug, Default)]
pub struct AsText<T>(pub T);

/// A value that is only encoded.
impl<T: Wire + ?Sized> Wire for &T {
    fn view(&self) -> View<'_> {
        T::view(self)
    }

    fn fields<'a>(&'a self, visit: Fields<'_, 'a>) {
        T::fields(self, visit);
    }

    fn is_option(&self) -> bool {
        T::is_option(self)
    }

    fn is_text(&self) -> bool {
        T::is_text(self)
    }
}

/// Passes a value as a place writes it, which is `as_text` or not.
pub(crate) fn placed<R>(value: &dyn Wire, as_text: bool, pass: impl FnOnce(&dyn Wire) -> R) -> R {
    if as_text { pass(&AsText(value)) } else { pass(value) }
}
