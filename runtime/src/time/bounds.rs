//! Bounds of the times that servers set.

use std::time::Duration;

/// The longest pause that a server sets before a request, unless the program allows a longer one.
pub(crate) const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The longest pause that a server asks for after a failure, before something that nobody may wait for.
pub(crate) const MAX_REST: Duration = Duration::from_secs(60 * 60);

/// The longest time. A longer one counts as this one, so that adding it to a time does not overflow.
pub(crate) const MAX_TIME: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Reads a number of a unit, which has digits alone.
pub(crate) fn digits(text: &str, unit: fn(u64) -> Duration) -> Option<Duration> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| unit(text.parse().unwrap_or(u64::MAX)).min(MAX_TIME))
}

/// Returns a number of seconds. A negative one, or one that is not a number, is zero.
pub(crate) fn seconds(number: f64) -> Duration {
    let seconds = number.max(0.0).min(MAX_TIME.as_secs_f64());
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
