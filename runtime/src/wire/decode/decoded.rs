//! The outcome of decoding a value.

/// Whether there was a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wire) enum Decoded {
    Value,
    /// A null that the type does not have.
    Null,
    /// An empty string instead of an integer or a date-time.
    EmptyText,
    /// A value that does not have the described type, within a union, or an integer that does not fit the type. The
    /// context has it.
    Mismatch,
}
