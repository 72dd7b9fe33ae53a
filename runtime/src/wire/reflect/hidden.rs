//! What logs, errors and recordings do not show of a value.

use crate::secrets::names;
use crate::wire::reflect::wire::View;
use crate::wire::value::Value;

/// What is not shown of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::wire) enum Hidden {
    Nothing,
    /// Its texts and numbers, because of a name: neither booleans, nor times, nor the values of enums that the spec lists.
    Texts,
    /// Its scalars, but not the names of its properties, because nothing describes it.
    Scalars,
    /// All of it, because of a type or a mark.
    All,
}

impl Hidden {
    /// Returns what is hidden of a value with this name, within another value.
    pub(in crate::wire) fn named(self, name: &str) -> Self {
        let secret = if self == Self::Scalars { Self::All } else { Self::Texts };
        if names::is_secret(name) { self.max(secret) } else { self }
    }

    /// Returns whether all of a value is hidden.
    pub(in crate::wire) fn hides(self, view: &View<'_>) -> bool {
        match view {
            View::Absent | View::Value(Value::Null) => false,
            View::Secret(_) => true,
            View::Array(_) | View::Dictionary(_) if self == Self::Scalars => false,
            View::Bool(_)
            | View::Scalar(_)
            | View::Enum(_, true)
            | View::Upload(_)
            | View::Object
            | View::Union(_)
            | View::Choice(_)
            | View::Array(_) => self >= Self::Scalars,
            _ => self >= Self::Texts,
        }
    }
}
