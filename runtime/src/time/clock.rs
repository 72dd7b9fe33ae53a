//! Time and randomness, passed in so that tests control them.

use std::future::poll_fn;
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::runtime::Handle;
use tokio::task::unconstrained;

use crate::time::future::BoxFuture;
use crate::time::pointers::forward;

/// The source of time, pauses and randomness of a client.
pub trait Clock: Send + Sync + 'static {
    /// Returns the monotonic time.
    fn now(&self) -> Instant;

    /// Returns the time of day, which can jump.
    fn wall(&self) -> Timestamp;

    /// Returns a future that completes after a duration.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// Returns a random number, uniformly distributed over `0.0..1.0`.
    fn random(&self) -> f64;
}

forward!(Clock for Arc, Box => {
    fn now(&self) -> Instant;
    fn wall(&self) -> Timestamp;
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;
    fn random(&self) -> f64;
});

/// The clock of the machine, and the timer of tokio. In a test that pauses the time of tokio, both are paused.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn wall(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let mut timer = Box::pin(tokio::time::sleep(duration));
        let id = || Handle::try_current().ok().map(|runtime| runtime.id());
        let mut runtime = id();
        // A call can continue in another runtime than it began in, whose timer it then needs.
        Box::pin(poll_fn(move |context| {
            let current = id();
            if current.is_some() && current != runtime {
                runtime = current;
                let deadline = timer.deadline();
                timer.set(tokio::time::sleep_until(deadline));
            }
            // What uses up the turn of a task does not stop its timer.
            pin!(unconstrained(timer.as_mut())).poll(context)
        }))
    }

    fn random(&self) -> f64 {
        // Each `RandomState` has new keys. 32 bits suffice to spread pauses, and convert without loss.
        let bits = RandomState::new().hash_one(()) >> 32;
        f64::from(u32::try_from(bits).unwrap_or_default()) / (f64::from(u32::MAX) + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use tokio::runtime::Builder;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn sleeping_takes_the_time_of_the_clock() {
        let begun = SystemClock.now();
        SystemClock.sleep(Duration::from_secs(100)).await;
        assert!(SystemClock.now() - begun >= Duration::from_secs(100));
    }

    /// The timer of a runtime that has ended would panic.
    #[test]
    fn sleeping_continues_in_another_runtime() {
        let runtime = || Builder::new_current_thread().enable_time().start_paused(true).build();
        let (sleep, first) = runtime().unwrap().block_on(async {
            let mut sleep = SystemClock.sleep(Duration::from_secs(100));
            let first = poll_fn(|context| Poll::Ready(sleep.as_mut().poll(context))).await;
            (sleep, first)
        });
        assert_eq!(first, Poll::Pending);
        runtime().unwrap().block_on(async {
            let begun = SystemClock.now();
            sleep.await;
            assert!(SystemClock.now() > begun);
        });
    }
}
