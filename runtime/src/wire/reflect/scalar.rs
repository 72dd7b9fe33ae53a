//! Scalars, and the empty object.

use crate::wire::exact::Exact;
use crate::wire::integer::Integer;
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

scalar! {
    bool: Bool, value => View::Bool(*value);
    i32: Integer, value => View::Signed(i64::from(*value));
    i64: Integer, value => View::Signed(*value);
    u32: Integer, value => View::Unsigned(u64::from(*value));
    u64: Integer, value => View::Unsigned(*value);
    i128: Integer, value => View::Wide(*value);
    f64: F64, value => View::F64(*value);
    String: String, value => View::Text(value);
    Timestamp: Timestamp, value => View::Timestamp(*value);
}

crate::__serde!(Timestamp);

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
        visit.pass(&TABLE, &[], &UnknownProperties::NOTHING);
    }

    fn fields_mut(&mut self, visit: FieldsMut<'_>) {
        visit.pass(&mut [], &mut UnknownProperties::default());
    }
}
