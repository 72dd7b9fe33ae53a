//! `[runtime]` of a `codegen.toml`: the location of the runtime, by cargo's rules for dependencies; also of others.

use std::collections::BTreeMap;
use std::path::Path;

use semver::VersionReq;
use toml::de::DeTable;

use crate::host::toml_file::{Invalid, Value, parsed, string};

/// Cargo's keys that locate a dependency, with their values.
pub type Location = BTreeMap<String, String>;

/// The keys: cargo's keys that locate a dependency.
const KEYS: [&str; 8] = ["branch", "git", "package", "path", "registry", "rev", "tag", "version"];

/// The keys that choose a commit of a repository.
const COMMITS: [&str; 3] = ["branch", "rev", "tag"];

/// Pairs of keys that contradict each other.
const EXCLUSIVE: [[&str; 2]; 2] = [["git", "path"], ["git", "registry"]];

/// Reads the table. `folder` has the file; `None` if only the text of it is known.
pub fn read(table: &DeTable<'_>, folder: Option<&Path>) -> Result<Location, Invalid> {
    let mut located = BTreeMap::new();
    for (key, value) in table {
        let name: &str = key.get_ref();
        if !KEYS.contains(&name) {
            return Err(Invalid::key(key, &KEYS));
        }
        check(name, value, folder)?;
        located.insert(name.to_owned(), string(value)?.to_owned());
    }
    for [one, other] in EXCLUSIVE {
        if let (Some(_), Some(value)) = (table.get(one), table.get(other)) {
            let message = format!("`{one}` and `{other}` are mutually exclusive");
            return Err(Invalid::value(value, message).help("remove one of them"));
        }
    }
    let commits: Vec<_> = COMMITS.iter().filter_map(|key| Some((key, table.get(*key)?))).collect();
    match commits[..] {
        [(key, value), ..] if !located.contains_key("git") => {
            let message = format!("`{key}` needs `git`, which is missing");
            return Err(Invalid::value(value, message).help("add `git`, or remove it"));
        }
        [(first, _), (second, value), ..] => {
            let message = format!("`{first}` and `{second}` are mutually exclusive");
            return Err(Invalid::value(value, message).help("keep one of them"));
        }
        _ => {}
    }
    Ok(located)
}

fn check(key: &str, value: &Value<'_>, folder: Option<&Path>) -> Result<(), Invalid> {
    let text = string(value)?;
    let invalid = |message: &str, help: &str| Err(Invalid::value(value, message).help(help));
    match key {
        "version" => parsed::<VersionReq>(value).map(drop),
        "git" if !text.contains("://") => {
            invalid("this is not a URL", "write a URL, such as `https://…` or `ssh://…`")
        }
        "package" | "registry" if !is_name(text) => invalid(
            "this is not a name",
            "begin with a letter or `_`, and use letters, digits, `-` and `_`",
        ),
        "path" if folder.is_some_and(|folder| !is_package(&folder.join(text))) => invalid(
            "this folder has no Cargo.toml",
            "write the path of the package, relative to this file",
        ),
        _ if text.trim().is_empty() => invalid("this is empty", "write a value, or remove the key"),
        _ => Ok(()),
    }
}

/// Returns whether a package can have this name.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_')
        && text.chars().all(|char| char.is_ascii_alphanumeric() || "-_".contains(char))
}

fn is_package(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file()
}

#[cfg(test)]
mod tests {
    use crate::host::toml_file::{parse, table};

    /// Returns the error of a table in a file.
    fn refusal(entries: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("[runtime]\n{entries}\n");
        let read = parse(&text, "codegen.toml", |root| {
            let entries = table(root.get("runtime").unwrap())?;
            super::read(entries, Some(folder.path()))
        });
        read.err().map(|failure| failure.message)
    }

    #[test]
    fn invalid_locations_are_reported_with_their_place() {
        for (entries, expected) in [
            ("path = \"../runtime\"", "2:8: this folder has no Cargo.toml"),
            ("path = true", "2:8: expected a string"),
            (
                "git = \"https://a.example/b\"\nbranch = \"a\"\ntag = \"b\"",
                "4:7: `branch` and `tag`",
            ),
            (
                "git = \"https://a.example/b\"\nrev = \"a\"\ntag = \"b\"",
                "4:7: `rev` and `tag` are mutually exclusive",
            ),
            ("version = \"1\"\nbranch = \"main\"", "3:10: `branch` needs `git`"),
            ("version = \"one\"", "2:11: unexpected character 'o'"),
            ("git = \"git@a.example:b\"", "2:7: this is not a URL"),
            ("git = \"https://a.example/b\"\nregistry = \"a\"", "3:12: `git` and `registry`"),
            ("version = \"1\"\nregistry = \"a b\"", "3:12: this is not a name"),
            ("version = \"1\"\npackage = \"\"", "3:11: this is not a name"),
            ("version = \"1\"\npackage = \"-\"", "3:11: this is not a name"),
            ("version = \"1\"\nregistry = \"-a\"", "3:12: this is not a name"),
            ("version = \"1\"\nregistry = \"1a\"", "3:12: this is not a name"),
            ("git = \"https://a.example/b\"\nrev = \" \"", "3:7: this is empty"),
            ("revision = \"1\"", "2:1: unknown key `revision`"),
        ] {
            let message = refusal(entries).unwrap_or_else(|| panic!("accepted: {entries}"));
            assert!(message.starts_with(&format!("codegen.toml:{expected}")), "{message}");
        }
        for entries in ["version = \">=1, <2\"", "git = \"ssh://a.example/b\"\ntag = \"v1\""] {
            assert_eq!(refusal(entries), None, "{entries}");
        }
    }
}
