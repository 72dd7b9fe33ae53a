//! Places in the texts of a document.

use super::place::Place;
use super::report::Diagnostics;
use super::source::Source;
use crate::source_map::Pointer;

/// Finds places in the texts of a document. The first text is the document itself.
pub struct Locator<'d>(Vec<Source<'d>>);

impl<'d> Locator<'d> {
    /// Returns a locator for the texts of a document.
    pub fn new(diagnostics: &'d Diagnostics) -> Self {
        Self(diagnostics.files().iter().map(Source::new).collect())
    }

    /// Returns the file name and the line, from 1, of an escaped JSON pointer.
    pub fn locate(&self, pointer: &str) -> Option<(&'d str, usize)> {
        let place = Place::Key(Pointer::from_escaped(pointer));
        let (_, source) = self.source(&place)?;
        Some((source.name(), source.excerpt(&place)?.number))
    }

    /// Returns the line of an escaped JSON pointer; `None` if it is too long to be shown as a whole.
    pub fn line(&self, pointer: &str) -> Option<String> {
        let place = Place::Key(Pointer::from_escaped(pointer));
        let (_, source) = self.source(&place)?;
        let excerpt = source.excerpt(&place).filter(|excerpt| excerpt.is_whole)?;
        Some(excerpt.text.trim().to_owned())
    }

    /// Returns the text of a place, with its index.
    pub(super) fn source(&self, place: &Place) -> Option<(usize, &Source<'d>)> {
        self.0.iter().enumerate().find(|(_, source)| source.key() == place.file())
    }

    /// Returns the sort key of a place: the file, and the offset in it.
    pub(super) fn position(&self, place: &Place) -> (usize, usize) {
        self.source(place).map_or((0, 0), |(file, source)| (file, source.range(place).start))
    }
}
