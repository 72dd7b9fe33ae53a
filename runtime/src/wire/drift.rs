//! Signs that a service says more than its description.

use super::error::path;
use super::notes::Unknown;

/// Something in a response that the description does not know.
///
/// None of it is an error: the models keep it, and give it back when they are encoded. It tells that the description
/// has moved on and that a newer version of the bindings would understand more.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Drift {
    /// The way from the body to the value, such as `automation.automationSteps[3]`.
    pub path: String,
    /// What is not known.
    pub kind: DriftKind,
    /// The member's name, or the text of the enum value.
    pub name: String,
}

/// What a [`Drift`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// An object has a member that is not described.
    Member,
    /// A text is none of the values that its enum lists.
    Value,
    /// An object that holds one of several members has another one.
    UnionMember,
    /// An object that holds one of several members has more than one of them.
    UnionMembers,
}

impl From<Unknown> for Drift {
    fn from(unknown: Unknown) -> Self {
        Self { path: path(&unknown.trail), kind: unknown.kind, name: unknown.name }
    }
}
