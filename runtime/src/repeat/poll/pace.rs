//! The pauses between replies.

use std::time::Duration;

use crate::time::bounds::MAX_REST;

/// The pauses between the calls of a poll, and its deadline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The pause after a reply.
    pub every: Duration,
    /// The maximum random part that is added to a pause, as a fraction of it.
    pub jitter: f64,
    /// The time for all replies.
    pub limit: Duration,
    /// Whether the resource can be missing at first.
    pub allows_missing: bool,
}

impl Pace {
    /// Every 2 seconds, up to a tenth later, for 10 minutes.
    pub(super) const DEFAULT: Self = Self {
        every: Duration::from_secs(2),
        jitter: 0.1,
        limit: Duration::from_secs(600),
        allows_missing: false,
    };

    /// Returns the pause after a reply: at least as long as the server requests, up to an hour. `random` is in `0.0..1.0`.
    pub(super) fn pause(&self, asked: Option<Duration>, random: f64) -> Duration {
        let pause = self.every.max(asked.unwrap_or_default().min(MAX_REST));
        let share = (self.jitter * random).clamp(0.0, 1.0);
        let part = Duration::try_from_secs_f64(self.every.as_secs_f64() * share);
        pause.saturating_add(part.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_as_long_as_the_server_asks() {
        let pace = Pace { every: Duration::from_secs(10), jitter: 0.5, ..Pace::DEFAULT };
        let millis = |asked: Option<u64>, random| {
            pace.pause(asked.map(Duration::from_secs), random).as_millis()
        };
        assert_eq!(millis(None, 0.0), 10_000);
        assert_eq!(millis(None, 0.5), 12_500);
        assert_eq!(millis(Some(3), 0.0), 10_000);
        assert_eq!(millis(Some(60), 0.5), 62_500);
        assert_eq!(pace.pause(Some(Duration::MAX), 0.0), MAX_REST);
        let patient = Pace { every: Duration::MAX, ..pace };
        assert_eq!(patient.pause(Some(Duration::MAX), 0.9), Duration::MAX);
        let endless = Pace { jitter: f64::NAN, ..pace };
        assert_eq!(endless.pause(None, 0.5), Duration::from_secs(10));
    }
}
