//! The outcome of decoding a value.

/// Whether there was a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wire) enum Decoded {
    Value,
    /// A null, which the type has.
    Nothing,
    /// A null, which the type does not have.
    Null,
    /// A value that the type cannot hold: one of another JSON kind, an integer beyond it, a text that is not a date-time.
    /// The context has it.
    Unfit,
    /// A list or a map without such values. The context has it with them. It is not a value of a union's variant.
    Partial,
    /// A value that the type holds as another one: a list or a map without nulls, an integer as the nearest float, a
    /// string as the number in it. The context has it as it was received.
    Approximate,
}

impl Decoded {
    /// Returns whether the value, or a part of it outside of objects, is one that its type cannot hold.
    pub fn has_unfit(self) -> bool {
        matches!(self, Self::Unfit | Self::Partial)
    }
}
