//! Whether a value has changed since it was decoded.

use crate::wire::number;
use crate::wire::reflect::wire::{View, Wire};
use crate::wire::retain::original::Original;
use crate::wire::timestamp::Timestamp;

/// Returns whether the original of a scalar still decodes to the value of `wire`.
#[expect(clippy::float_cmp, reason = "an unchanged value is exactly equal")]
pub(super) fn reads_as(original: &Original, wire: &dyn Wire, as_text: bool) -> bool {
    match (original, wire.view()) {
        (_, View::Secret(inner)) => reads_as(original, inner, as_text),
        (Original::Null, _) => wire.is_default(),
        (
            Original::Text(text),
            View::Absent | View::Timestamp(_) | View::Signed(_) | View::Unsigned(_),
        ) if text.is_empty() => wire.is_default(),
        (Original::Text(text), View::Timestamp(value)) => {
            text.parse::<Timestamp>().is_ok_and(|read| read == value)
        }
        (Original::Text(text), View::Signed(value)) if as_text => text.parse() == Ok(value),
        (Original::Text(text), View::Unsigned(value)) if as_text => text.parse() == Ok(value),
        (Original::Number(number), View::Signed(value)) => {
            number::integer(number) == Some(value.into())
        }
        (Original::Number(number), View::Unsigned(value)) => {
            number::integer(number) == Some(value.into())
        }
        (Original::Number(number), View::F32(value)) => {
            number::narrow(number::float(number)) == value
        }
        (Original::Number(number), View::F64(value)) => number::float(number) == value,
        _ => false,
    }
}
