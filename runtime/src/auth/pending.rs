//! The parts of requests for tokens that programs provide.

use std::sync::{Mutex, PoisonError};

/// What a request for a token waits for before it is sent: a part of it that the program provides.
#[derive(Default)]
pub(crate) struct Pending(Mutex<Option<String>>);

impl Pending {
    /// Awaits a part of a request. `missing` says that there is none.
    pub(super) async fn part<T>(&self, missing: String, part: impl Future<Output = T>) -> T {
        self.set(Some(missing));
        let part = part.await;
        self.set(None);
        part
    }

    pub(super) fn set(&self, missing: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = missing;
    }

    /// Returns `: ` and what is missing, if a part is.
    pub(super) fn reason(&self) -> Option<String> {
        let missing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        missing.as_ref().map(|missing| format!(": {missing}"))
    }
}
