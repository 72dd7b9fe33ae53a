//! The parts of requests for tokens that programs provide.

use std::sync::{Mutex, PoisonError};

/// What a request for a token waits for before it is sent: a part of it that the program provides.
#[derive(Default)]
pub(crate) struct Pending(Mutex<Option<String>>);

impl Pending {
    /// Awaits a part of a request. `missing` says that there is none.
    pub(super) async fn part<T>(&self, missing: String, part: impl Future<Output = T>) -> T {
        self.set(Some(missing));
        let _end = End(self);
        part.await
    }

    fn set(&self, missing: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = missing;
    }

    /// Returns `: ` and what is missing, if a part is.
    pub(super) fn reason(&self) -> Option<String> {
        let missing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        missing.as_ref().map(|missing| format!(": {missing}"))
    }
}

/// The end of the wait for a part, also if it is dropped.
struct End<'a>(&'a Pending);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.set(None);
    }
}
