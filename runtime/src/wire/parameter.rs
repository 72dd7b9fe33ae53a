//! Values of path, query and header parameters.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use wire_rules::number;

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the value of a parameter",
    label = "not text, a number, a boolean, a date, a time or an enum",
    note = "pass an option with `set_if_some(value, Type::setter)`; implement `Param` for types of your own"
)]
/// A value of a path, query or header parameter: text, a number, a boolean, a date, a time, an enum.
///
/// Implement it for your own types, such as identifiers, to pass them directly.
pub trait Param {
    /// Returns the value as text, not yet percent-encoded.
    fn to_param(&self) -> Cow<'_, str>;

    /// Returns the reason why the value cannot be sent, if there is one: a number that is NaN or infinite.
    fn refusal(&self) -> Option<String> {
        None
    }
}

/// Implements [`Param`] for texts.
macro_rules! texts {
    ($($type:ty),+) => {$(
        impl Param for $type {
            fn to_param(&self) -> Cow<'_, str> {
                Cow::Borrowed(self)
            }
        }
    )+};
}

texts!(str, String, Cow<'_, str>);

impl Param for bool {
    fn to_param(&self) -> Cow<'_, str> {
        Cow::Borrowed(if *self { "true" } else { "false" })
    }
}

macro_rules! borrowed {
    ($($type:ty),+) => {$(
        impl<T: Param + ?Sized> Param for $type {
            fn to_param(&self) -> Cow<'_, str> {
                (**self).to_param()
            }

            fn refusal(&self) -> Option<String> {
                (**self).refusal()
            }
        }
    )+};
}

borrowed!(&T, Box<T>, Rc<T>, Arc<T>);

/// Implements [`Param`] through `Display`.
macro_rules! displayed {
    ($($type:ty),+) => {$(
        impl Param for $type {
            fn to_param(&self) -> Cow<'_, str> {
                Cow::Owned(self.to_string())
            }
        }
    )+};
}

displayed!(jiff::civil::Date, jiff::civil::DateTime, jiff::civil::Time);
#[cfg(feature = "uuid")]
displayed!(uuid::Uuid);
displayed!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// Implements [`Param`] for floats.
macro_rules! floats {
    ($($type:ty),+) => {$(
        impl Param for $type {
            fn to_param(&self) -> Cow<'_, str> {
                Cow::Owned(self.to_string())
            }

            fn refusal(&self) -> Option<String> {
                number::refusal(f64::from(*self)).map(|why| format!("it is {why}"))
            }
        }
    )+};
}

floats!(f32, f64);
