//! Deviations of responses from the spec.

/// A deviation of a response from the spec.
///
/// It is an error only for a [`strict`](crate::ClientBuilder::strict) client: models retain unknown properties, values
/// and variants, and encode them again. Newer bindings may support them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Drift {
    /// The path from the body to the value, such as `automation.automationSteps[3]`.
    pub path: String,
    /// The kind of the deviation.
    pub kind: DriftKind,
    /// The name of the property, or the text of the value; empty for a null element.
    pub name: String,
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
    /// A value does not have the described format: a date-time that is not RFC 3339, an integer in a string that is not
    /// canonical (`+7`, `007`) or not in a string. An empty string is `None`, and lists do not contain it.
    Format,
    /// A list has a null that the type of its elements does not have. The decoded list does not contain it.
    NullElement,
    /// A union has an undescribed property.
    UnknownVariant,
    /// A union has more than one of its properties.
    SeveralVariants,
}
