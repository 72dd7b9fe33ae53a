//! The retry budget, which prevents a storm of retries during an outage.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::secrets::debug::shown;

/// The retries that are left to the calls of a client. Clones share them: a program can read the budget of
/// its client, and clients of one service can have a budget together.
///
/// A retry takes one from the budget, one for all calls that share a failed request for a token, and every so many
/// successful calls return one. Without a retry left, a failed call ends with its error.
///
/// ```
/// # use openapi_bindings_runtime::RetryBudget;
/// // At first 20 retries, and one more for every 5 successes. The builder's `retry_budget` takes a clone.
/// let budget = RetryBudget::new(20, 5);
/// assert_eq!(budget.retries_left(), 20);
/// ```
#[derive(Clone)]
pub struct RetryBudget(Arc<Account>);

struct Account {
    /// The balance, in successes.
    balance: AtomicU64,
    /// The initial and largest balance.
    full: u64,
    price: u64,
}

impl RetryBudget {
    /// Returns a budget of so many retries, to which every `successes` successful calls add one, up to the
    /// initial number. With zero `successes`, retries cost nothing.
    pub fn new(retries: u32, successes: u32) -> Self {
        let price = u64::from(successes);
        let full = u64::from(retries) * price;
        Self(Arc::new(Account { balance: AtomicU64::new(full), full, price }))
    }

    /// Returns the budget that a client has by default: 100 retries, and one for every 10 successful calls.
    pub fn standard() -> Self {
        Self::new(100, 10)
    }

    /// Returns the number of retries that are left; `u64::MAX` if they cost nothing.
    pub fn retries_left(&self) -> u64 {
        self.0.balance.load(Relaxed).checked_div(self.0.price).unwrap_or(u64::MAX)
    }

    /// Takes one retry and returns whether there was one left.
    pub(crate) fn withdraw(&self) -> bool {
        let Account { balance, price, .. } = &*self.0;
        balance.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(*price)).is_ok()
    }

    /// Adds the gain of a success.
    pub(crate) fn deposit(&self) {
        // A full budget is not written to, which would contend for its cache line.
        let Account { balance, full, .. } = &*self.0;
        if balance.load(Relaxed) < *full {
            let _ = balance
                .fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_add(1).min(*full)));
        }
    }
}

impl Default for RetryBudget {
    fn default() -> Self {
        Self::standard()
    }
}

shown!(RetryBudget, |it| retries_left: it.retries_left());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_are_spent_and_earned() {
        let budget = RetryBudget::standard();
        assert_eq!((0..1000).filter(|_| budget.withdraw()).count(), 100);
        for _ in 0..9 {
            budget.deposit();
        }
        assert!(!budget.withdraw());
        budget.deposit();
        assert_eq!(budget.retries_left(), 1);
        assert!(budget.withdraw());
        assert!(!budget.withdraw());
        for _ in 0..10_000 {
            budget.deposit();
        }
        assert_eq!((0..1000).filter(|_| budget.withdraw()).count(), 100);
    }

    #[test]
    fn retries_can_be_free_or_none() {
        let free = RetryBudget::new(1, 0);
        assert!((0..1000).all(|_| free.withdraw()));
        assert_eq!(free.retries_left(), u64::MAX);
        let none = RetryBudget::new(0, 1);
        none.deposit();
        assert!(!none.withdraw());
        assert_eq!(RetryBudget::new(u32::MAX, u32::MAX).retries_left(), u64::from(u32::MAX));
    }
}
