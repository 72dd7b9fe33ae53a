//! Conversions of numbers.

use serde_json::Number;

/// The bound below which integers are exact as `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// 2^64, beyond all 64-bit integers.
const BEYOND_U64: f64 = 18_446_744_073_709_551_616.0;

/// Returns a number if it is a whole one.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within bounds are cast")]
pub fn integer(number: &Number) -> Option<i128> {
    number.as_i128().or_else(|| {
        let value = float(number);
        (value.fract() == 0.0 && value.abs() <= BEYOND_U64).then_some(value as i128)
    })
}

/// Returns whether two numbers are equal by value: `1.0` is 1 (JSON Schema, section 4.2.2).
pub fn are_equal(one: &Number, other: &Number) -> bool {
    match (integer(one), integer(other)) {
        (None, None) => one == other,
        (one, other) => one == other,
    }
}

/// Returns whether a text is an integer of any size.
pub fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a number as JSON has it, with any digits, is a whole one.
pub fn is_whole(number: &str) -> bool {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    let exponent = i128::from(exponent.parse().unwrap_or(i64::MIN));
    // Its last digit is at the place of this power of ten.
    let place = exponent + (digits.len() - significant.len()) as i128 - fraction.len() as i128;
    place >= 0 || significant.trim_matches('-').is_empty()
}

/// Returns the nearest float.
pub fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Returns a number as the integer that is written for it, if it is a whole one.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within bounds are cast")]
pub fn whole(value: f64) -> Option<i64> {
    let exact = value.abs() < EXACT && (value != 0.0 || value.is_sign_positive());
    (exact && value.fract() == 0.0).then_some(value as i64)
}

/// Returns whether a number is an integer that differs from its nearest float, and from the text of that float.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, which no integer equals")]
pub fn is_rounded(digits: &str, float: f64) -> bool {
    if float.abs() < EXACT || !is_integer(digits) || digits.parse() == Ok(float as i128) {
        return false;
    }
    !is_text_of(digits, float)
}

/// Returns whether the nearest float is no substitute for a number: it is not finite, or the number is an integer that is
/// written otherwise than the float.
pub fn is_changed(digits: &str) -> bool {
    let float = digits.parse().unwrap_or(f64::NAN);
    !float.is_finite() || is_integer(digits) && !is_text_of(digits, float)
}

fn is_text_of(digits: &str, float: f64) -> bool {
    let digits = digits.trim_start_matches('-');
    let written = format!("{:e}", float.abs());
    let (mantissa, exponent) = written.split_once('e').unwrap_or_default();
    mantissa.replace('.', "").trim_end_matches('0') == digits.trim_end_matches('0')
        && exponent.parse() == Ok(digits.len() - 1)
}

/// Returns the reason why a float cannot be sent, if there is one: JSON has neither NaN nor infinities.
pub fn refusal(value: f64) -> Option<String> {
    (!value.is_finite()).then(|| format!("{value}, which is not a number in JSON"))
}
