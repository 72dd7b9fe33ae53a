//! Integers of models, and integers that setters take.

/// An integer of any width.
pub trait Integer {
    /// Sets the value and returns whether it fits.
    fn set(&mut self, value: i128) -> bool;

    /// Returns the expected JSON type, with its article.
    fn expected(&self) -> &'static str;

    /// Returns whether the spec allows the value.
    fn is_described(&self) -> bool {
        true
    }

    /// Returns the reason why a value does not fit.
    fn misfit(&self, value: i128) -> String {
        format!("{value} is not {}", self.expected())
    }
}

/// An integer that a setter takes for a `T`: of any primitive type except `u128`, such as `usize`.
///
/// The setter checks it. A request with an integer that is not a `T` fails when it is sent, and nothing is sent. The
/// last value counts: if the setter is called again with a value that fits, or the field of the model is set to one, the
/// request can be sent. A rejected integer leaves the default of the field's type (`None` or 0), which is not such a value.
///
/// Elements of lists of a model, and bodies that are an integer, take `Into<T>` instead: a value that does not fit has no
/// place there.
///
/// Implement it for your own types, such as identifiers, to pass them directly: for every `T`, and together with
/// [`Param`](crate::Param). A parameter with a wider type, or one that is a text now, takes all integers as before, so a
/// report of changes does not list it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer",
    label = "not an integer",
    note = "pass an option with `set_if_some(value, Type::setter)`; implement `IntoInteger` for types of your own"
)]
pub trait IntoInteger<T> {
    /// Returns the value, which the setter checks.
    fn into_integer(self) -> i128;
}

/// Implements [`IntoInteger`] for types whose values are all an `i128`.
macro_rules! integers {
    ($($type:ty)+) => {$(
        impl<T> IntoInteger<T> for $type {
            #[inline]
            #[allow(clippy::cast_lossless, reason = "`From` does not convert `usize` and `isize`")]
            fn into_integer(self) -> i128 {
                self as i128
            }
        }
    )+};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

/// Returns the value of a setter as the type that is sent.
///
/// # Errors
///
/// Fails with the reason if it is out of range.
pub(crate) fn checked<T: Integer + Default>(value: impl IntoInteger<T>) -> Result<T, String> {
    let value = value.into_integer();
    let mut integer = T::default();
    if integer.set(value) { Ok(integer) } else { Err(integer.misfit(value)) }
}
