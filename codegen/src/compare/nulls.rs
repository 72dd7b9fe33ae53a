//! The texts of the report on other types, and on null.

use super::change::Change;
use super::what::{Retyping, What};

impl Change {
    /// Returns the programs that break, and the reason; empty if none do.
    pub fn reason(&self) -> &'static str {
        match (&self.main.what, self.lost_null_setter()) {
            (What::Nullable { .. }, Some(_)) => {
                "programs that set it to null no longer compile; a received null is not sent back"
            }
            (_, Some(_)) => {
                "programs that set it to null no longer compile, and servers may reject requests without it"
            }
            (_, None) => self.main.verdict().reason,
        }
    }

    /// Returns the help text; `None` if no action is needed.
    pub fn instead(&self) -> Option<String> {
        let Some(setter) = self.lost_null_setter() else {
            let text = self.main.verdict().instead;
            return (!text.is_empty()).then(|| text.into_owned());
        };
        let effect = match self.main.what {
            What::Nullable { .. } => "the property is then not sent",
            _ => "the property is then sent as null, as long as it has no value",
        };
        Some(format!("remove the calls of `{}()`: {effect}", setter.name))
    }
}

impl Retyping {
    /// Returns the predicate of a sentence on the item.
    pub(super) fn predicate(self) -> &'static str {
        match self {
            Self::Null => "can be null now",
            Self::NotNull => "can no longer be null",
            Self::ElementsNull => "can contain null now",
            Self::ElementsNotNull => "can no longer contain null",
            _ => "has another type",
        }
    }

    /// Returns the help text.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Required => "it is now required: remove the handling of `None`",
            Self::Optional => "it is now optional: handle `None`",
            Self::NotNull | Self::ElementsNotNull => "remove the handling of `None`",
            Self::Null | Self::ElementsNull => "handle `None`, which is null",
            Self::Secret => "convert it with `Secret::new` and `expose()`",
            Self::Other => "convert from or to the new type",
        }
    }
}
