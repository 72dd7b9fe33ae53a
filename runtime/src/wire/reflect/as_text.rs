//! Values at places without a table, such as whole bodies, whose form differs from that of their Rust types.

use crate::wire::reflect::wire::{Fields, FieldsMut, Target, View, Wire};

/// A value whose integers are strings of decimal digits, and whose enums allow any text.
#[derive(Clone, Debug, Default)]
pub struct AsText<T>(pub T);

impl<T: Wire> Wire for AsText<T> {
    fn target(&mut self) -> Target<'_> {
        self.0.target()
    }

    fn view(&self) -> View<'_> {
        self.0.view()
    }

    fn fields<'a>(&'a self, visit: Fields<'_, 'a>) {
        self.0.fields(visit);
    }

    fn fields_mut(&mut self, visit: FieldsMut<'_>) {
        self.0.fields_mut(visit);
    }

    fn is_option(&self) -> bool {
        self.0.is_option()
    }

    fn is_text(&self) -> bool {
        true
    }

    fn null(&mut self) -> bool {
        self.0.null()
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

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
