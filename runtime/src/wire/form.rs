//! How a value is spelled where its type alone does not tell.

/// How the values of a member are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As the type tells.
    Natural,
    /// Integers as strings of decimal digits.
    IntegerText,
}

impl Form {
    /// Returns `form` in its place.
    #[must_use]
    pub const fn spelled(self, form: Self) -> Self {
        form
    }
}

/// A name for a [`Form`], for use in macro calls.
pub trait Spelling {
    /// The form.
    const FORM: Form;
}

/// `i64` as a string of decimal digits. A number is read as well, and written again as the number it was.
#[derive(Clone, Copy, Debug)]
pub struct Int64Text;

/// `u64` as a string of decimal digits. A number is read as well, and written again as the number it was.
#[derive(Clone, Copy, Debug)]
pub struct UInt64Text;

impl Spelling for Int64Text {
    const FORM: Form = Form::IntegerText;
}

impl Spelling for UInt64Text {
    const FORM: Form = Form::IntegerText;
}
