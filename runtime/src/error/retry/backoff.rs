//! Pauses between attempts.

use std::time::Duration;

use crate::time::bounds::MAX_PAUSE;

/// Exponential backoff with full jitter: the pause is a random part of a limit that doubles with every
/// attempt, so that callers that failed together do not retry together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    max_retry_after: Duration,
}

impl Backoff {
    /// Returns pauses of up to `first` after the first attempt, doubling up to `longest`.
    pub const fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest, max_retry_after: MAX_PAUSE }
    }

    /// Limits the pause that a server may ask for with `Retry-After`; the call fails at once if it asks
    /// for more. The default is 60 seconds.
    #[must_use]
    pub const fn with_max_retry_after(mut self, limit: Duration) -> Self {
        self.max_retry_after = limit;
        self
    }

    /// Returns the pause after an attempt, counted from 1, or `None` if the server asks for more than
    /// the limit.
    ///
    /// The random part, `random` in `0.0..1.0`, is added to the delay that the server requests.
    pub(crate) fn pause(
        &self,
        attempt: u32,
        asked: Option<Duration>,
        random: f64,
    ) -> Option<Duration> {
        let doublings = attempt.saturating_sub(1).min(31);
        let whole = self.first.saturating_mul(1 << doublings).min(self.longest);
        let part = Duration::try_from_secs_f64(whole.as_secs_f64() * random).unwrap_or(whole);
        match asked {
            None => Some(part),
            Some(asked) if asked <= self.max_retry_after => Some(asked.saturating_add(part)),
            Some(_) => None,
        }
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new(Duration::from_millis(250), Duration::from_secs(20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(1));

    fn millis(attempt: u32, asked: Option<u64>, random: f64) -> Option<u128> {
        BACKOFF
            .pause(attempt, asked.map(Duration::from_secs), random)
            .map(|pause| pause.as_millis())
    }

    #[test]
    fn the_pause_doubles_up_to_the_limit() {
        let pauses: Vec<_> = (1..=6).filter_map(|attempt| millis(attempt, None, 0.5)).collect();
        assert_eq!(pauses, [50, 100, 200, 400, 500, 500]);
        assert_eq!(millis(u32::MAX, None, 0.5), Some(500));
        assert_eq!(millis(3, None, 0.0), Some(0));
    }

    #[test]
    fn the_pause_is_at_least_the_one_that_the_server_asks_for() {
        assert_eq!(millis(1, Some(7), 0.5), Some(7050));
        assert_eq!(millis(1, Some(60), 0.0), Some(60_000));
        assert_eq!(millis(1, Some(61), 0.0), None);
        assert_eq!(BACKOFF.pause(1, Some(Duration::MAX), 0.5), None);
        let patient = BACKOFF.with_max_retry_after(Duration::MAX);
        let pause = patient.pause(1, Some(Duration::MAX), 0.5);
        assert_eq!(pause, Some(Duration::MAX));
    }
}
