//! `codegen.toml`: what the spec does not say about the crate that is emitted for it.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::codegen::package_name::PackageName;
use crate::exit::{Exit, Failure};
use crate::read;

/// The content of a `codegen.toml`. An unknown key is an error: it would otherwise have no effect.
#[derive(Debug, Default)]
pub struct SettingsFile {
    /// `package.name`: the name of the emitted crate.
    pub name: Option<PackageName>,
    /// `package.version`: the version of the emitted crate.
    pub version: Option<semver::Version>,
    /// `client.env-prefix`: the prefix of the environment variables that a client can be built from.
    pub env_prefix: Option<String>,
}

impl SettingsFile {
    /// Returns the content of a file, or the defaults if there is none.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            _ => {}
        }
        Self::parse(&read::text(path, Exit::Failed)?, &path.display().to_string())
    }

    /// Returns the content of a text; messages call it by `name`.
    pub fn parse(text: &str, name: &str) -> Result<Self, Failure> {
        Self::parsed(text).map_err(|invalid| {
            let (line, column) = line_and_column(text, invalid.span.start);
            Failure::new(format!("{name}:{line}:{column}: {}", invalid.message))
        })
    }

    /// Returns whether a crate with other settings has other public items.
    pub fn differs_in_items(&self, other: &Self) -> bool {
        self.name.as_ref().map(PackageName::as_str) != other.name.as_ref().map(PackageName::as_str)
    }

    fn parsed(text: &str) -> Result<Self, Invalid> {
        let root = DeTable::parse(text).map_err(|error| Invalid {
            span: error.span().unwrap_or_default(),
            message: error.message().to_owned(),
        })?;
        let mut file = Self::default();
        for (table, content) in root.get_ref() {
            let name = table.get_ref().as_ref();
            if !TABLES.contains(&name) {
                return Err(unknown(table.span(), &format!("table `[{name}]`"), &TABLES));
            }
            let Some(entries) = content.get_ref().as_table() else {
                return Err(Invalid::at(table.span(), format!("`{name}` must be a table")));
            };
            for (key, value) in entries {
                match (name, key.get_ref().as_ref()) {
                    ("package", "name") => file.name = Some(parsed(value)?),
                    ("package", "version") => file.version = Some(parsed(value)?),
                    ("client", "env-prefix") => file.env_prefix = Some(string(value)?.to_owned()),
                    (_, other) => {
                        let known: &[_] =
                            if name == "package" { &["name", "version"] } else { &["env-prefix"] };
                        return Err(unknown(key.span(), &format!("key `{other}`"), known));
                    }
                }
            }
        }
        Ok(file)
    }
}

const TABLES: [&str; 2] = ["package", "client"];

/// What is wrong with the text, and where.
#[derive(Debug)]
struct Invalid {
    span: Range<usize>,
    message: String,
}

impl Invalid {
    fn at(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }
}

fn unknown(span: Range<usize>, what: &str, known: &[&str]) -> Invalid {
    Invalid::at(span, format!("unknown {what}; expected one of: {}", known.join(", ")))
}

fn string<'v>(value: &'v Spanned<DeValue<'_>>) -> Result<&'v str, Invalid> {
    let found = value.get_ref();
    let message = || format!("expected a string, found {}", found.type_str());
    found.as_str().ok_or_else(|| Invalid::at(value.span(), message()))
}

fn parsed<T: std::str::FromStr>(value: &Spanned<DeValue<'_>>) -> Result<T, Invalid>
where
    T::Err: std::fmt::Display,
{
    let parsed = string(value)?.parse();
    parsed.map_err(|error: T::Err| Invalid::at(value.span(), error.to_string()))
}

/// Returns the line and the column of an offset, both from 1.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    (1 + before.matches('\n').count(), 1 + column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SettingsFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("codegen.toml");
        fs::write(&path, text).unwrap();
        SettingsFile::read(&path).map_err(|failure| failure.message)
    }

    #[test]
    fn all_keys_are_read() {
        let file =
            read("[package]\nname = \"a-b\"\nversion = \"0.1.0-alpha\"\n[client]\nenv-prefix = \"A_B\"\n").unwrap();
        assert_eq!(file.name.unwrap().as_str(), "a-b");
        assert_eq!(file.version.unwrap().to_string(), "0.1.0-alpha");
        assert_eq!(file.env_prefix.as_deref(), Some("A_B"));
    }

    #[test]
    fn a_missing_file_is_an_empty_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = SettingsFile::read(&folder.path().join("codegen.toml")).unwrap();
        assert!(file.name.is_none() && file.version.is_none() && file.env_prefix.is_none());
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        for (text, place, what) in [
            ("[package]\nname = \"a\"\nnaem = \"b\"\n", ":3:1: ", "unknown key `naem`"),
            ("[package]\nname = \"1a\"\n", ":2:8: ", "cannot name a crate"),
            ("\n\n[package]\nversion = \"1.0\"\n", ":4:11: ", "version"),
            ("[package]\nname = 1\n", ":2:8: ", "expected a string, found integer"),
            ("package = 1\n", ":1:1: ", "must be a table"),
            ("[pakage]\n", ":1:2: ", "unknown table `[pakage]`"),
            ("[package\n", ":1:9: ", ""),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(place) && message.contains(what), "{message}");
        }
    }
}
