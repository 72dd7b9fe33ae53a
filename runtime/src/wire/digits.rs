//! Numbers that `serde_json` cannot hold, with their digits.
//!
//! `serde_json` reads integers beyond 64 bits as the nearest float, and fails for numbers beyond all floats. With its
//! feature `arbitrary_precision` it keeps the digits, and passes numbers to visitors as objects with one property; but a
//! feature changes `serde_json` for the whole program. Hence such numbers are replaced by these objects before they are
//! decoded, and written as numbers again.

use std::sync::LazyLock;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Number;

use crate::wire::encode::text::{enclose, json, string};
use crate::wire::number;
use crate::wire::value::{Map, Value};

/// The name of the property with the digits.
pub(super) const NAME: &str = "$serde_json::private::Number";

/// The number of digits of integers that may be beyond 64 bits; with a sign, one less.
const LONG: usize = 20;

/// Reads JSON whose numbers can have any digits. `read` gets the text, and whether objects represent numbers in it.
pub(super) fn read<T, E>(
    text: &str,
    mut read: impl FnMut(&str, bool) -> Result<T, E>,
) -> Result<T, E> {
    if has_long_number(text.as_bytes())
        && let Some(text) = replaced(text)
    {
        return read(&text, true);
    }
    // Numbers beyond all floats are errors.
    read(text, are_kept()).or_else(|error| match replaced(text) {
        Some(text) => read(&text, true),
        None => Err(error),
    })
}

/// Reads JSON that this crate wrote.
///
/// # Errors
///
/// Fails if it does not have the type.
pub(super) fn parse<T: DeserializeOwned>(json: &[u8]) -> Result<T, serde_json::Error> {
    match str::from_utf8(json) {
        Ok(text) => read(text, |text, _| serde_json::from_str(text)),
        Err(_) => serde_json::from_slice(json),
    }
}

/// Returns whether `serde_json` keeps the digits of all numbers, because a crate of the program enables its feature
/// `arbitrary_precision`.
pub(super) fn are_kept() -> bool {
    static ARE_KEPT: LazyLock<bool> =
        LazyLock::new(|| serde_json::from_str::<Number>("1e400").is_ok());
    *ARE_KEPT
}

/// Returns whether an object with these digits represents a number.
pub(super) fn is_represented(digits: &str) -> bool {
    is_beyond(digits) || are_kept() && is_number(digits)
}

/// Writes a JSON value.
pub(super) fn write(body: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => json(body, value),
        Value::String(text) => string(body, text),
        Value::Array(items) => {
            let start = body.len();
            for item in items {
                body.push(b',');
                write(body, item);
            }
            enclose(body, start, *b"[]");
        }
        Value::Object(properties) => {
            if let Some(digits) = in_object(properties) {
                return body.extend_from_slice(digits.as_bytes());
            }
            let start = body.len();
            for (name, value) in properties {
                body.push(b',');
                string(body, name);
                body.push(b':');
                write(body, value);
            }
            enclose(body, start, *b"{}");
        }
    }
}

/// Returns a number as a value that retains its digits.
pub(super) fn value(digits: &str) -> Value {
    match digits.parse::<Number>() {
        Ok(number) if !is_beyond(digits) || number.to_string() == digits => Value::Number(number),
        _ => Value::Object(Map::from_iter([(NAME.to_owned(), digits.into())])),
    }
}

/// Returns whether `serde_json` has no number with these digits.
pub(super) fn is_beyond(digits: &str) -> bool {
    let is_integer = number::is_integer(digits);
    if is_integer && (digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok()) {
        return false;
    }
    is_number(digits) && (is_integer || digits.parse().is_ok_and(f64::is_infinite))
}

/// Returns the number that an object represents if `serde_json` keeps the digits of all numbers.
pub(super) fn kept(properties: &Map) -> Option<Number> {
    let digits = properties.get(NAME).filter(|_| properties.len() == 1 && are_kept())?;
    digits.as_str().filter(|digits| is_number(digits))?.parse().ok()
}

/// Returns the digits of the number that an object represents. Other objects with this name come from a server.
pub(super) fn in_object(properties: &Map) -> Option<&str> {
    let digits = properties.get(NAME).filter(|_| properties.len() == 1)?.as_str()?;
    is_beyond(digits).then_some(digits)
}

/// Returns whether a text is a number in JSON.
pub(super) fn is_number(text: &str) -> bool {
    text.starts_with(is_part) && text.ends_with(is_part) && {
        serde_json::from_str::<IgnoredAny>(text).is_ok() && text.chars().all(is_part)
    }
}

