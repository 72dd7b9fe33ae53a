//! Numbers that `serde_json` rounds or refuses, with their digits, and texts that it refuses.
//!
//! It reads integers beyond 64 bits as the nearest float, and fails for numbers beyond all floats. A text with such numbers
//! is read with placeholders in their place: subnormal floats, whose bits are the index of the digits. Subnormal numbers of
//! the text get placeholders, too, and numbers that only as floats are whole.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::{iter, str};

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, IgnoredAny};
use serde_json::{Error, Number};

use wire_rules::nearest::{self, replaced};
use wire_rules::number;

use crate::wire::value::Value;

/// The digits of the numbers with a placeholder. By default, there are none.
#[derive(Default)]
pub(crate) struct Digits {
    numbers: Option<Vec<String>>,
    /// Whether an integer, or a value of another crate, was read from a float that may have other digits.
    pub are_missed: bool,
}

/// Maximum number of digits that every float has.
const MAX_FLOAT_DIGITS: usize = 15;

/// JSON with numbers of any digits.
#[derive(Clone, PartialEq)]
pub(super) struct Exact(pub String);

/// Reads JSON whose numbers can have any digits. `read` gets the text with placeholders.
pub(super) fn read<T, E>(
    text: &str,
    mut read: impl FnMut(&str, &mut Digits) -> Result<T, E>,
) -> Result<T, E> {
    let mut digits = Digits::new();
    if (has_long_number(text.as_bytes()) || number_name().is_some())
        && let Some(text) = digits.replace(text)
    {
        return read(&text, &mut digits);
    }
    let mut none = Digits::default();
    let result = read(text, &mut none);
    // Numbers beyond all floats are errors.
    if result.is_ok() && !none.are_missed {
        return result;
    }
    match digits.replace(text) {
        Some(text) => read(&text, &mut digits),
        None => result,
    }
}

/// Reads JSON as nearly as `serde_json` can: numbers beyond all floats are the largest, unpaired surrogates U+FFFD.
pub(crate) fn nearest<T: DeserializeOwned>(json: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(json).or_else(|error| {
        let text = str::from_utf8(json).ok().and_then(nearest::text);
        text.map_or(Err(error), |text| serde_json::from_str(&text))
    })
}

/// Returns the name of the property of the objects as which `serde_json` passes numbers, if a crate of the program enables
/// its feature `arbitrary_precision`.
pub(super) fn number_name() -> Option<&'static str> {
    static NAME: LazyLock<Option<String>> = LazyLock::new(|| {
        let number: Number = "1e400".parse().ok()?;
        let object = BTreeMap::<String, String>::deserialize(number).ok()?;
        object.into_keys().next()
    });
    NAME.as_deref()
}

impl Digits {
    /// Returns the digits of the numbers that are read with them.
    pub fn new() -> Self {
        Self { numbers: Some(Vec::new()), are_missed: false }
    }

    /// Returns the digits of a placeholder.
    pub fn of(&self, number: &Number) -> Option<&str> {
        let digits = self.numbers.as_ref()?;
        let index = number.as_f64().filter(|float| float.is_subnormal())?.to_bits() - 1;
        digits.get(usize::try_from(index).ok()?).map(String::as_str)
    }

    /// Writes the numbers with a placeholder as texts, which have all digits, and returns whether there are any.
    pub fn spell(&mut self, value: &mut Value) -> bool {
        match value {
            Value::Number(number) => {
                self.are_missed |= number.is_f64();
                let Some(digits) = self.of(number) else { return false };
                *value = digits.into();
                true
            }
            Value::Array(items) => items.iter_mut().fold(false, |any, it| self.spell(it) | any),
            Value::Object(all) => all.values_mut().fold(false, |any, it| self.spell(it) | any),
            _ => false,
        }
    }

    /// Reads JSON that this crate wrote, with placeholders.
    pub fn parse<T: DeserializeOwned>(&mut self, json: &[u8]) -> Result<T, Error> {
        let text = self.replace(str::from_utf8(json).unwrap_or_default());
        text.map_or_else(|| serde_json::from_slice(json), |text| serde_json::from_str(&text))
    }

    /// Returns a value with placeholders as JSON, and passes the digits in it. `None` if there are none.
    pub fn restore(&self, value: &impl Serialize, mut found: impl FnMut(&str)) -> Option<String> {
        self.numbers.as_ref()?;
        replaced(&serde_json::to_string(value).ok()?, |token| {
            let digits = self.of(&token.parse().ok()?)?;
            found(digits);
            Some(digits.to_owned())
        })
    }

    /// Replaces numbers that `serde_json` would change, without moving the others. `None` if there are none.
    fn replace(&mut self, text: &str) -> Option<String> {
        let numbers = self.numbers.as_mut()?;
        replaced(text, |digits| {
            is_inexact(digits).then(|| {
                numbers.push(digits.to_owned());
                let mut placeholder = format!("{:e}", f64::from_bits(numbers.len() as u64));
                // Not by a width, which has 16 bits.
                placeholder
                    .extend(iter::repeat_n(' ', digits.len().saturating_sub(placeholder.len())));
                placeholder
            })
        })
    }
}

/// Returns whether a token is a number that `serde_json` may change: it has more digits than all floats have, is only as a float a
/// whole one, or is placed as placeholders are.
fn is_inexact(digits: &str) -> bool {
    let is_inexact = if number::is_integer(digits) {
        digits.parse::<i64>().is_err() && digits.parse::<u64>().is_err()
    } else {
        let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
        let mantissa = mantissa.trim_matches(['-', '0', '.']);
        mantissa.bytes().filter(u8::is_ascii_digit).count() > MAX_FLOAT_DIGITS
            || digits.parse().is_ok_and(|float: f64| {
                let is_whole = float.fract() == 0.0;
                float.is_infinite() || float.is_subnormal() || is_whole && !number::is_whole(digits)
            })
    };
    is_inexact && serde_json::from_str::<IgnoredAny>(digits).is_ok()
}

/// Returns whether a text has 20 digits in a row, or 19 after a sign, as integers beyond 64 bits. It is enough to look at
/// every 19th byte.
fn has_long_number(text: &[u8]) -> bool {
    const STEP: usize = 19;
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let mut chunks = text.chunks_exact(STEP).enumerate();
    chunks.any(|(index, chunk)| {
        chunk.last().is_some_and(u8::is_ascii_digit) && {
            let (before, after) = text.split_at((index + 1) * STEP);
            let ahead = before.iter().rev().take_while(is_digit).count();
            let has_sign = before.iter().rev().nth(ahead) == Some(&b'-');
            ahead + after.iter().take_while(is_digit).count() + usize::from(has_sign) > STEP
        }
    })
}
