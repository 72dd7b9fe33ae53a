//! The texts of the report on other types, and on null.

use std::borrow::Cow;

use super::change::Change;
use super::what::{Retyping, What};

impl Change {
    /// Returns the programs that break with the reason, and the help text; empty texts if there are none.
    pub fn effect(&self) -> (&'static str, Cow<'static, str>) {
        let Some(setter) = self.lost_null_setter() else {
            let row = self.main.verdict();
            return (row.reason, row.instead);
        };
        let (reason, effect) = match self.main.what {
            What::Nullable { .. } => (
                "programs that set it to null no longer compile; a received null is not sent back",
                "the property is then not sent",
            ),
            _ => (
                "programs that set it to null no longer compile, and servers may reject requests without it",
                "the property is then sent as null, as long as it has no value",
            ),
        };
        (reason, format!("remove the calls of `{}()`: {effect}", setter.name).into())
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
