//! Types that hold a single value.

use jiff::Timestamp;
use jiff::civil::Date;

use super::target::Target;
use super::view::View;
use super::{Map, Value, Wire};

/// Implements [`Wire`] for a type that has a target and a view of its own.
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
        }
    )+};
}

scalar! {
    bool: Bool, value => View::Bool(*value);
    i32: I32, value => View::Signed(i64::from(*value));
    i64: I64, value => View::Signed(*value);
    u32: U32, value => View::Unsigned(u64::from(*value));
    u64: U64, value => View::Unsigned(*value);
    f32: F32, value => View::F32(*value);
    f64: F64, value => View::F64(*value);
    String: String, value => View::Text(value);
    Timestamp: Timestamp, value => View::Timestamp(value);
    Date: Date, value => View::Date(value);
    Map: Map, value => View::Map(value);
}

impl Wire for Value {
    fn target(&mut self) -> Target<'_> {
        Target::Value(self)
    }

    fn view(&self) -> View<'_> {
        View::Value(self)
    }

    fn null(&mut self) -> bool {
        *self = Self::Null;
        true
    }
}

/// What an operation returns that has nothing to tell: any body will do.
impl Wire for () {
    fn target(&mut self) -> Target<'_> {
        Target::Nothing
    }

    fn view(&self) -> View<'_> {
        View::Absent
    }

    fn null(&mut self) -> bool {
        true
    }
}
