//! Date-times and dates.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;

/// What a text reads as.
pub(super) struct Read<T> {
    pub value: T,
    /// Whether the value is written like the text.
    pub canonical: bool,
}

/// Reads a date-time (RFC 3339, section 5.6). Of a fraction, nine digits count, and the last hours of the year 9999,
/// which services mean by "never", are the last instant that there is.
pub(super) fn timestamp(text: &str) -> Option<Read<Timestamp>> {
    if let Ok(value) = text.parse() {
        return Some(Read { value, canonical: is_canonical(text) });
    }
    let text = with_nanoseconds(text);
    let value = text.parse().ok().or_else(|| {
        let pieces = Pieces::parse(&*text).ok()?;
        let after_all = pieces.date() >= Timestamp::MAX.to_zoned(TimeZone::UTC).date();
        let complete = pieces.time().is_some() && pieces.to_numeric_offset().is_some();
        (after_all && complete).then_some(Timestamp::MAX)
    })?;
    Some(Read { value, canonical: false })
}

/// Returns a date-time without the digits of its fraction beyond the ninth.
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

/// Reads a full-date (RFC 3339, section 5.6).
pub(super) fn date(text: &str) -> Option<Read<Date>> {
    let value = text.parse().ok()?;
    let canonical = matches!(text.as_bytes(), [_, _, _, _, b'-', _, _, b'-', _, _]);
    Some(Read { value, canonical })
}

/// Tells whether a text that reads as a date-time is how that date-time is written: in UTC, with as many digits of a
/// fraction as it needs.
fn is_canonical(text: &str) -> bool {
    let Some((whole, rest)) = text.as_bytes().split_at_checked("0000-00-00T00:00:00".len()) else {
        return false;
    };
    let whole = matches!(
        whole,
        [y, _, _, _, b'-', _, _, b'-', _, _, b'T', _, _, b':', _, _, b':', tens, _]
            if y.is_ascii_digit() && *tens != b'6'
    );
    let rest = match rest {
        [b'Z'] => true,
        [b'.', .., last, b'Z'] => *last != b'0' && rest.len() <= ".000000000Z".len(),
        _ => false,
    };
    whole && rest
}
