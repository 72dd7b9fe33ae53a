//! Formats of texts and numbers, and what may be shown of a value.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use jiff::civil::Date;
use wire_rules::date_time;

use super::value::{Value, is_placeholder};

/// Maximum length of an example.
const MAX_EXAMPLE: usize = 40;

/// A format that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    DateTime,
    Date,
    Uuid,
    Ipv4,
    Ipv6,
    Email,
    Byte,
}

/// All formats with their names.
const FORMATS: [(Format, &str); 7] = [
    (Format::DateTime, "date-time"),
    (Format::Date, "date"),
    (Format::Uuid, "uuid"),
    (Format::Ipv4, "ipv4"),
    (Format::Ipv6, "ipv6"),
    (Format::Email, "email"),
    (Format::Byte, "byte"),
];

/// The formats that texts of undescribed properties can have: no other text resembles these.
pub const TELLING: [Format; 3] = [Format::DateTime, Format::Date, Format::Uuid];

impl Format {
    /// Returns the format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        FORMATS.iter().find_map(|(format, other)| (*other == name).then_some(*format))
    }

    pub fn name(self) -> &'static str {
        FORMATS.iter().find_map(|(other, name)| (*other == self).then_some(*name)).unwrap_or("")
    }

    /// Returns whether a value has the format. Values of other kinds have any.
    pub fn holds(self, value: &Value<'_>) -> bool {
        match value {
            Value::Text(text) if is_placeholder(text) => true,
            Value::Text(text) => match self {
                Self::DateTime => date_time::is_exact(text),
                Self::Date => text.len() == 10 && text.parse::<Date>().is_ok(),
                Self::Uuid => is_uuid(text),
                Self::Ipv4 => text.parse::<core::net::Ipv4Addr>().is_ok(),
                Self::Ipv6 => text.parse::<core::net::Ipv6Addr>().is_ok(),
                Self::Email => text.split_once('@').is_some_and(|(name, host)| {
                    !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace)
                }),
                Self::Byte => base64(text).is_some(),
            },
            _ => true,
        }
    }
}

fn is_uuid(text: &str) -> bool {
    let is_part = |(index, byte): (usize, u8)| match index {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(is_part)
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
        Value::Null => "null".to_owned(),
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
