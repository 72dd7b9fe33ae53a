//! Numbers: which fit where, and how they are written.

use serde_json::Number;

use super::Wire;
use super::view::{View, is_default};

/// A number as it came.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arrived {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

/// The bound below which every integer, and nothing else, is the `f64` that it reads as.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The integers as `f64`s that are out of reach: 2^63 and 2^64.
const BEYOND_I64: f64 = 9_223_372_036_854_775_808.0;
const BEYOND_U64: f64 = 18_446_744_073_709_551_616.0;

impl Arrived {
    /// Reads a number as JSON writes it.
    pub(super) fn parse(digits: &str) -> Option<Self> {
        let unsigned = digits.parse().map(Self::Unsigned);
        let signed = || digits.parse().map(Self::Signed);
        unsigned.or_else(|_| signed()).or_else(|_| digits.parse().map(Self::Float)).ok()
    }

    pub(super) fn to_i64(self) -> Option<i64> {
        match self {
            Self::Signed(value) => Some(value),
            Self::Unsigned(value) => i64::try_from(value).ok(),
            Self::Float(value) => float_to_i64(value),
        }
    }

    pub(super) fn to_u64(self) -> Option<u64> {
        match self {
            Self::Signed(value) => u64::try_from(value).ok(),
            Self::Unsigned(value) => Some(value),
            Self::Float(value) => float_to_u64(value),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "what is lost is noticed by the caller")]
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Self::Signed(value) => value as f64,
            Self::Unsigned(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Tells whether the number was written with a fraction or an exponent.
    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// Returns the number as a JSON number, or nothing for infinities and the like, which only other formats have.
    pub(super) fn to_json(self) -> Option<Number> {
        match self {
            Self::Signed(value) => Some(value.into()),
            Self::Unsigned(value) => Some(value.into()),
            Self::Float(value) => Number::from_f64(value),
        }
    }
}

impl From<&Number> for Arrived {
    fn from(number: &Number) -> Self {
        if let Some(value) = number.as_u64() {
            Self::Unsigned(value)
        } else if let Some(value) = number.as_i64() {
            Self::Signed(value)
        } else {
            Self::Float(number.as_f64().unwrap_or(f64::NAN))
        }
    }
}

/// Returns the integer that `value` is, if it is written without a fraction.
pub(super) fn whole(value: f64) -> Option<i64> {
    let exact = value.abs() < EXACT && (value != 0.0 || value.is_sign_positive());
    exact.then(|| float_to_i64(value)).flatten()
}

/// Tells whether a number is written as it came once it is an `f64`.
pub(super) fn is_canonical_float(arrived: Arrived) -> bool {
    match arrived {
        Arrived::Float(value) => whole(value).is_none(),
        Arrived::Signed(_) | Arrived::Unsigned(_) => whole(arrived.to_f64()).is_some(),
    }
}

/// Narrows to single precision.
#[expect(clippy::cast_possible_truncation, reason = "what is lost is noticed by the caller")]
pub(super) fn narrow(value: f64) -> f32 {
    value as f32
}

/// Widens to the number that has the same shortest decimal digits, which are the ones that are written.
pub(super) fn widen(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::NAN)
}

/// Tells whether `text` is how the integer that it spells is written.
pub(super) fn is_canonical(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    match digits.as_bytes() {
        [b'0'] => digits.len() == text.len(),
        [b'0' | b'+', ..] => false,
        _ => true,
    }
}

/// Tells whether `text` reads as the integer of `wire`.
pub(super) fn reads_as(text: &str, wire: &dyn Wire) -> bool {
    match wire.view() {
        View::Signed(value) if !text.is_empty() => text.parse() == Ok(value),
        View::Unsigned(value) if !text.is_empty() => text.parse() == Ok(value),
        _ => is_default(wire),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within bounds are cast")]
fn float_to_i64(value: f64) -> Option<i64> {
    (value.fract() == 0.0 && (-BEYOND_I64..BEYOND_I64).contains(&value)).then_some(value as i64)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "only whole numbers within bounds are cast"
)]
fn float_to_u64(value: f64) -> Option<u64> {
    (value.fract() == 0.0 && (0.0..BEYOND_U64).contains(&value)).then_some(value as u64)
}
