//! `Debug` of what can be secret.

use std::fmt::{self, Debug};

use secret_names::has_named;

use super::REDACTED;

/// A text that is not shown if it has a value that its name makes a secret, as in the query of a presigned URL.
pub(crate) struct ShownText<'a>(pub(crate) &'a str);

impl Debug for ShownText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if has_named(self.0) { f.write_str(REDACTED) } else { self.0.fmt(f) }
    }
}

/// Shows the name of a type, whose content can be secret.
macro_rules! opaque {
    ($($name:ident$(<$of:ident>)?),*) => {$(
        impl$(<$of>)? ::std::fmt::Debug for $name$(<$of>)? {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )*};
}

pub(crate) use opaque;

/// Shows these values of a type, whose content can be secret.
#[cfg(feature = "client")]
macro_rules! shown {
    ($name:ident$(<$of:ident$(: $bound:path)?>)?, |$it:ident| $($field:ident: $value:expr),* $(,)?) => {
        impl$(<$of$(: $bound)?>)? ::std::fmt::Debug for $name$(<$of>)? {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let $it = self;
                let mut shown = f.debug_struct(stringify!($name));
                $(shown.field(stringify!($field), &$value);)*
                shown.finish_non_exhaustive()
            }
        }
    };
}

#[cfg(feature = "client")]
pub(crate) use shown;
