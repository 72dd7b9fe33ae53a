//! Deviations of responses from the spec.

/// A deviation of a response from the spec.
///
/// It is no error unless [`strict`](crate::ClientBuilder::strict) makes it one: the models retain what came, and encode
/// it again. It tells that the spec has moved on, and that a newer version of the bindings would understand more.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Drift {
    /// The path from the body to the value, such as `automation.automationSteps[3]`.
    pub path: String,
    /// What deviates.
    pub kind: DriftKind,
    /// The name of the property, or the text of the value.
    pub name: String,
}

/// The kind of a [`Drift`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// An object has a property that is not described.
    Member,
    /// An object lacks a required property, or has null for it. The field has the default of its type: an empty string,
    /// zero, 1970-01-01.
    Missing,
    /// A string is none of the values that its enum lists.
    Value,
    /// A string has another format than described: a date-time that is not RFC 3339, or an integer that is not written
    /// canonically (`+7`, `007`). An empty string is `None`.
    Format,
    /// An object that holds one of several properties has another one.
    UnionMember,
    /// An object that holds one of several properties has more than one of them.
    UnionMembers,
}
