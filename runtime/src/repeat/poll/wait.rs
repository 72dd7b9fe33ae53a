//! Waits with a condition from `codegen.toml`.

use crate::request::endpoint::Endpoint;
use crate::wire::Model;
use crate::wire::wait_end::WaitEnd;

/// The outcome of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a wait can end at its deadline"]
pub enum Waited<T> {
    /// The reply that ended the wait.
    Finished(T),
    /// The last reply before the deadline.
    Unfinished(T),
}

impl<T> Waited<T> {
    /// Returns the reply that ended the wait.
    pub fn finished(self) -> Option<T> {
        match self {
            Self::Finished(reply) => Some(reply),
            Self::Unfinished(_) => None,
        }
    }
}

#[diagnostic::on_unimplemented(
    message = "no condition ends a wait for the operation `{Self}`",
    label = "the end of the wait is not described",
    note = "`.poll().until(|reply| …)` waits for a condition; a `[[wait]]` in `codegen.toml` describes one"
)]
/// An operation whose reply shows whether a process has finished.
pub trait WaitEndpoint: Endpoint<Output: Model> {
    /// The condition that ends a wait.
    const END: &'static WaitEnd;
}
