//! Places in the texts of a document.

use super::origins::Origins;
use super::place::Place;
use super::report::Diagnostics;
use super::source::{Excerpt, SourceFile};
use crate::source_map::Pointer;

/// Finds places in the texts of a document. The first text is the document itself.
pub struct Locator<'d> {
    sources: Vec<SourceFile<'d>>,
    origins: &'d Origins,
}

impl<'d> Locator<'d> {
    /// Returns a locator for the texts of a document.
    pub fn new(diagnostics: &'d Diagnostics) -> Self {
        let sources = diagnostics.files.iter().map(SourceFile::new).collect();
        Self { sources, origins: &diagnostics.origins }
    }

    /// Returns the file name and the line, from 1, of an escaped JSON pointer.
    pub fn locate(&self, pointer: &str) -> Option<(&'d str, usize)> {
        let place = Place::Key(Pointer::from_escaped(pointer));
        let (source, excerpt) = self.excerpt(&place)?;
        Some((&source.file.name, excerpt.number))
    }

    /// Returns the line of an escaped JSON pointer; `None` if it is too long to be shown as a whole, or the only one.
    pub fn line(&self, pointer: &str) -> Option<String> {
        let place = Place::Key(Pointer::from_escaped(pointer));
        let (source, excerpt) = self.excerpt(&place).filter(|(_, excerpt)| excerpt.is_whole)?;
        Some(excerpt.text.trim().to_owned()).filter(|line| line != source.text.trim())
    }

    /// Returns the words of the value of an escaped JSON pointer; nothing if there is none.
    pub fn words(&self, pointer: &str) -> Vec<&'d str> {
        let found = self.source(&Place::Key(Pointer::from_escaped(pointer)));
        let text = found.and_then(|(_, source, place)| source.value(place.pointer()));
        text.map_or(Vec::new(), |text| text.split_whitespace().collect())
    }

    /// Returns the line of a place, with its text.
    pub(super) fn excerpt(&self, place: &Place) -> Option<(&SourceFile<'d>, Excerpt<'d>)> {
        let (_, source, place) = self.source(place)?;
        Some((source, source.excerpt(&place)?))
    }

    /// Returns the text in which a place is written, with its index, and the place there.
    pub(super) fn source(&self, place: &Place) -> Option<(usize, &SourceFile<'d>, Place)> {
        let place = place.origin(self.origins);
        let mut sources = self.sources.iter().enumerate();
        let (index, source) =
            sources.find(|(_, source)| source.file.key.as_deref() == place.file())?;
        Some((index, source, place))
    }

    /// Returns the sort key of a place: the file, and the offset in it.
    pub(super) fn position(&self, place: &Place) -> (usize, usize) {
        let found = self.source(place);
        found.map_or((0, 0), |(file, source, place)| (file, source.range(&place).start))
    }
}
