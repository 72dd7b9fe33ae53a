//! Lines of places.

use std::borrow::Cow;
use std::ops::Range;

use super::place::Place;
use super::report::File;
use crate::source_map::{Pointer, Spot};

/// Maximum length of a line that is shown whole, in bytes.
const MAX_LINE_LENGTH: usize = 1000;

/// Number of bytes of a longer line that are shown on each side of the underlined part.
const SURROUNDINGS: usize = 60;

/// Maximum size of a collection that is underlined, in bytes; for a larger one, its key is underlined.
const MAX_COLLECTION_SIZE: usize = 80;

/// A text in which places can be found.
pub(super) struct SourceFile<'t> {
    pub(super) file: &'t File,
    pub(super) text: &'t str,
    line_starts: Vec<usize>,
}

/// A line of the text, or a part of a very long one.
pub(super) struct Excerpt<'t> {
    pub(super) text: Cow<'t, str>,
    /// The number of the line, from 1.
    pub(super) number: usize,
    /// The number of the first underlined character in the line, from 1.
    pub(super) column: usize,
    /// The underlined bytes of `text`.
    pub(super) underlined: Range<usize>,
    /// Whether `text` is the whole line, which is not blank.
    pub(super) is_whole: bool,
}

impl<'t> SourceFile<'t> {
    /// Prepares to show places in a file.
    pub(super) fn new(file: &'t File) -> Self {
        let text = file.text.as_str();
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { file, text, line_starts }
    }

    /// Returns the underlined bytes of a place, all in one line.
    pub(super) fn range(&self, place: &Place) -> Range<usize> {
        let range = match place {
            Place::Text(_, range) => range.clone(),
            Place::Key(pointer) => {
                let spot = self.spot(pointer);
                spot.key.unwrap_or(spot.value)
            }
            Place::Value(pointer) => match self.spot(pointer) {
                Spot { key: Some(key), value } if !self.is_compact(&value) => key,
                spot => spot.value,
            },
        };
        self.first_line(range)
    }

    /// Returns the line of a place.
    pub(super) fn excerpt(&self, place: &Place) -> Option<Excerpt<'t>> {
        let range = self.range(place);
        let number = self.line_starts.partition_point(|start| *start <= range.start);
        let start = *self.line_starts.get(number.checked_sub(1)?)?;
        let end = self.line_starts.get(number).map_or(self.text.len(), |next| next - 1);
        let whole = self.text.get(start..end)?.trim_end_matches('\r');
        let column = self.text.get(start..range.start)?.chars().count() + 1;
        let underlined = range.start - start..range.end - start;
        if whole.len() <= MAX_LINE_LENGTH {
            let text = whole.into();
            let is_whole = !whole.trim().is_empty();
            return Some(Excerpt { text, number, column, underlined, is_whole });
        }
        let part = floor(whole, underlined.start.saturating_sub(SURROUNDINGS))
            ..floor(whole, underlined.end + SURROUNDINGS);
        let before = if part.start > 0 { "…" } else { "" };
        let after = if part.end < whole.len() { "…" } else { "" };
        let start = underlined.start - part.start + before.len();
        let underlined = start..start + underlined.len();
        let text = [before, &whole[part], after].concat();
        Some(Excerpt { text: text.into(), number, column, underlined, is_whole: false })
    }

    /// Returns the text of the value of a pointer.
    pub(super) fn value(&self, pointer: &Pointer) -> Option<&'t str> {
        self.text.get(self.file.map().find(pointer)?.value)
    }

    /// Returns the spot of a pointer, or of its nearest ancestor in the text.
    fn spot(&self, pointer: &Pointer) -> Spot {
        let map = self.file.map();
        let spot = pointer.and_outer().find_map(|place| map.find(place));
        spot.unwrap_or(Spot { key: None, value: 0..0 })
    }

    /// Returns whether a value is underlined as a whole.
    fn is_compact(&self, value: &Range<usize>) -> bool {
        let text = self.text.get(value.clone()).unwrap_or_default();
        let is_large = text.len() > MAX_COLLECTION_SIZE && text.starts_with(['{', '[']);
        !text.is_empty() && !text.contains('\n') && !is_large
    }

    /// Cuts a range to the text and to its first line, at character boundaries.
    fn first_line(&self, range: Range<usize>) -> Range<usize> {
        let start = floor(self.text, range.start);
        let end = floor(self.text, range.end).max(start);
        let length = self.text[start..end].find(['\n', '\r']).unwrap_or(end - start);
        start..start + length
    }
}

/// Returns the character boundary at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
