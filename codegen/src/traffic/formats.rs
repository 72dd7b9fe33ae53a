//! Formats of texts and numbers, and what may be shown of a value.

use super::value::Value;

/// The start of the texts that a recorder writes in place of others.
const PLACEHOLDER: &str = "redacted-";

/// Maximum length of an example.
const MAX_EXAMPLE: usize = 40;

/// Parts of names whose values are never shown.
const SECRETS: [&str; 9] = [
    "apikey",
    "authorization",
    "cookie",
    "credential",
    "passphrase",
    "password",
    "pin",
    "secret",
    "token",
];

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
    Int32,
    Int64,
    UInt32,
    UInt64,
}

/// All formats with their names.
const FORMATS: [(Format, &str); 11] = [
    (Format::DateTime, "date-time"),
    (Format::Date, "date"),
    (Format::Uuid, "uuid"),
    (Format::Ipv4, "ipv4"),
    (Format::Ipv6, "ipv6"),
    (Format::Email, "email"),
    (Format::Byte, "byte"),
    (Format::Int32, "int32"),
    (Format::Int64, "int64"),
    (Format::UInt32, "uint32"),
    (Format::UInt64, "uint64"),
];

/// The formats that texts of undescribed properties can have: no other text looks like these.
pub const TELLING: [Format; 3] = [Format::DateTime, Format::Date, Format::Uuid];

impl Format {
    /// Returns the format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        FORMATS.iter().find_map(|(format, other)| (*other == name).then_some(*format))
    }

    pub fn name(self) -> &'static str {
        FORMATS.iter().find_map(|(other, name)| (*other == self).then_some(*name)).unwrap_or("")
    }

    /// Returns whether the format is one of integers.
    pub fn is_numeric(self) -> bool {
        self.range().is_some()
    }

    fn range(self) -> Option<(i128, i128)> {
        match self {
            Self::Int32 => Some((i32::MIN.into(), i32::MAX.into())),
            Self::Int64 => Some((i64::MIN.into(), i64::MAX.into())),
            Self::UInt32 => Some((0, u32::MAX.into())),
            Self::UInt64 => Some((0, u64::MAX.into())),
            _ => None,
        }
    }

    /// Returns whether a value has the format. Values of other kinds have any.
    pub fn holds(self, value: &Value<'_>) -> bool {
        let range = self.range();
        let is_within = |number: i128| range.is_none_or(|(min, max)| (min..=max).contains(&number));
        match value {
            Value::Integer(number) => is_within(*number),
            // What no integer type holds was read as a float.
            Value::Float(number) => range.is_none() || number.abs() < 1e18,
            Value::Text(text) if is_placeholder(text) => true,
            Value::Text(text) if range.is_some() => text.parse().is_ok_and(is_within),
            Value::Text(text) => match self {
                Self::DateTime => date_time(text).is_some(),
                Self::Date => date(text.as_bytes()).is_some() && text.len() == 10,
                Self::Uuid => is_uuid(text),
                Self::Ipv4 => text.parse::<core::net::Ipv4Addr>().is_ok(),
                Self::Ipv6 => text.parse::<core::net::Ipv6Addr>().is_ok(),
                Self::Email => text.split_once('@').is_some_and(|(name, host)| {
                    !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace)
                }),
                Self::Byte => base64(text).is_some(),
                _ => true,
            },
            _ => true,
        }
    }
}

