//! `[package]` of a `codegen.toml`: the metadata in the emitted manifest.

use toml::de::DeValue;

use crate::host::toml_file::{Invalid, Key, Value, list, parsed, string};
use crate::settings::package_name::PackageName;

/// The content of `[package]`.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// The name of the emitted crate.
    pub name: Option<PackageName>,
    /// The version of the emitted crate.
    pub version: Option<semver::Version>,
    /// The other keys, with their values in TOML, as the emitted manifest has them.
    pub metadata: Vec<(String, String)>,
}

/// The keys of cargo that describe a package and have a string as their value.
const STRINGS: [&str; 5] = ["description", "documentation", "homepage", "license", "repository"];

/// The keys of cargo that describe a package and have a list of strings as their value.
const LISTS: [&str; 3] = ["authors", "categories", "keywords"];

impl Package {
    /// Reads an entry of the table, which is in `text`.
    pub fn read(&mut self, key: &Key<'_>, value: &Value<'_>, text: &str) -> Result<(), Invalid> {
        let name = key.get_ref().to_string();
        match name.as_str() {
            "name" => {
                self.name = Some(parsed(value)?);
                return Ok(());
            }
            "version" => {
                self.version = Some(parsed(value)?);
                return Ok(());
            }
            known if STRINGS.contains(&known) => drop(string(value).map_err(not_inherited)?),
            known if LISTS.contains(&known) => strings(value).map_err(not_inherited)?,
            "publish" if matches!(value.get_ref(), DeValue::Boolean(_)) => {}
            "publish" => strings(value).map_err(not_inherited)?,
            _ => return Err(Invalid::key(key, &known_keys())),
        }
        let written = text.get(value.span()).unwrap_or_default();
        self.metadata.push((name, written.to_owned()));
        Ok(())
    }
}

fn known_keys() -> Vec<&'static str> {
    [&["name", "version", "publish"][..], &STRINGS, &LISTS].concat()
}

/// Checks that a value is a list of strings.
fn strings(value: &Value<'_>) -> Result<(), Invalid> {
    list(value)?.iter().try_for_each(|item| string(item).map(drop))
}

fn not_inherited(invalid: Invalid) -> Invalid {
    invalid.help("write the value: the emitted crate inherits nothing from a workspace")
}
