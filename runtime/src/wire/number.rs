//! Conversions of numbers.

use serde_json::Number;

/// The bound below which integers are exact as `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// 2^64, beyond all 64-bit integers.
const BEYOND_U64: f64 = 18_446_744_073_709_551_616.0;

/// Returns a number if it is a whole one.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within bounds are cast")]
pub(super) fn integer(number: &Number) -> Option<i128> {
    number.as_i128().or_else(|| {
        let value = float(number);
        (value.fract() == 0.0 && value.abs() <= BEYOND_U64).then_some(value as i128)
    })
}

/// Returns the nearest float.
pub(super) fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Returns a number as the integer that is written for it, if it is a whole one.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within bounds are cast")]
pub(super) fn whole(value: f64) -> Option<i64> {
    let exact = value.abs() < EXACT && (value != 0.0 || value.is_sign_positive());
    (exact && value.fract() == 0.0).then_some(value as i64)
}

/// Narrows to single precision.
#[expect(clippy::cast_possible_truncation, reason = "single precision is described")]
pub(super) fn narrow(value: f64) -> f32 {
    value as f32
}

/// Widens to the number with the same shortest decimal digits, which are written.
pub(super) fn widen(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::NAN)
}
