//! Date-times and dates.

use jiff::Timestamp;
use jiff::civil::Date;

/// What a text reads as.
pub(super) struct Read<T> {
    pub value: T,
    /// Whether the value is written like the text.
    pub canonical: bool,
}

/// Reads a date-time (RFC 3339, section 5.6).
pub(super) fn timestamp(text: &str) -> Option<Read<Timestamp>> {
    let value = text.parse().ok()?;
    Some(Read {
        value,
        canonical: is_canonical(text),
    })
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
    let Some((whole, rest)) = text
        .as_bytes()
        .split_at_checked("0000-00-00T00:00:00".len())
    else {
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
