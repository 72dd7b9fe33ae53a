//! Places in the text of `codegen.toml`, for problems that only the document shows.

use crate::diagnostics::{Diagnostics, Place};
use crate::source_map::{Pointer, Syntax};

/// The name and the text of a `codegen.toml`.
pub struct Configuration<'s> {
    name: &'s str,
    text: &'s str,
}

impl<'s> Configuration<'s> {
    /// Adds the file to the texts of the diagnostics. Settings of an older revision have no file, because they cannot
    /// be corrected.
    pub fn new(file: Option<&'s (String, String)>, diagnostics: &mut Diagnostics) -> Option<Self> {
        let (name, text) = file?;
        diagnostics.add_file(Some(name), name, text, Syntax::Yaml);
        Some(Self { name, text })
    }

    /// Returns the place of a quoted key or value under the heading of its table.
    pub fn place(&self, table: &str, quoted: &str) -> Place {
        let table = self.text.find(table).unwrap_or_default();
        let found = self.text[table..].find(&format!("{quoted:?}"));
        let at = found.map_or(0, |found| table + found + 1);
        Place::Text(Pointer::to_file(self.name), at..at + quoted.len().min(self.text.len()))
    }
}
