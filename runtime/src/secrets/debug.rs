//! `Debug` of what the spec does not describe.

use std::fmt::{self, Debug};

use serde_json::{Map, Value};

use super::{REDACTED, names};

/// A value, and whether it is a secret, which is not shown.
pub(crate) struct MaybeSecret<T>(pub(crate) T, pub(crate) bool);

impl<T: Debug> Debug for MaybeSecret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1 { f.write_str(REDACTED) } else { self.0.fmt(f) }
    }
}

/// A text that is not shown if its form is that of a secret.
pub(crate) struct Text<'a>(pub(crate) &'a str);

impl Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        MaybeSecret(self.0, names::names_secret(self.0, names::is_secret)).fmt(f)
    }
}

/// JSON without the values that their names or their form make secrets.
pub(crate) struct Json<'a>(pub(crate) &'a Value);

impl Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::String(text) => f.debug_tuple("String").field(&Text(text)).finish(),
            Value::Array(elements) => {
                f.write_str("Array ")?;
                f.debug_list().entries(elements.iter().map(Json)).finish()
            }
            Value::Object(object) => {
                f.write_str("Object ")?;
                Properties(object).fmt(f)
            }
            scalar => scalar.fmt(f),
        }
    }
}

/// The properties of an object without the values that are secrets.
pub(crate) struct Properties<'a>(pub(crate) &'a Map<String, Value>);

impl Debug for Properties<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(name, value)| property(name, value))).finish()
    }
}

/// Returns the name and the value of a property to show.
pub(crate) fn property<'a>(name: &'a str, value: &'a Value) -> (Text<'a>, MaybeSecret<Json<'a>>) {
    (Text(name), MaybeSecret(Json(value), names::is_secret(name) && may_be_secret(value)))
}

/// Returns whether a value can be a secret: a boolean such as `hasPassword` is none.
pub(crate) fn may_be_secret(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(_))
}
