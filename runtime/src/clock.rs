//! Time and chance, passed in so that tests need neither.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::BoxFuture;

/// Where a client gets the time, its pauses and its randomness from.
pub trait Clock: Send + Sync + 'static {
    /// Returns the time on a clock that never goes back.
    fn now(&self) -> Instant;

    /// Returns the time of day, which can jump either way.
    fn wall(&self) -> Timestamp;

    /// Returns a future that is ready after a duration.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// Returns a number that is evenly distributed over `0.0..1.0`.
    fn random(&self) -> f64;
}

/// The clock of the machine, with pauses by tokio's timer.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn wall(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }

    fn random(&self) -> f64 {
        // Each `RandomState` has keys of its own. 32 bits are plenty to spread pauses, and convert
        // without loss.
        let bits = RandomState::new().hash_one(()) >> 32;
        f64::from(u32::try_from(bits).unwrap_or_default()) / (f64::from(u32::MAX) + 1.0)
    }
}
