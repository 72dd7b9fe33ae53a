//! Work on all cores.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, available_parallelism, scope};

/// The size of the stack of a thread in bytes. Types nest up to 128 levels, which `syn` and `prettyplease` read and print
/// by recursion.
const STACK: usize = 16 << 20;

/// Applies a function to every item, on all cores. The results are in the order of the items.
pub fn map<T: Sync, R: Send + Sync>(items: &[T], function: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let slots: Vec<(&T, OnceLock<R>)> = items.iter().map(|item| (item, OnceLock::new())).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((item, result)) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
            result.get_or_init(|| function(item));
        }
    };
    let cores = available_parallelism().map_or(1, NonZero::get);
    scope(|scope| {
        let threads = (0..cores.min(items.len())).map(|_| Builder::new().stack_size(STACK));
        let started = threads.filter_map(|it| it.spawn_scoped(scope, work).ok()).count();
        // The stack of this thread may be smaller.
        if started == 0 {
            work();
        }
    });
    slots.into_iter().filter_map(|(_, result)| result.into_inner()).collect()
}

/// Runs two functions at the same time.
pub fn join<A, B: Send>(first: impl FnOnce() -> A, second: impl Fn() -> B + Sync) -> (A, B) {
    scope(|scope| {
        let other = Builder::new().spawn_scoped(scope, &second);
        let first = first();
        // If no thread can be started, this one does its work.
        let second = other.map_or_else(
            |_| second(),
            |thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
        );
        (first, second)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        let doubled = super::map(&items, |item| item * 2);
        assert!(doubled.into_iter().eq((0..2000).step_by(2)));
        assert!(super::map(&[], usize::clone).is_empty());
    }
}
