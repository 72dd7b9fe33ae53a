//! `codegen.toml`: what the description does not say about the crate that it becomes.

use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

use crate::codegen::package_name::PackageName;
use crate::exit::{Exit, Failure};
use crate::read;

/// The content of a `codegen.toml`. A key that isn't known is an error: it would otherwise be a wish without effect.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsFile {
    /// `[package]`.
    pub package: PackageTable,
    /// `[client]`.
    pub client: ClientTable,
}

/// `[package]`: the manifest of the emitted crate.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PackageTable {
    /// The name of the emitted crate.
    pub name: Option<PackageName>,
    /// The version of the emitted crate.
    pub version: Option<semver::Version>,
}

/// `[client]`: the emitted client.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClientTable {
    /// What the names of the environment variables begin with from which a client can be made.
    pub env_prefix: Option<String>,
}

impl SettingsFile {
    /// Returns the content of a file, or the defaults where there is none.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            _ => {}
        }
        let text = read::text(path, Exit::Failed)?;
        toml::from_str(&text)
            .map_err(|error| Failure::new(format!("`{}` is wrong: {error}", path.display())))
    }
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
        assert_eq!(file.package.name.unwrap().as_str(), "a-b");
        assert_eq!(file.package.version.unwrap().to_string(), "0.1.0-alpha");
        assert_eq!(file.client.env_prefix.as_deref(), Some("A_B"));
    }

    #[test]
    fn no_file_is_an_empty_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = SettingsFile::read(&folder.path().join("codegen.toml")).unwrap();
        assert!(
            file.package.name.is_none()
                && file.package.version.is_none()
                && file.client.env_prefix.is_none()
        );
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (text, line, what) in [
            ("[package]\nname = \"a\"\nnaem = \"b\"\n", "line 3", "unknown field `naem`"),
            ("[package]\nname = \"1a\"\n", "line 2", "cannot name a crate"),
            ("\n\n[package]\nversion = \"1.0\"\n", "line 4", "version"),
            ("[pakage]\n", "line 1", "unknown field `pakage`"),
            ("[package\n", "line 1", ""),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(line) && message.contains(what), "{message}");
        }
    }
}
