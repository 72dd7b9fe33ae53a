//! Values of path, query and header parameters.

use std::borrow::Cow;

use crate::wire::Timestamp;

/// A value of a path, query or header parameter.
pub trait Param {
    /// Returns the value as text, not yet percent-encoded.
    fn to_param(&self) -> Cow<'_, str>;
}

impl Param for str {
    fn to_param(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl Param for String {
    fn to_param(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl Param for bool {
    fn to_param(&self) -> Cow<'_, str> {
        Cow::Borrowed(if *self { "true" } else { "false" })
    }
}

impl<T: Param + ?Sized> Param for &T {
    fn to_param(&self) -> Cow<'_, str> {
        (**self).to_param()
    }
}

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

displayed!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, Timestamp);
