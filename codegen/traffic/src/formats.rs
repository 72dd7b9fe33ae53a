//! Formats of texts and numbers, and what may be shown of a value.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use jiff::civil::Date;
use wire_rules::date_time;

use super::value::{Value, is_placeholder};

/// Maximum length of an example.
const MAX_EXAMPLE: usize = 40;

/// The formats that texts of undescribed properties can have: no other text resembles these.
pub const TELLING: [&str; 3] = ["date-time", "date", "uuid"];

/// Returns whether a value has a format. Values of other kinds have any, and other formats have all.
pub fn is_formatted(value: &Value<'_>, format: &str) -> bool {
    let Value::Text(text) = value else { return true };
    match format {
        _ if is_placeholder(text) => true,
        "date-time" => date_time::is_exact(text),
        "date" => text.len() == 10 && text.parse::<Date>().is_ok(),
        "uuid" => is_uuid(text),
        "ipv4" => text.parse::<core::net::Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<core::net::Ipv6Addr>().is_ok(),
        "email" => text.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace)
        }),
        "byte" => base64(text).is_some(),
        _ => true,
    }
}

fn is_uuid(text: &str) -> bool {
    let mut bytes = text.bytes().enumerate();
    text.len() == 36
        && bytes.all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Returns the bytes of a text in base64, in either alphabet.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    let padding = DecodePaddingMode::Indifferent;
    let lenient = GeneralPurposeConfig::new().with_decode_padding_mode(padding);
    let engine = GeneralPurpose::new(&STANDARD, lenient.with_decode_allow_trailing_bits(true));
    let digits = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).map(|byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => other,
    });
    engine.decode(digits.collect::<Vec<u8>>()).ok()
}

/// Returns what may be shown of a value: numbers as they are, and texts with other letters and digits.
pub fn example(value: &Value<'_>) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::List(items) => format!("an array of {}", items.len()),
        Value::Object(members) => format!("an object of {}", members.len()),
        Value::Text(text) if is_placeholder(text) => "a redacted text".to_owned(),
        Value::Text(text) => {
            let masked = text.chars().take(MAX_EXAMPLE).map(|character| match character {
                '0'..='9' => '0',
                'A'..='Z' => 'A',
                other if other.is_ascii_punctuation() || other == ' ' => other,
                _ => 'a',
            });
            let rest = if text.chars().nth(MAX_EXAMPLE).is_some() { "…" } else { "" };
            format!("\"{}{rest}\"", masked.collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_in_both_alphabets() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("Zg==", b"f"),
            ("Zm8", b"fo"),
            ("Zm9v", b"foo"),
            ("Zm9vYmFy", b"foobar"),
            ("-_8=", &[0xfb, 0xff]),
        ] {
            assert_eq!(base64(text).as_deref(), Some(bytes), "{text}");
        }
        assert_eq!(base64("Z"), None);
        assert_eq!(base64("Zm9v!"), None);
    }

    #[test]
    fn examples_show_the_form_of_texts_only() {
        let shown = |text: &'static str| example(&Value::Text(text.into()));
        assert_eq!(shown("2026-11-23 10:00"), "\"0000-00-00 00:00\"");
        assert_eq!(shown("Zoë K. <z@x.org>"), "\"Aaa A. <a@a.aaa>\"");
        assert_eq!(shown("redacted-00112233445566ff"), "a redacted text");
    }
}
