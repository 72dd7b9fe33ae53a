//! Scalars in text.

use std::fmt::Display;

/// A value that JSON has as text, in a form without characters to escape. Equal values have equal texts.
pub trait Scalar: Display {
    /// Sets the value that a text stands for. With `is_lenient`, a text can also be read as another value than its own.
    fn read(&mut self, text: &str, is_lenient: bool) -> Reading;

    /// Returns the expected form, with its article.
    fn expected(&self) -> &'static str;

    fn is_default(&self) -> bool;
}

/// How a scalar was read from a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It has the described form.
    Described,
    /// It has another form of the same value.
    OtherForm,
    /// It is another value, which the scalar stands in for.
    StandIn,
    /// It has no value.
    Unfit,
}
