//! Conditions of replies that end a wait.

use super::lookup;
use super::reflect::wire::{View, Wire};

/// The condition that ends a wait.
#[derive(Clone, Copy, Debug)]
pub struct WaitEnd {
    /// The path of names from the reply to the property.
    pub property: &'static [&'static str],
    /// The values that end the wait: text, `true` or `false`, or an integer. If there are none, the presence of the
    /// property ends it.
    pub values: &'static [&'static str],
}

/// Returns whether a reply ends a wait. A property with the default value of its type does not, because a missing one has
/// it, too.
pub fn is_finished(reply: &dyn Wire, end: &WaitEnd) -> bool {
    let Some(value) = lookup::at(reply, end.property) else { return false };
    let is_one = |text: &str| end.values.is_empty() || end.values.contains(&text);
    match value.view() {
        View::Text(text) | View::Enum(text, _) => is_one(text) && !text.is_empty(),
        View::Bool(flag) if end.values.is_empty() => flag,
        View::Bool(flag) => is_one(if flag { "true" } else { "false" }),
        View::Integer(number) => is_one(&number.to_string()),
        _ => end.values.is_empty() && !value.is_default(),
    }
}
