//! The keys in which two revisions of a `codegen.toml` differ.

use std::collections::BTreeMap;

use toml::de::DeTable;

use crate::host::read::line_column;
use crate::host::toml_file::Value;
use crate::settings::SettingsFile;

/// A key whose value differs.
#[derive(Debug, PartialEq, Eq)]
pub struct ChangedKey {
    /// The first part of the key: the name of a table, or of a key outside of tables.
    pub table: String,
    pub file: String,
    /// The line in the old revision, if it has the key.
    pub old_line: Option<usize>,
    /// The line in the new revision, if it has the key.
    pub new_line: Option<usize>,
}

/// The values of a file by their keys, each with its line.
type Values = BTreeMap<(String, String), (String, usize)>;

/// Returns the keys in which two files differ, apart from the version of the package.
pub fn changed(old: &SettingsFile, new: &SettingsFile) -> Vec<ChangedKey> {
    let text = |settings: &SettingsFile| settings.generator.file.clone().unwrap_or_default();
    let ((_, old), (file, new)) = (text(old), text(new));
    let [old, new] = [&old, &new].map(|text| values(text));
    let mut keys: Vec<_> = old.keys().chain(new.keys()).collect();
    keys.sort();
    keys.dedup();
    let is_version = |key: &&&(String, String)| key.0 == "package" && key.1 == ".version";
    let changed = keys.iter().filter(|key| !is_version(key)).filter_map(|key| {
        let [old, new] = [old.get(*key), new.get(*key)];
        let differs = old.map(|(value, _)| value) != new.map(|(value, _)| value);
        differs.then(|| ChangedKey {
            table: key.0.clone(),
            file: file.clone(),
            old_line: old.map(|(_, line)| *line),
            new_line: new.map(|(_, line)| *line),
        })
    });
    changed.collect()
}

/// Returns the values of a file; none if it is invalid, which is reported where it is read.
fn values(text: &str) -> Values {
    let mut values = Values::new();
    if let Ok(root) = DeTable::parse(text) {
        for (key, value) in root.get_ref() {
            add(&mut values, (key.get_ref(), ""), value, text);
        }
    }
    values
}

fn add(values: &mut Values, (table, path): (&str, &str), value: &Value<'_>, text: &str) {
    if let Some(entries) = value.get_ref().as_table() {
        for (key, value) in entries {
            add(values, (table, &format!("{path}.{}", key.get_ref())), value, text);
        }
        return;
    }
    let list =
        value.get_ref().as_array().filter(|list| list.iter().any(|it| it.get_ref().is_table()));
    if let Some(list) = list {
        for (index, value) in list.iter().enumerate() {
            add(values, (table, &format!("{path}[{index}]")), value, text);
        }
        return;
    }
    let span = value.span();
    let (line, _) = line_column(text, span.start);
    let written = text.get(span).unwrap_or_default().to_owned();
    values.insert((table.to_owned(), path.to_owned()), (written, line));
}
