//! Scalars, and the empty object.

use std::borrow::Cow;

use secrecy::zeroize::Zeroize as _;

use crate::wire::exact::Exact;
use crate::wire::integer::Integer;
use crate::wire::parameter::Param;
use crate::wire::reflect::secret::Sensitive;
use crate::wire::reflect::table::Table;
use crate::wire::reflect::wire::{Fields, FieldsMut, Target, View, Wire};
use crate::wire::timestamp::Timestamp;
use crate::wire::unknown::UnknownProperties;
use crate::wire::value::Value;

/// Implements [`Wire`] for types with one target and view.
macro_rules! scalar {
    ($($type:ty: $target:ident, $value:ident => $view:expr;)+) => {$(
        impl Wire for $type {
            fn target(&mut self) -> Target<'_> {
                Target::$target(self)
            }

            fn view(&self) -> View<'_> {
                let $value = self;
                $view
            }

            fn clear(&mut self) {
                *self = Self::default();
            }
        }
    )+};
}

/// Implements [`Wire`] and [`Sensitive`] for types whose memory can be overwritten.
macro_rules! plain_scalar {
    ($($type:ty: $target:ident, $value:ident => $view:expr;)+) => {$(
        scalar!($type: $target, $value => $view;);

        impl Sensitive for $type {
            fn wipe(&mut self) {
                self.zeroize();
            }
        }
    )+};
}

plain_scalar! {
    bool: Bool, value => View::Bool(*value);
    i32: Integer, value => View::Integer((*value).into());
    i64: Integer, value => View::Integer((*value).into());
    u32: Integer, value => View::Integer((*value).into());
    u64: Integer, value => View::Integer((*value).into());
    i128: Integer, value => View::Integer(*value);
    f64: F64, value => View::F64(*value);
    String: String, value => View::Text(value);
}

/// Implements what every scalar in text has: its wire format, also as a parameter and as a secret.
macro_rules! text_scalar {
    ($type:ident) => {
        scalar! {
            $type: Scalar, value => View::Scalar(value);
        }

        impl Sensitive for $type {
            fn wipe(&mut self) {
                *self = Self::default();
            }
        }

        impl Param for $type {
            fn to_param(&self) -> Cow<'_, str> {
                Cow::Owned(self.to_string())
            }
        }

        crate::__serde!($type);
    };
}

text_scalar!(Timestamp);

/// Implements [`Integer`].
macro_rules! integer {
    ($($type:ty: $expected:literal;)+) => {$(
        impl Integer for $type {
            fn set(&mut self, value: i128) -> bool {
                Self::try_from(value).map(|value| *self = value).is_ok()
            }

            fn expected(&self) -> &'static str {
                $expected
            }
        }
    )+};
}

integer! {
    i32: "a 32-bit integer";
    i64: "a 64-bit integer";
    u32: "an unsigned 32-bit integer";
    u64: "an unsigned 64-bit integer";
    i128: "an integer";
}

impl Wire for Value {
    fn target(&mut self) -> Target<'_> {
        Target::Value(self)
    }

    fn view(&self) -> View<'_> {
        View::Value(self)
    }

    fn null(&mut self) -> bool {
        self.clear();
        true
    }

    fn clear(&mut self) {
        *self = Self::Null;
    }
}

impl Wire for Exact {
    fn view(&self) -> View<'_> {
        View::Exact(&self.0)
    }
}

/// The body of an operation without a result: an object without described properties.
impl Wire for () {
    fn fields<'a>(&'a self, visit: Fields<'_, 'a>) {
        static TABLE: Table = Table::new("()", &[]);
        visit(&TABLE, &[], &UnknownProperties::NOTHING);
    }

    fn fields_mut(&mut self, visit: FieldsMut<'_>) {
        visit(&mut [], &mut UnknownProperties::default());
    }
}