/// Returns whether a character can be part of a number.
fn is_part(character: char) -> bool {
    matches!(character, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')
}

/// Returns whether a text has as many digits in a row as integers beyond 64 bits. It is enough to look at every byte
/// whose position is a multiple of that number.
fn has_long_number(text: &[u8]) -> bool {
    const STEP: usize = LONG - 1;
    let mut chunks = text.chunks_exact(STEP).enumerate();
    chunks.any(|(index, chunk)| {
        chunk.last().is_some_and(u8::is_ascii_digit) && is_long(text, (index + 1) * STEP - 1)
    })
}

/// Returns whether there are as many digits around a place.
fn is_long(text: &[u8], at: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(at) else { return false };
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let ahead = before.iter().rev().take_while(is_digit).count();
    let count = ahead + after.iter().take_while(is_digit).count();
    let has_sign = || before.iter().rev().nth(ahead) == Some(&b'-');
    count >= LONG || count + 1 == LONG && has_sign()
}

/// Returns a JSON text with objects for the numbers that `serde_json` does not have. `None` if there are none.
fn replaced(text: &str) -> Option<String> {
    let mut replaced = String::new();
    let mut rest = text;
    let mut is_found = false;
    while let Some(start) = rest.find(|it: char| it == '"' || it == '-' || it.is_ascii_digit()) {
        let (before, token) = rest.split_at(start);
        let is_text = token.starts_with('"');
        let length = if is_text { text_length(token) } else { token.find(|it| !is_part(it)) };
        let (token, after) = token.split_at(length.unwrap_or(token.len()));
        replaced.push_str(before);
        if !is_text && is_beyond(token) {
            is_found = true;
            replaced.extend(["{\"", NAME, "\":\"", token, "\"}"]);
        } else {
            replaced.push_str(token);
        }
        rest = after;
    }
    replaced.push_str(rest);
    is_found.then_some(replaced)
}

/// Returns the length of the string that a text begins with, if it ends.
fn text_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let mut characters = text.char_indices().skip(1);
    let end = characters.find(|&(_, character)| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    });
    end.map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::{has_long_number, parse, replaced, write};
    use crate::wire::value::Value;

    #[test]
    fn long_numbers_are_found_wherever_they_begin() {
        for (digits, is_long) in [
            ("-9223372036854775809", true),
            ("18446744073709551616", true),
            ("1844674407370955161", false),
            ("9223372036854775807", false),
        ] {
            for before in 0..64 {
                for after in [0, 1, 40] {
                    let text = format!("{}{digits}{}", " ".repeat(before), " ".repeat(after));
                    assert_eq!(has_long_number(text.as_bytes()), is_long, "{text}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_replaced_only_outside_of_strings() {
        for text in [
            r#"{"123456789012345678901234567890": ["\"123456789012345678901234567890", "\\"]}"#,
            "[18446744073709551615, -9223372036854775808, 1e308, 123456789012345678901e2, 0.12345678901234567890123]",
            "[0123456789012345678901234567890, 1e, -]",
        ] {
            assert_eq!(replaced(text), None, "{text}");
        }
        let text = r#"["\\", 123456789012345678901, -1e400]"#;
        let number = |digits| format!("{{\"$serde_json::private::Number\":\"{digits}\"}}");
        let expected =
            format!(r#"["\\", {}, {}]"#, number("123456789012345678901"), number("-1e400"));
        assert_eq!(replaced(text), Some(expected));
    }

    #[test]
    fn values_with_any_digits_are_written_as_they_were_read() {
        for text in [
            r#"{"a":[123456789012345678901,-1e400,{}],"b\"":{"c":[],"d":null}}"#,
            r#"[18446744073709551615,-9223372036854775808,1.5,"é\n",true]"#,
        ] {
            let mut body = Vec::new();
            write(&mut body, &parse::<Value>(text.as_bytes()).unwrap());
            assert_eq!(str::from_utf8(&body), Ok(text));
        }
    }

    #[test]
    fn objects_with_other_content_than_such_digits_are_objects() {
        for digits in [r#""1,2""#, r#"" 1""#, r#""""#, "1", r#""NaN""#, r#""1""#, r#""-1.5e3""#] {
            let text = format!(r#"{{"$serde_json::private::Number":{digits}}}"#);
            let mut body = Vec::new();
            write(&mut body, &parse::<Value>(text.as_bytes()).unwrap());
            assert_eq!(str::from_utf8(&body), Ok(text.as_str()));
        }
    }
}
