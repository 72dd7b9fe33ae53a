//! Lines of JSON pointers.

use super::place::Place;
use super::report::Diagnostics;
use super::source::Source;
use crate::source_map::Pointer;

/// Finds lines for JSON pointers.
pub struct Locator<'d>(Vec<Source<'d>>);

impl<'d> Locator<'d> {
    /// Returns a locator for the texts of a document.
    pub fn new(diagnostics: &'d Diagnostics) -> Self {
        Self(diagnostics.files().iter().map(Source::new).collect())
    }

    /// Returns the file name and the line, from 1, of an escaped JSON pointer.
    pub fn locate(&self, pointer: &str) -> Option<(&'d str, usize)> {
        let place = Place::Key(Pointer::from_escaped(pointer));
        let source = self.0.iter().find(|source| source.key() == place.file())?;
        Some((source.name(), source.excerpt(&place)?.number))
    }
}
