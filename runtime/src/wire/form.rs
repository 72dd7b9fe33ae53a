//! How a value is spelled where its type alone does not tell.

/// How the values of a member are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As the type tells.
    Natural,
    /// Integers as strings of decimal digits. A number is read as well, and written again as the number it was.
    IntegerText,
}