/// Returns whether a recorder wrote the text in place of another.
pub fn is_placeholder(text: &str) -> bool {
    text.strip_prefix(PLACEHOLDER).is_some_and(|digits| {
        digits.len() == 16 && digits.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Returns the milliseconds from 1970 of a date and time (RFC 3339).
pub fn date_time(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let days = date(bytes)?;
    let [b'T' | b't' | b' ', time @ ..] = bytes.get(10..)? else { return None };
    let (hour, minute) = clock(time)?;
    let second = number(time.get(5..8)?.strip_prefix(b":")?)?;
    let mut rest = &time[8..];
    let mut milliseconds = 0;
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = fraction[..length].iter().chain(b"000").take(3);
        milliseconds = digits.fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        rest = (length > 0).then(|| &fraction[length..])?;
    }
    let offset = match rest {
        b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), zone @ ..] if zone.len() == 5 => {
            let (hours, minutes) = clock(zone)?;
            let minutes = hours * 60 + minutes;
            if *sign == b'+' { minutes } else { -minutes }
        }
        _ => return None,
    };
    let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second;
    (second <= 60).then_some(seconds * 1000 + milliseconds)
}

/// Returns the date and time, in seconds, of milliseconds from 1970.
pub fn shown_time(milliseconds: i64) -> String {
    let seconds = milliseconds.div_euclid(1000);
    let (days, second) = (seconds.div_euclid(86_400) + 719_468, seconds.rem_euclid(86_400));
    let century = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let index = (5 * day + 2) / 153;
    let month = if index < 10 { index + 3 } else { index - 9 };
    let year = year + century * 400 + i64::from(month <= 2);
    let day = day - (153 * index + 2) / 5 + 1;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Returns the hours and minutes at the start of a text.
fn clock(bytes: &[u8]) -> Option<(i64, i64)> {
    let hour = number(bytes.get(..2)?)?;
    let minute = number(bytes.get(2..5)?.strip_prefix(b":")?)?;
    (hour < 24 && minute < 60).then_some((hour, minute))
}

/// Returns the days from 1970 of the date at the start of a text.
fn date(bytes: &[u8]) -> Option<i64> {
    let year = number(bytes.get(..4)?)?;
    let month = number(bytes.get(4..7)?.strip_prefix(b"-")?)?;
    let day = number(bytes.get(7..10)?.strip_prefix(b"-")?)?;
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    // Years begin in March, so that the day of a leap year is the last one.
    let (shifted, index) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before =
        shifted * 365 + shifted.div_euclid(4) - shifted.div_euclid(100) + shifted.div_euclid(400);
    let days = before + (153 * index + 2) / 5 + day - 1 - 719_468;
    ((1..=12).contains(&month) && (1..=length).contains(&day)).then_some(days)
}

fn number(digits: &[u8]) -> Option<i64> {
    let is_number = digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0')))
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
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut bits = 0u32;
    let mut digits = 0;
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        digits += 1;
        let shift = match digits % 4 {
            1 => continue,
            2 => 4,
            3 => 2,
            _ => 0,
        };
        bytes.push((bits >> shift & 0xff) as u8);
    }
    (digits % 4 != 1).then_some(bytes)
}

/// Returns whether the values of a name are never shown.
pub fn is_secret_name(name: &str) -> bool {
    let mut plain = name.to_ascii_lowercase();
    plain.retain(|character| character.is_ascii_alphanumeric());
    SECRETS.iter().any(|part| match *part {
        "pin" => plain == *part,
        part => plain.contains(part),
    })
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
    fn date_times_are_instants() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2026-11-23T23:20:05.1234Z", Some(1_795_476_005_123)),
            ("2026-11-24T01:20:05.123+02:00", Some(1_795_476_005_123)),
            ("2000-02-29T12:00:00-00:30", Some(951_827_400_000)),
            ("1900-02-29T12:00:00Z", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-11-23T24:00:00Z", None),
            ("2026-11-23T23:20:05", None),
            ("2026-11-23T23:20:05.Z", None),
            ("2026-11-23", None),
            ("", None),
        ] {
            assert_eq!(date_time(text), expected, "{text}");
        }
        for text in ["1969-12-31T23:59:59Z", "2000-02-29T00:00:00Z", "2026-12-31T23:59:59Z"] {
            assert_eq!(shown_time(date_time(text).unwrap()), text);
        }
    }

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
        assert!(
            is_secret_name("X-Api-Key") && is_secret_name("PIN") && !is_secret_name("spinning")
        );
    }
}
