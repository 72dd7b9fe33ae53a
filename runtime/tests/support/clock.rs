//! A clock that a test drives.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use openapi_bindings_runtime::{BoxFuture, Clock, SystemClock};
use tokio::sync::Semaphore;

/// Pauses complete at once and are recorded. Sleeps of [`TIMER`] or longer are timers, which ring when a
/// test rings them.
#[derive(Clone)]
pub struct TestClock(Arc<Inner>);

/// The shortest sleep that counts as a timer.
pub const TIMER: Duration = Duration::from_secs(100);

struct Inner {
    time: Mutex<Time>,
    rings: Semaphore,
}

struct Time {
    now: Instant,
    wall: Timestamp,
    pauses: Vec<Duration>,
}

impl TestClock {
    pub fn new() -> Self {
        let time = Time {
            now: Instant::now(),
            wall: "2026-01-01T00:00:00Z".parse().unwrap(),
            pauses: Vec::new(),
        };
        Self(Arc::new(Inner { time: Mutex::new(time), rings: Semaphore::new(0) }))
    }

    /// Lets time pass on both clocks.
    pub fn pass(&self, duration: Duration) {
        let mut time = self.0.time.lock().unwrap();
        time.now += duration;
        time.wall += duration;
    }

    /// Sets the time of day without time passing.
    pub fn set_wall(&self, wall: Timestamp) {
        self.0.time.lock().unwrap().wall = wall;
    }

    /// Rings one timer, now or as soon as there is one.
    pub fn ring(&self) {
        self.0.rings.add_permits(1);
    }

    /// Returns the pauses so far.
    pub fn pauses(&self) -> Vec<Duration> {
        self.0.time.lock().unwrap().pauses.clone()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        self.0.time.lock().unwrap().now
    }

    fn wall(&self) -> Timestamp {
        self.0.time.lock().unwrap().wall
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let clock = self.clone();
        Box::pin(async move {
            if duration >= TIMER {
                clock.0.rings.acquire().await.unwrap().forget();
            } else {
                clock.0.time.lock().unwrap().pauses.push(duration);
            }
            clock.pass(duration);
        })
    }

    fn random(&self) -> f64 {
        SystemClock.random()
    }
}
