//! Conversions of numbers.

/// A number of JSON or another format.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

/// The bound below which integers are exact as `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// 2^64, beyond all 64-bit integers.
const BEYOND_U64: f64 = 18_446_744_073_709_551_616.0;

impl Number {
    /// Parses a JSON number.
    pub(super) fn parse(digits: &str) -> Option<Self> {
        let unsigned = digits.parse().map(Self::Unsigned);
        let signed = || digits.parse().map(Self::Signed);
        unsigned.or_else(|_| signed()).or_else(|_| digits.parse().map(Self::Float)).ok()
    }

    /// Returns the number if it is a whole one.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only whole numbers within bounds are cast"
    )]
    pub(super) fn to_integer(self) -> Option<i128> {
        match self {
            Self::Signed(value) => Some(value.into()),
            Self::Unsigned(value) => Some(value.into()),
            Self::Float(value) => {
                (value.fract() == 0.0 && value.abs() <= BEYOND_U64).then_some(value as i128)
            }
        }
    }

    /// Returns the nearest float.
    #[expect(clippy::cast_precision_loss, reason = "the caller retains what is lost")]
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Self::Signed(value) => value as f64,
            Self::Unsigned(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Returns whether the number has a fraction or an exponent.
    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// Returns the JSON number; `None` for NaN and infinities, which only other formats have.
    pub(super) fn to_json(self) -> Option<serde_json::Number> {
        match self {
            Self::Signed(value) => Some(value.into()),
            Self::Unsigned(value) => Some(value.into()),
            Self::Float(value) => serde_json::Number::from_f64(value),
        }
    }
}

impl From<&serde_json::Number> for Number {
    fn from(number: &serde_json::Number) -> Self {
        if let Some(value) = number.as_u64() {
            Self::Unsigned(value)
        } else if let Some(value) = number.as_i64() {
            Self::Signed(value)
        } else {
            Self::Float(number.as_f64().unwrap_or(f64::NAN))
        }
    }
}

/// Returns a number as the integer that is written for it, if it is a whole one.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within bounds are cast")]
pub(super) fn whole(value: f64) -> Option<i64> {
    let exact = value.abs() < EXACT && (value != 0.0 || value.is_sign_positive());
    (exact && value.fract() == 0.0).then_some(value as i64)
}

/// Narrows to single precision.
#[expect(clippy::cast_possible_truncation, reason = "the caller retains what is lost")]
pub(super) fn narrow(value: f64) -> f32 {
    value as f32
}

/// Widens to the number with the same shortest decimal digits, which are written.
pub(super) fn widen(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::NAN)
}

/// Returns whether the text of an integer is as it would be written.
pub(super) fn is_canonical(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    match digits.as_bytes() {
        [b'0'] => digits.len() == text.len(),
        [b'0' | b'+', ..] => false,
        _ => true,
    }
}
