//! The `Retry-After` header (RFC 9110, section 10.2.3).

use std::time::Duration;

use http::{HeaderMap, header};
use jiff::{Timestamp, civil, fmt::rfc2822, tz::TimeZone};

/// Returns the wait that the server asks for, in seconds or until a date. A date in the past is zero.
pub(crate) fn wait(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    Some(Duration::try_from(date(text)?.duration_since(now)).unwrap_or_default())
}

/// Reads the three forms of an HTTP-date (RFC 9110, section 5.6.7).
fn date(text: &str) -> Option<Timestamp> {
    rfc2822::DateTimeParser::new().parse_timestamp(text).ok().or_else(|| {
        ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"].iter().find_map(|form| {
            let date = civil::DateTime::strptime(form, text).ok()?;
            Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert(header::RETRY_AFTER, text.parse().unwrap());
        let now = "1994-11-06T08:49:07Z".parse().unwrap();
        wait(&headers, now).map(|wait| wait.as_secs())
    }

    #[test]
    fn seconds_and_dates() {
        assert_eq!(asked("30"), Some(30));
        assert_eq!(asked(" 0 "), Some(0));
        assert_eq!(asked("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(asked("Sun, 06 Nov 1994 08:49:37 GMT"), Some(30));
        assert_eq!(asked("Sunday, 06-Nov-94 08:49:37 GMT"), Some(30));
        assert_eq!(asked("Sun Nov  6 08:49:37 1994"), Some(30));
        assert_eq!(asked("Sun, 06 Nov 1994 08:48:00 GMT"), Some(0));
    }

    #[test]
    fn ignores_invalid_values() {
        for text in ["", "-5", "1.5", "soon", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            assert_eq!(asked(text), None, "{text:?}");
        }
    }
}
