//! What the form of a text says: whether it can be a secret.

/// Returns whether a value of an enum looks like the name that such values are.
pub(super) fn is_constant(text: &str) -> bool {
    text.len() <= 128 && text.chars().all(|it| it.is_ascii_alphanumeric() || "_-.:/+ ".contains(it))
}

/// Returns whether a text is a date or a date-time (RFC 3339), which no secret resembles.
pub(super) fn is_time(text: &str) -> bool {
    let is_dated = text.as_bytes().get(4) == Some(&b'-') && text.as_bytes().get(7) == Some(&b'-');
    let has_only =
        |text: &str| text.bytes().all(|it| it.is_ascii_digit() || b"-:.+TtZz ".contains(&it));
    is_dated
        && text.len() <= 40
        && has_only(text)
        && (text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
            || text.parse::<jiff::Timestamp>().is_ok())
}
