//! Date-times (RFC 3339), and what else is read as one.

use std::borrow::Cow;

use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Parses a date-time (RFC 3339, section 5.6), leniently. Digits after nanoseconds are ignored, and a leap second is the
/// second before it. Returns the instant, with the nanoseconds after it if that is the maximum of jiff.
///
/// # Errors
///
/// Fails if the text is not a date-time with an offset.
pub fn parse(text: &str) -> Result<(Timestamp, u64), jiff::Error> {
    text.parse().map(|instant| (instant, 0)).or_else(|error| {
        let text = with_nanoseconds(text);
        let instant = text.parse().ok().map(|instant| (instant, 0));
        instant.or_else(|| Some((Timestamp::MAX, beyond(&text)?))).ok_or(error)
    })
}

/// Returns whether a text is a date-time of RFC 3339 that is read as it is.
pub fn is_exact(text: &str) -> bool {
    is_rfc_3339(text) && !is_rounded(text) && parse(text).is_ok()
}

/// Returns whether the text of a valid date-time conforms to RFC 3339, not only to ISO 8601.
pub fn is_rfc_3339(text: &str) -> bool {
    let (seconds, rest) = text.split_at_checked("0000-00-00T00:00:00".len()).unwrap_or_default();
    let [_, _, _, _, b'-', _, _, b'-', _, _, separator, _, _, b':', _, _, b':', _, _] =
        seconds.as_bytes()
    else {
        return false;
    };
    let zone = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    separator.eq_ignore_ascii_case(&b'T')
        && match zone.as_bytes() {
            [b'Z' | b'z'] => true,
            [b'+' | b'-', tens, ones, b':', _, _] => [*tens, *ones] < *b"24",
            _ => false,
        }
}

/// Returns whether a valid date-time is read as an earlier one: it has the second 60, or digits after nanoseconds.
pub fn is_rounded(text: &str) -> bool {
    let time = text.split(['T', 't', ' ']).nth(1).unwrap_or_default();
    let fraction = time.split_once('.').map_or("", |(_, rest)| rest);
    let mut digits = fraction.bytes().take_while(u8::is_ascii_digit).skip(9);
    let seconds = time.bytes().filter(|byte| *byte != b':').skip(4).take(2);
    seconds.eq(*b"60") || digits.any(|digit| digit != b'0')
}

/// Returns the last instant of jiff as UTC.
pub fn last() -> DateTime {
    Timestamp::MAX.to_zoned(TimeZone::UTC).datetime()
}

/// Parses a date-time after the maximum of jiff, as the nanoseconds after it.
fn beyond(text: &str) -> Option<u64> {
    let pieces = Pieces::parse(text).ok()?;
    let local = pieces.date().to_datetime(pieces.time()?);
    let offset = SignedDuration::from_secs(pieces.to_numeric_offset()?.seconds().into());
    let beyond = local.duration_since(last()) - offset;
    u64::try_from(beyond.as_nanos()).ok().filter(|beyond| *beyond > 0)
}

/// Returns a date-time without the digits after nanoseconds.
fn with_nanoseconds(text: &str) -> Cow<'_, str> {
    let Some((whole, rest)) = text.split_once('.') else {
        return Cow::Borrowed(text);
    };
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, zone) = rest.split_at(length);
    match digits.get(..9) {
        Some(digits) => Cow::Owned(format!("{whole}.{digits}{zone}")),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_times_have_an_offset() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", true),
            ("9999-12-31T23:59:59.999Z", true),
            ("2026-11-24 01:20:05.123+02:00", false),
            ("2016-12-31T23:59:60Z", false),
            ("1900-02-29T12:00:00Z", false),
            ("2026-13-01T00:00:00Z", false),
            ("2026-11-23T24:00:00Z", false),
            ("2026-11-23T23:20:05", false),
            ("2026-11-23T23:20Z", false),
            ("2026-11-23T23:20:05.Z", false),
            ("2026-11-23T23:20:05+0200", false),
            ("2026-11-23T23:20:05Z[UTC]", false),
            ("2026-11-23", false),
            ("ééééééé", false),
            ("", false),
        ] {
            assert_eq!(is_exact(text), expected, "{text}");
        }
    }
}
