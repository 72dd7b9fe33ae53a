//! Edits of `codegen.toml` that keep its formatting.

use std::collections::BTreeSet;
use std::ops::Range;

use semver::Version;
use toml::de::DeTable;

use commands::host::exit::{Failure, Fallible};
use commands::host::paths::display_path;
use commands::host::toml_file::{self, Invalid, table};
use commands::host::write::TextFile;
use commands::settings::SettingsFile;

pub struct SettingsText {
    name: String,
    pub text: String,
}

impl SettingsText {
    pub fn of(file: &TextFile) -> Self {
        let name = display_path(&file.path).display().to_string();
        Self { name, text: file.before.clone().unwrap_or_default() }
    }

    /// Sets the version of the emitted crate.
    pub fn set_version(&mut self, version: &Version) -> Fallible {
        let found = self.places(|root| {
            let package = root.get("package").map(table).transpose()?;
            Ok(package.and_then(|package| Some(package.get("version")?.span())))
        })?;
        let place = found.ok_or_else(|| {
            Failure::new(format!("`{}` has no `version`", self.name))
                .help("write `version = \"…\"` under `[package]`")
        })?;
        self.text.replace_range(place, &format!("\"{version}\""));
        Ok(())
    }

    /// Removes the aliases of some old paths, and the heading if none is left.
    pub fn remove_aliases(&mut self, is_removed: impl Fn(&str) -> bool) -> Fallible {
        let (places, heading, is_empty) = self.places(|root| {
            let Some((heading, aliases)) = root.get_key_value("aliases") else {
                return Ok(Default::default());
            };
            let aliases = table(aliases)?;
            let removed = aliases.iter().filter(|(path, _)| is_removed(path.get_ref()));
            let removed: Vec<_> =
                removed.map(|(path, to)| path.span().start..to.span().end).collect();
            let is_empty = removed.len() == aliases.len();
            Ok((removed, heading.span(), is_empty))
        })?;
        let mut kept = SettingsFile::parse(&self.text, &self.name)?.generator.aliases;
        kept.retain(|path, _| !is_removed(path));
        let mut lines: BTreeSet<_> = places.iter().map(|place| self.lines(place)).collect();
        let (start, end) = self.lines(&heading);
        if is_empty && !lines.is_empty() && !lines.contains(&(start, end)) {
            lines.insert((self.start_of_blank(start), end));
        }
        for (start, end) in lines.into_iter().rev() {
            self.text.replace_range(start..end, "");
        }
        let settings = SettingsFile::parse(&self.text, &self.name);
        if settings.is_ok_and(|file| file.generator.aliases == kept) {
            return Ok(());
        }
        Err(Failure::new(format!("the aliases in `{}` are not on separate lines", self.name))
            .help("write each alias on its own line below `[aliases]`"))
    }

    fn places<T>(&self, find: impl FnOnce(&DeTable<'_>) -> Result<T, Invalid>) -> Fallible<T> {
        toml_file::parse(&self.text, &self.name, find)
    }

    /// Returns the start and the end of the lines of a place.
    fn lines(&self, place: &Range<usize>) -> (usize, usize) {
        let start = self.text[..place.start].rfind('\n').map_or(0, |end| end + 1);
        let rest = self.text[place.end..].find('\n');
        (start, rest.map_or(self.text.len(), |at| place.end + at + 1))
    }

    /// Returns the start of the blank lines before a line.
    fn start_of_blank(&self, start: usize) -> usize {
        let before = self.text[..start].trim_end().len();
        self.text[before..start].find('\n').map_or(start, |at| before + at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> SettingsText {
        SettingsText { name: "codegen.toml".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn only_the_version_and_the_aliases_change() {
        let mut settings = settings(
            "# version = \"0.9.0\"\n[package]\nname = \"a\"\nversion   = '1.0.0' # now\n\n[aliases] # old\n\"a::B\" = \"a::C\"\n\
             'a::D' = \"a::C\"\n\n[renames]\n\"/a\" = \"C\"\n",
        );
        settings.set_version(&Version::new(2, 0, 0)).unwrap();
        settings.remove_aliases(|path| path == "a::B").unwrap();
        assert_eq!(
            settings.text,
            "# version = \"0.9.0\"\n[package]\nname = \"a\"\nversion   = \"2.0.0\" # now\n\n[aliases] # old\n\
             'a::D' = \"a::C\"\n\n[renames]\n\"/a\" = \"C\"\n"
        );
        settings.remove_aliases(|_| true).unwrap();
        assert!(
            settings.text.ends_with("# now\n\n[renames]\n\"/a\" = \"C\"\n"),
            "{}",
            settings.text
        );
        settings.remove_aliases(|_| true).unwrap();
        settings.text = "aliases.'a::B' = 'a::C'\nspec = 'a.yaml'\n".to_owned();
        settings.remove_aliases(|_| true).unwrap();
        assert_eq!(settings.text, "spec = 'a.yaml'\n");
    }

    #[test]
    fn a_file_without_a_version_is_an_error() {
        for text in ["", "[package]\n", "[client]\nversion = \"1.0.0\"\n"] {
            let failure = settings(text).set_version(&Version::new(2, 0, 0)).unwrap_err();
            assert!(failure.message.contains("has no `version`"), "{}", failure.message);
        }
    }

    #[test]
    fn aliases_that_share_a_line_are_an_error() {
        let mut settings = settings("aliases = { \"a::B\" = \"a::C\", \"a::D\" = \"a::C\" }\n");
        let failure = settings.remove_aliases(|path| path == "a::B").unwrap_err();
        assert!(failure.message.contains("not on separate lines"), "{}", failure.message);
    }
}
