//! Timeouts.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use crate::time::clock::Clock;

/// The time limit was exceeded.
#[derive(Debug)]
pub(crate) struct Elapsed;

/// Awaits a future up to a time limit.
pub(crate) async fn within<T>(
    clock: &dyn Clock,
    limit: Duration,
    mut future: Pin<&mut impl Future<Output = T>>,
) -> Result<T, Elapsed> {
    let mut timer = None;
    poll_fn(|context| {
        if let Poll::Ready(value) = future.as_mut().poll(context) {
            return Poll::Ready(Ok(value));
        }
        // The timer is set only if the future has to wait.
        let timer = timer.get_or_insert_with(|| clock.sleep(limit));
        timer.as_mut().poll(context).map(|()| Err(Elapsed))
    })
    .await
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    begun: Instant,
    pub(crate) allowed: Duration,
}

impl Deadline {
    pub(crate) fn new(clock: &dyn Clock, allowed: Duration) -> Self {
        Self { begun: clock.now(), allowed }
    }

    /// Returns the time that is left.
    pub(crate) fn left(&self, clock: &dyn Clock) -> Duration {
        self.allowed.saturating_sub(clock.now().saturating_duration_since(self.begun))
    }
}
