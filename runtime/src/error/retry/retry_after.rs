//! The `Retry-After` header (RFC 9110, section 10.2.3).

use std::time::Duration;

use http::{HeaderMap, header};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::time::bounds::{self, MAX_TIME};
use crate::time::http_date;

/// Returns the wait that the server asks for, in seconds or until a date. A date in the past is zero.
pub(crate) fn wait(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    bounds::digits(text, Duration::from_secs).or_else(|| {
        let now = now.to_zoned(TimeZone::UTC).datetime();
        let wait = http_date::parse(text, now)?.duration_since(now);
        Some(Duration::try_from(wait).unwrap_or_default().min(MAX_TIME))
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
    fn seconds_and_dates_are_read() {
        assert_eq!(asked("30"), Some(30));
        assert_eq!(asked(" 0 "), Some(0));
        assert_eq!(asked("99999999999999999999999"), Some(MAX_TIME.as_secs()));
        assert_eq!(asked("Sun, 06 Nov 1994 08:49:37 GMT"), Some(30));
        assert_eq!(asked("Sunday, 06-Nov-94 08:49:37 GMT"), Some(30));
        assert_eq!(asked("Sun Nov  6 08:49:37 1994"), Some(30));
        assert_eq!(asked("Sun, 06 Nov 1994 08:48:00 GMT"), Some(0));
    }

    #[test]
    fn dates_of_other_years_and_weekdays_are_read() {
        // The weekday is not checked.
        assert_eq!(asked("Monday, 06-Nov-94 08:49:37 GMT"), Some(30));
        assert_eq!(asked("Mon Nov  6 08:49:37 1994"), Some(30));
        assert_eq!(asked("Sunday, 06-Nov-1994 08:49:37 GMT"), Some(30));
        // Two digits are a year of the last 50 or the next 50 (RFC 9110, section 5.6.7).
        assert_eq!(asked("Sunday, 06-Nov-93 08:49:37 GMT"), Some(0));
        assert_eq!(asked("Sunday, 06-Nov-95 08:49:07 GMT"), Some(365 * 24 * 60 * 60));
        assert_eq!(asked("Sunday, 06-Nov-43 08:49:37 GMT"), Some(MAX_TIME.as_secs()));
        assert_eq!(asked("Sunday, 06-Nov-45 08:49:37 GMT"), Some(0));
    }

    #[test]
    fn absurd_waits_are_capped() {
        for text in [
            "Fri, 31 Dec 9999 23:59:59 GMT",
            "Friday, 31-Dec-9999 23:59:59 GMT",
            "Fri Dec 31 23:59:59 9999",
            "18446744073709551616",
        ] {
            assert_eq!(asked(text), Some(MAX_TIME.as_secs()), "{text}");
        }
    }

    #[test]
    fn invalid_values_are_ignored() {
        for text in ["", "-5", "1.5", "soon", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            assert_eq!(asked(text), None, "{text:?}");
        }
    }
}
