//! Deviations of responses from the spec.

use std::fmt;

use crate::secrets::REDACTED;

/// A deviation of a response from the spec.
///
/// It is an error only for a [`strict`](crate::ClientBuilder::strict) client: models retain unknown properties, values
/// and variants, and values that their fields cannot hold, and encode them again. Newer bindings may support them.
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Drift {
    /// The path from the body to the value, such as `automation.automationSteps[3]`.
    pub path: String,
    /// The kind of the deviation.
    pub kind: DriftKind,
    /// The name of the property, or the text of the value; empty for a null element and a value of the wrong type.
    pub name: String,
}

impl Drift {
    /// Returns the deviation as text, without the value, which may be a secret.
    pub(super) fn message(&self) -> String {
        let name = self.name.escape_debug();
        match self.kind {
            DriftKind::WrongType { expected, found } => {
                format!("expected {expected}, found {found}")
            }
            DriftKind::UnknownProperty => format!("property `{name}` is not described"),
            DriftKind::MissingProperty => format!("required property `{name}` is missing or null"),
            DriftKind::UnknownValue => "value is not listed".to_owned(),
            DriftKind::Format => "value does not have the described format".to_owned(),
            DriftKind::NullElement => "element is null".to_owned(),
            DriftKind::UnknownVariant => format!("union property `{name}` is not described"),
            DriftKind::NoVariant => "value is none of the described variants".to_owned(),
            DriftKind::UnknownStatus => format!("status {name} is not described"),
            DriftKind::UnknownMediaType => format!("media type `{name}` is not described"),
            DriftKind::UnknownEvent => format!("event `{name}` is not described"),
            DriftKind::SeveralVariants => format!("union has `{name}` next to another property"),
        }
    }
}

/// The path and the deviation, without the value, which may be a secret.
impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message())
    }
}

/// Shows what `Display` does: not the text of a value, which may be a secret.
impl fmt::Debug for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_value = matches!(self.kind, DriftKind::UnknownValue | DriftKind::Format);
        let name = if is_value { REDACTED } else { &self.name };
        f.debug_struct("Drift")
            .field("path", &self.path)
            .field("kind", &self.kind)
            .field("name", &name)
            .finish()
    }
}

/// The kind of a [`Drift`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// An object has an undescribed property.
    UnknownProperty,
    /// An object lacks a required property, or has null for it. The field has the default of its type: an empty string,
    /// zero, 1970-01-01.
    MissingProperty,
    /// A string is not among the values of its enum.
    UnknownValue,
    /// A value does not have the described format, but can be read: a date-time that is not RFC 3339, an integer in a
    /// string that is not canonical (`+7`, `007`) or not in a string, an integer that the nearest `f64` changes. The same
    /// holds for a number in JSON without a type of which only the nearest number is retained, because it is beyond 64 bits
    /// or beyond `f64`: the path is the path of the JSON, the name is the number. A body can have surrogates without a
    /// counterpart (`\ud800`), and U+FFFD is read for them: the path and the name are those of the first.
    Format,
    /// A list or a map has a null that the type of its values does not have. It is not in the decoded list or map, but
    /// sent back at its place until the list or map is changed.
    NullElement,
    /// A union has an undescribed property.
    UnknownVariant,
    /// A union has more than one of its properties.
    SeveralVariants,
    /// A union has a value that matches none of its variants. It is `Unknown`.
    NoVariant,
    /// A successful response has a status that is not declared.
    UnknownStatus,
    /// A successful response has a media type that is not declared.
    UnknownMediaType,
    /// An event has a name that is not declared, next to declared ones with data of several types.
    UnknownEvent,
    /// A property, an element or an entry has a value that its type cannot hold: one of another JSON kind, a null of an
    /// optional property that does not describe it, an integer beyond it or with a fraction, a text that is not a date-time. The property has the default of its type or `None`, and
    /// the value is one of the unknown properties; lists and maps do not contain it. It is sent back at its place until the
    /// field is set or the list or the map is changed. The same holds for a string with a number, and for a date-time
    /// without an offset, with a leap second or with digits after nanoseconds, but the field has the number, the date-time
    /// as UTC, the second before, or the nanoseconds.
    WrongType {
        /// The described type, with its article: `a 32-bit integer`.
        expected: &'static str,
        /// The JSON kind of the value, with its article: `a string`.
        found: &'static str,
    },
}
