//! The kinds of items with common members.

/// A kind of item with common members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Template {
    /// A union of values.
    Choice,
    /// The handle of a resource.
    Handle,
    /// An open enum of integers.
    IntegerEnum,
    /// A struct.
    Model,
    /// An open enum of texts.
    OpenEnum,
    Request,
    /// A union that is recognized by a property.
    Union,
}

impl Template {
    /// Returns the word for it in `api.txt`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Handle => "handle",
            Self::IntegerEnum => "integer-enum",
            Self::Model => "model",
            Self::OpenEnum => "open-enum",
            Self::Request => "request",
            Self::Union => "union",
        }
    }
}
