//! The headers that say when to try again: `Retry-After` (RFC 9110, section 10.2.3), and the resets of limits.

use std::time::Duration;

use http::{HeaderMap, header};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use wire_rules::http_date;

use crate::time::bounds::{self, MAX_TIME};

/// Returns the wait that the server asks for, in seconds or until a date. A date in the past is zero.
pub(crate) fn wait(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    bounds::digits(text, Duration::from_secs).or_else(|| {
        let now = now.to_zoned(TimeZone::UTC).datetime();
        let wait = http_date::parse(text, now)?.duration_since(now);
        Some(Duration::try_from(wait).unwrap_or_default().min(MAX_TIME))
    })
}

/// Returns the wait until limits are reset of which nothing is left: `RateLimit-Reset`, also as `X-RateLimit-Reset` or
/// `X-Rate-Limit-Reset`, in seconds or since the epoch, and `t` in `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
pub(crate) fn reset(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let limit = |name| Some((text(&format!("{name}-reset"))?, text(&format!("{name}-remaining"))));
    let limits = ["ratelimit", "x-ratelimit", "x-rate-limit"].into_iter().filter_map(limit);
    let policies = text("ratelimit").into_iter().flat_map(|policies| policies.split(','));
    let policies = policies.filter_map(|policy| {
        let value = |key| policy.split(';').find_map(|it| it.trim().strip_prefix(key));
        Some((value("t=")?, value("r=")))
    });
    let ended = limits.chain(policies).filter(|(_, left)| left.is_none_or(|left| left == "0"));
    let waits = ended.filter_map(|(reset, _)| {
        let seconds: u64 = reset.parse().ok()?;
        let now = u64::try_from(now.as_second()).unwrap_or_default();
        // No limit lasts for longer than a year.
        let is_time = seconds > MAX_TIME.as_secs();
        let wait = if is_time { seconds.saturating_sub(now) } else { seconds };
        Some(Duration::from_secs(wait).min(MAX_TIME))
    });
    waits.max()
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
    fn resets_of_exhausted_limits_are_read() {
        let now = "2026-01-01T00:00:00Z".parse::<Timestamp>().unwrap();
        let later = (now.as_second() + 30).to_string();
        let past = (now.as_second() - 30).to_string();
        for (headers, expected) in [
            (&[("x-ratelimit-reset", "30")][..], Some(30)),
            (&[("x-rate-limit-reset", &later)], Some(30)),
            (&[("x-ratelimit-reset", &later), ("x-ratelimit-remaining", " 0")], Some(30)),
            (&[("x-ratelimit-reset", &later), ("x-ratelimit-remaining", "4999")], None),
            (&[("x-rate-limit-reset", &past)], Some(0)),
            (&[("x-ratelimit-reset", "18446744073709551615")], Some(MAX_TIME.as_secs())),
            (&[("x-ratelimit-reset", "18446744073709551616")], None),
            (&[("x-ratelimit-reset", "soon")], None),
            (&[("x-ratelimit-remaining", "0")], None),
            (&[("ratelimit-reset", "30"), ("ratelimit-remaining", "0")], Some(30)),
            (&[("ratelimit-reset", &later), ("ratelimit-remaining", "7")], None),
            (&[("ratelimit", "\"default\";r=0;t=30")], Some(30)),
            (
                &[("ratelimit", "\"burst\"; r=0; t=10, \"day\"; r=0; t=40, \"all\";r=5;t=90")],
                Some(40),
            ),
            (&[("ratelimit", "\"day\";r=1;t=40")], None),
            (&[("ratelimit", "\"day\";r=0")], None),
            (&[], None),
        ] {
            let named = |(name, value): &(&'static str, &str)| {
                (http::HeaderName::from_static(name), value.parse().unwrap())
            };
            let map = headers.iter().map(named).collect();
            assert_eq!(reset(&map, now).map(|wait| wait.as_secs()), expected, "{headers:?}");
        }
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
