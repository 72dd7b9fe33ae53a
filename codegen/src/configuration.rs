//! Places in the text of `codegen.toml`, for problems that only the document shows.

use crate::diagnostics::{Code, Diagnostics, Place, help_for_unknown};
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

    /// Returns the place of a key or a quoted value under the heading of its table.
    pub fn place(&self, table: &str, quoted: &str) -> Place {
        let table = self.text.find(table).unwrap_or_default();
        let written = [format!("{quoted:?}"), format!("\n{quoted}")];
        let found = written.iter().find_map(|written| self.text[table..].find(written));
        let at = found.map_or(0, |found| table + found + 1);
        Place::Text(Pointer::to_file(self.name), at..at + quoted.len().min(self.text.len()))
    }
}

/// Reports the entries of a table that name nothing, by the code: of what they are not, with the known name that each probably means, or
/// else with this help.
pub fn report_unused(
    code: Code,
    file: Option<&(String, String)>,
    table: &str,
    unused: &[impl AsRef<str>],
    known: &[impl AsRef<str>],
    [what, help]: [&str; 2],
    diagnostics: &mut Diagnostics,
) {
    let file = file.filter(|_| !unused.is_empty());
    let Some(file) = Configuration::new(file, diagnostics) else { return };
    for entry in unused.iter().map(AsRef::as_ref) {
        let meant = diagnostics.spelling().closest(entry, known.iter().map(AsRef::as_ref));
        let help = help_for_unknown(meant, help);
        let message = format!("`{entry}` is {what}");
        diagnostics.report(code, file.place(table, entry), message).help(help);
    }
}
