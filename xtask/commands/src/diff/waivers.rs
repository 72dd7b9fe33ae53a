//! `waivers.toml`: accepted changes that may break programs, each with a reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::host::exit::Fallible;
use crate::host::paths::display_path;
use crate::host::toml_file::{self, Invalid, Value, entries, list, string};

/// The reasons by the fingerprints of the changes.
pub type Waivers = BTreeMap<String, String>;

const KEYS: [&str; 2] = ["fingerprint", "reason"];

/// Returns the file of the waivers, next to a spec.
pub fn file(spec: &Path) -> PathBuf {
    display_path(&spec.with_file_name("waivers.toml")).to_owned()
}

/// Reads the waivers next to a spec; a missing file has none.
pub fn of_spec(spec: &Path) -> Fallible<Waivers> {
    let path = file(spec);
    parse(&toml_file::text(&path)?, &path.display().to_string())
}

fn parse(text: &str, name: &str) -> Fallible<Waivers> {
    toml_file::parse(text, name, |root| {
        let mut waivers = Waivers::new();
        for (key, value) in root {
            if key.get_ref() != "waiver" {
                return Err(Invalid::key(key, &["waiver"]));
            }
            for waiver in list(value)? {
                let found = entries(waiver, KEYS.map(|key| (key, trimmed as _)))?;
                if let Some(place) = found.iter().position(String::is_empty) {
                    let message = format!("a waiver has no `{}`", KEYS[place]);
                    return Err(Invalid::value(waiver, message));
                }
                let [fingerprint, reason] = found;
                waivers.insert(fingerprint, reason);
            }
        }
        Ok(waivers)
    })
}

fn trimmed(value: &Value<'_>) -> Result<String, Invalid> {
    Ok(string(value)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waivers_have_a_fingerprint_and_a_reason() {
        let read = |text| parse(text, "w").map_err(|failure| failure.message);
        let waivers = read("[[waiver]]\nfingerprint = \"a\"\nreason = \"b\"\n").unwrap();
        assert_eq!(waivers, Waivers::from([("a".to_owned(), "b".to_owned())]));
        for (text, message) in [
            ("[[waiver]]\nreason = \"b\"\n", "no `fingerprint`"),
            ("[[waiver]]\nfingerprint = \"a\"\nreason = \" \"\n", "no `reason`"),
            (
                "[[waiver]]\nfingerprint = \"a\"\nreason = \"b\"\nuntil = 1\n",
                "w:4:1: unknown key `until`",
            ),
            ("[[waivers]]\n", "unknown key `waivers`"),
            ("waiver = 1\n", "expected a list"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
