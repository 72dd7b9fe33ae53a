//! Values that read and write themselves.

use std::borrow::Cow;

use crate::wire::value::Value;

/// A value that reads and writes itself.
pub trait OwnValue {
    /// Sets the value to the one that JSON stands for, and returns whether there is one.
    fn read(&mut self, json: &Value) -> bool;

    /// Replaces the value that was read from the nearest numbers by the one that JSON stands for in which these are texts, with
    /// all digits. Returns whether the type reads texts as numbers.
    fn read_spelled(&mut self, json: &Value) -> bool;

    /// Returns the name of the type.
    fn expected(&self) -> &'static str;

    /// Returns the JSON of the type, the same for equal values.
    ///
    /// # Errors
    ///
    /// Fails if the type does.
    fn written(&self) -> Result<Value, String>;

    /// Returns the JSON that is sent.
    ///
    /// # Errors
    ///
    /// Fails if the type does.
    fn sent(&self) -> Result<Cow<'_, Value>, String>;
}
