//! The retry budget, which prevents a storm of retries during an outage.

use std::sync::atomic::{AtomicU32, Ordering};

/// The initial and largest balance: 100 retries.
const FULL: u32 = 1000;
/// The cost of a retry, and the gain of a success: in the long run one retry for ten successes.
const RETRY: u32 = 10;
const SUCCESS: u32 = 1;

/// The retries that are left to all calls of a client.
#[derive(Debug)]
pub(crate) struct RetryBudget(AtomicU32);

impl RetryBudget {
    pub(crate) const fn full() -> Self {
        Self(AtomicU32::new(FULL))
    }

    /// Takes one retry and returns whether there was one left.
    pub(crate) fn withdraw(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(RETRY))
            .is_ok()
    }

    /// Adds the gain of a success.
    pub(crate) fn deposit(&self) {
        // A full budget is not written to, which would contend for its cache line.
        if self.0.load(Ordering::Relaxed) < FULL {
            let grow = |left: u32| Some(left.saturating_add(SUCCESS).min(FULL));
            let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grow);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_are_spent_and_earned() {
        let budget = RetryBudget::full();
        assert_eq!((0..1000).filter(|_| budget.withdraw()).count(), 100);
        for _ in 0..9 {
            budget.deposit();
        }
        assert!(!budget.withdraw());
        budget.deposit();
        assert!(budget.withdraw());
        assert!(!budget.withdraw());
        for _ in 0..10_000 {
            budget.deposit();
        }
        assert_eq!((0..1000).filter(|_| budget.withdraw()).count(), 100);
    }
}
