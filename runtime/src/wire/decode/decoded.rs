//! The outcome of decoding a value.

/// Whether there was a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wire) enum Decoded {
    Value,
    /// A null, which the type does not have.
    Null,
    /// An empty string instead of an integer or a date-time, which lists and dictionaries leave out. The context has it.
    EmptyText,
    /// A value that the type cannot hold, such as an integer beyond it or a text that is not a date-time, or, within a
    /// union, a value that does not have the described type. The context has it.
    Mismatch,
    /// A list or a map without some of the values that were received: nulls that their type does not have, and others that
    /// it cannot hold. The context has it with them.
    Partial,
    /// A value that the type holds as another one: an integer as the nearest float, or a string as the number in it. The
    /// context has it as it was received.
    Converted,
}
