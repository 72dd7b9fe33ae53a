//! A budget for retries, so that an outage is not answered with a storm.

use std::sync::atomic::{AtomicU32, Ordering};

/// The budget is full at first and never grows beyond this: 100 retries.
const FULL: u32 = 1000;
/// What a retry costs, and a tenth of it is what a success earns: in the long run one retry for ten
/// successes.
const RETRY: u32 = 10;
const SUCCESS: u32 = 1;

/// The retries that all calls of a client can still make.
#[derive(Debug)]
pub(crate) struct RetryBudget(AtomicU32);

impl RetryBudget {
    pub(crate) const fn full() -> Self {
        Self(AtomicU32::new(FULL))
    }

    /// Takes one retry out and returns whether there was one.
    pub(crate) fn withdraw(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(RETRY))
            .is_ok()
    }

    /// Puts in what a success earns.
    pub(crate) fn deposit(&self) {
        // A full budget needs no write, which keeps successful calls out of one another's cache
        // lines.
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
    fn is_used_up_and_earned_back() {
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
