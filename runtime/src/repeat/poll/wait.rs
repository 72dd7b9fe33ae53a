//! Waits with a condition from `codegen.toml`.

use crate::request::endpoint::Endpoint;
use crate::wire::{Model, View, Wire, lookup};

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

/// The condition that ends a wait.
#[derive(Clone, Copy, Debug)]
pub struct WaitEnd {
    /// The path of names from the reply to the property.
    pub property: &'static [&'static str],
    /// The values that end the wait: text, `true` or `false`, or an integer. If there are none, the presence of the
    /// property ends it.
    pub values: &'static [&'static str],
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

/// Returns whether a reply ends a wait.
pub fn is_finished(reply: &impl Model, end: &WaitEnd) -> bool {
    end.is_reached(reply)
}

impl WaitEnd {
    /// Returns whether a reply ends the wait. A property with the default value of its type does not, because a missing
    /// one has it, too.
    pub(super) fn is_reached(&self, reply: &dyn Wire) -> bool {
        let Some(value) = lookup::at(reply, self.property) else { return false };
        let is_one = |text: &str| self.values.is_empty() || self.values.contains(&text);
        match value.view() {
            View::Text(text) | View::Enum(text, _) => is_one(text) && !text.is_empty(),
            View::Bool(flag) if self.values.is_empty() => flag,
            View::Bool(flag) => is_one(if flag { "true" } else { "false" }),
            View::Integer(number) => is_one(&number.to_string()),
            _ => self.values.is_empty() && !value.is_default(),
        }
    }
}
