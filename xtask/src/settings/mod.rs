//! `codegen.toml`: the settings of an emitted crate. docs/generator.md describes it.

pub mod package_name;

use std::collections::BTreeMap;
use std::path::Path;

use toml::de::DeTable;

use crate::host::exit::Failure;
use crate::host::toml_file::{self, Invalid, Key, Value, parsed, string, table};
use crate::settings::package_name::PackageName;

/// The content of a `codegen.toml`.
#[derive(Clone, Debug, Default)]
pub struct SettingsFile {
    /// `package.name`: the name of the emitted crate.
    pub name: Option<PackageName>,
    /// `package.version`: the version of the emitted crate.
    pub version: Option<semver::Version>,
    /// The other keys of `[package]`, with their values in TOML, as the emitted manifest has them.
    pub metadata: Vec<(String, String)>,
    /// `[runtime]`: where cargo finds the runtime.
    pub runtime: BTreeMap<String, String>,
    /// `client.env-prefix`: the prefix of the environment variables that a client can be built from.
    pub env_prefix: Option<String>,
    /// `errors.request-id`: how messages of errors name the request, with `{id}`.
    pub request_id: Option<String>,
    /// `[aliases]`: old paths of items, with the new ones.
    pub aliases: BTreeMap<String, String>,
    /// The name and the text of the file, to show places in it.
    pub file: Option<(String, String)>,
    /// `[renames]`: Rust names by the JSON pointer of what they name.
    pub renames: BTreeMap<String, String>,
}

/// The tables of the file.
const TABLES: [&str; 6] = ["package", "runtime", "client", "errors", "renames", "aliases"];

/// The keys of `[package]` that the emitted manifest takes over: those of cargo that describe a package.
const METADATA: [&str; 9] = [
    "authors",
    "categories",
    "description",
    "documentation",
    "homepage",
    "keywords",
    "license",
    "publish",
    "repository",
];

/// The keys of `[runtime]`: those of cargo that locate a dependency.
const RUNTIME: [&str; 7] = ["branch", "git", "path", "registry", "rev", "tag", "version"];

impl SettingsFile {
    /// Returns the content of a file, or the defaults if there is none.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::parse(&toml_file::text(path)?, &path.display().to_string())
    }

    /// Returns the content of a text; messages call it by `name`.
    pub fn parse(text: &str, name: &str) -> Result<Self, Failure> {
        toml_file::parse(text, name, |root| {
            let source = Some((name.to_owned(), text.to_owned()));
            let mut file = Self { file: source, ..Self::default() };
            file.read_tables(root, text)?;
            Ok(file)
        })
    }

    /// Returns whether these settings give a crate other public items.
    pub fn differs_in_items(&self, other: &Self) -> bool {
        self.name != other.name || self.renames != other.renames || self.aliases != other.aliases
    }

    fn read_tables(&mut self, root: &DeTable<'_>, text: &str) -> Result<(), Invalid> {
        for (name, content) in root {
            let name_of_table = name.get_ref().as_ref();
            if !TABLES.contains(&name_of_table) {
                return Err(Invalid::key(name, &TABLES));
            }
            for (key, value) in table(content)? {
                self.read_entry(name_of_table, key, value, text)?;
            }
        }
        Ok(())
    }

    fn read_entry(
        &mut self,
        table: &str,
        key: &Key<'_>,
        value: &Value<'_>,
        text: &str,
    ) -> Result<(), Invalid> {
        let name = key.get_ref().to_string();
        match (table, name.as_str()) {
            ("package", "name") => self.name = Some(parsed(value)?),
            ("package", "version") => self.version = Some(parsed(value)?),
            ("package", known) if METADATA.contains(&known) => {
                let written = text.get(value.span()).unwrap_or_default();
                self.metadata.push((name, written.to_owned()));
            }
            ("package", _) => {
                return Err(Invalid::key(key, &[&["name", "version"][..], &METADATA].concat()));
            }
            ("runtime", known) if RUNTIME.contains(&known) => {
                self.runtime.insert(name, string(value)?.to_owned());
            }
            ("runtime", _) => return Err(Invalid::key(key, &RUNTIME)),
            ("client", "env-prefix") => self.env_prefix = Some(string(value)?.to_owned()),
            ("client", _) => return Err(Invalid::key(key, &["env-prefix"])),
            ("errors", "request-id") => {
                let pattern = string(value)?;
                if !pattern.contains("{id}") {
                    return Err(Invalid::value(value, "`{id}` is missing where the identifier is"));
                }
                self.request_id = Some(pattern.to_owned());
            }
            ("errors", _) => return Err(Invalid::key(key, &["request-id"])),
            ("renames", _) => drop(self.renames.insert(name, string(value)?.to_owned())),
            _ => drop(self.aliases.insert(name, string(value)?.to_owned())),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SettingsFile, String> {
        SettingsFile::parse(text, "codegen.toml").map_err(|failure| failure.message)
    }

    #[test]
    fn all_keys_are_read() {
        let file = read(
            "[package]\nname = \"a-b\"\nversion = \"0.1.0-alpha\"\nlicense = \"MIT\"\nkeywords = ['a', \"b\"]\n\
             [runtime]\ngit = \"https://example.com/r.git\"\nrev = \"1a\"\n[client]\nenv-prefix = \"A_B\"\n\
             [errors]\nrequest-id = \"(id: {id})\"\n\
             [renames]\n\"/components/schemas/a\" = \"B\"\n",
        )
        .unwrap();
        assert_eq!(file.name.unwrap().as_str(), "a-b");
        assert_eq!(file.version.unwrap().to_string(), "0.1.0-alpha");
        let metadata = file.metadata.iter().map(|(key, value)| format!("{key} = {value}"));
        assert_eq!(metadata.collect::<Vec<_>>(), ["keywords = ['a', \"b\"]", "license = \"MIT\""]);
        assert_eq!(file.runtime["rev"], "1a");
        assert_eq!(file.env_prefix.as_deref(), Some("A_B"));
        assert_eq!(file.request_id.as_deref(), Some("(id: {id})"));
        assert_eq!(file.renames["/components/schemas/a"], "B");
    }

    #[test]
    fn a_missing_file_is_an_empty_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = SettingsFile::read(&folder.path().join("codegen.toml")).unwrap();
        assert!(file.name.is_none() && file.version.is_none() && file.metadata.is_empty());
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        for (text, expected) in [
            ("[package]\nname = \"a\"\nnaem = \"b\"\n", ":3:1: unknown key `naem`"),
            ("[package]\nname = \"1a\"\n", ":2:8: `1a` cannot name a crate"),
            ("\n\n[package]\nversion = \"1.0\"\n", ":4:11: unexpected end"),
            ("[package]\nname = 1\n", ":2:8: expected a string, found integer"),
            ("package = 1\n", ":1:11: expected a table"),
            ("[pakage]\n", ":1:2: unknown key `pakage`"),
            ("[runtime]\npath = true\n", ":2:8: expected a string"),
            ("[runtime]\nrevision = \"1\"\n", ":2:1: unknown key `revision`"),
            ("[errors]\nrequest-id = \"id\"\n", ":2:14: `{id}` is missing"),
            ("[errors]\nid = \"id\"\n", ":2:1: unknown key `id`"),
            ("[package\n", ":1:9: "),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }
}
