//! The processor's cores, for work that has parts.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

/// How many threads work at most.
const MOST: usize = 8;

/// How many bytes of stack each thread has: as many as the first of a process has on most systems, so that how deep
/// something may be nested does not depend on the thread.
const STACK: usize = 8 * 1024 * 1024;

/// Calls a function once with every number below `count`, on all cores, but on eight at most.
pub fn share(count: usize, part: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        numbers.take_while(|&number| number < count).for_each(part);
    };
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST));
    thread::scope(|scope| {
        // A helper that cannot be started is not needed: this thread does what is left.
        let helpers: Vec<_> = (1..cores.min(count))
            .map_while(|_| Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok())
            .collect();
        work();
        for helper in helpers {
            if let Err(panic) = helper.join() {
                resume_unwind(panic);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::share;

    #[test]
    fn every_part_is_done_once() {
        for count in [0, 1, 2, 1000] {
            let done = Mutex::new(Vec::new());
            share(count, &|number| done.lock().unwrap().push(number));
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            assert_eq!(done, (0..count).collect::<Vec<_>>());
        }
    }
}
