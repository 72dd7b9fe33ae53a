//! Manifests: the features of a dependency, and the paths in a copy.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use crate::migrate::edit::{Edit, Group};
use commands::host::paths::normal_path;
use commands::host::toml_file::Value;

const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

struct Dependency<'v, 't> {
    /// Its name in the program.
    key: &'v str,
    value: &'v Value<'t>,
}

/// Returns all dependencies of a manifest, the workspace's last.
fn dependencies<'v, 't>(root: &'v DeTable<'t>) -> Vec<Dependency<'v, 't>> {
    let table = |value: Option<&'v Value<'t>>| value.and_then(|value| value.get_ref().as_table());
    let of_targets = table(root.get("target")).into_iter().flat_map(DeTable::values);
    let of_targets = of_targets.filter_map(|value| value.get_ref().as_table());
    let owners: Vec<_> = std::iter::once(root).chain(of_targets).collect();
    let own =
        TABLES.iter().flat_map(|name| owners.iter().filter_map(|owner| table(owner.get(*name))));
    let shared = table(root.get("workspace")).and_then(|workspace| table(workspace.get(TABLES[0])));
    own.chain(shared)
        .flatten()
        .map(|(key, value)| Dependency { key: key.get_ref(), value })
        .collect()
}

impl<'v, 't> Dependency<'v, 't> {
    fn get(&self, key: &str) -> Option<&'v Value<'t>> {
        self.value.get_ref().as_table()?.get(key)
    }

    fn is_of(&self, package: &str) -> bool {
        let name = self.get("package").and_then(|value| value.get_ref().as_str());
        name.unwrap_or(self.key) == package
    }

    fn features(&self) -> Option<&'v [Value<'t>]> {
        self.get("features")?.get_ref().as_array().map(|list| &**list)
    }
}

/// Returns the edits that remove the lost features of a package, each with the index of its headline.
pub fn without_lost(
    file: &Path,
    text: &str,
    package: &str,
    removed: &BTreeMap<String, usize>,
) -> Vec<Group> {
    let Ok(root) = DeTable::parse(text) else { return Vec::new() };
    let root = root.get_ref();
    let found = dependencies(root);
    let found: Vec<_> = found.iter().filter(|dependency| dependency.is_of(package)).collect();
    // Those of the dependency, and those of the package as the dependency's.
    let direct = found.iter().filter_map(|it| it.features()).map(|list| (list, false));
    let own = root.get("features").and_then(|value| value.get_ref().as_table());
    let own = own.into_iter().flat_map(DeTable::values);
    let own = own.filter_map(|list| Some((&**list.get_ref().as_array()?, true)));
    let mut edits = Vec::new();
    for (list, is_own) in direct.chain(own) {
        for (index, value) in list.iter().enumerate() {
            let text = value.get_ref().as_str().unwrap_or_default();
            let name = match text.split_once('/') {
                Some((key, name)) if is_own => {
                    let key = key.trim_end_matches('?');
                    found.iter().any(|dependency| dependency.key == key).then_some(name)
                }
                _ => (!is_own).then_some(text),
            };
            if let Some(headline) = name.and_then(|name| removed.get(name)) {
                let edit = Edit::new(file, (with_comma(list, index), String::new()));
                edits.push((vec![edit], *headline));
            }
        }
    }
    edits
}

/// Returns the range of an element, with the comma that separates it from another.
fn with_comma(list: &[Value<'_>], index: usize) -> Range<usize> {
    let span = list[index].span();
    match (index.checked_sub(1).map(|before| &list[before]), list.get(index + 1)) {
        (_, Some(next)) => span.start..next.span().start,
        (Some(before), None) => before.span().end..span.end,
        (None, None) => span,
    }
}

/// Returns the edit that enables a feature of a package; `None` if the manifest has no such dependency, or enables it.
pub fn enabled(file: &Path, text: &str, package: &str, feature: &str) -> Option<Edit> {
    let root = DeTable::parse(text).ok()?;
    let lacks = |dependency: &Dependency<'_, '_>| {
        let is_there = |value: &Value<'_>| value.get_ref().as_str() == Some(feature);
        !dependency.features().is_some_and(|features| features.iter().any(is_there))
    };
    let found = dependencies(root.get_ref());
    let dependency = found.iter().find(|it| it.is_of(package) && lacks(it))?;
    let insert = |at: usize, text: String| Some(Edit::new(file, (at..at, text)));
    let entry = format!("features = [\"{feature}\"]");
    if let Some(features) = dependency.features() {
        let span = dependency.get("features")?.span();
        return match features.last() {
            Some(last) => insert(last.span().end, format!(", \"{feature}\"")),
            None => insert(span.start + 1, format!("\"{feature}\"")),
        };
    }
    match dependency.value.get_ref() {
        DeValue::Table(table) => {
            let last = table.values().max_by_key(|value| value.span().end)?.span();
            let before = text.get(..last.start)?;
            let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
            let end = if before.ends_with('\n') { "\n" } else { "" };
            if text.get(dependency.value.span())?.starts_with('{') {
                let text = format!("{}, {entry}", text.get(last.clone())?);
                return Some(Edit::new(file, (last, text)));
            }
            let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let dotted = line.starts_with(&format!("{}.", dependency.key));
            let key = if dotted { format!("{}.", dependency.key) } else { String::new() };
            insert(last.end, format!("{newline}{key}{entry}{end}"))
        }
        DeValue::String(_) => {
            let span = dependency.value.span();
            let version = text.get(span.clone())?;
            let text = format!("{{ version = {version}, {entry} }}");
            Some(Edit::new(file, (span, text)))
        }
        _ => None,
    }
}

/// The places of packages outside of a copied folder.
pub struct Relocations {
    /// The folder that is copied.
    pub root: PathBuf,
    pub workspace: PathBuf,
    /// The emitted crate outside of the folder, and its copy.
    pub bindings: Option<(PathBuf, PathBuf)>,
}

impl Relocations {
    /// Returns a manifest with absolute paths where they leave the folder. A package outside of a workspace becomes one, as
    /// it could be inside of another workspace in the copy.
    pub fn relocated(&self, path: &Path, text: &str) -> String {
        let Ok(root) = DeTable::parse(text) else { return text.to_owned() };
        let root = root.get_ref();
        let folder = path.with_file_name("");
        let found = dependencies(root);
        let mut paths: Vec<(Range<usize>, PathBuf)> = Vec::new();
        for value in found.iter().filter_map(|dependency| dependency.get("path")) {
            let target = normal_path(&folder.join(value.get_ref().as_str().unwrap_or_default()));
            if target.starts_with(&self.root) {
                continue;
            }
            // The crate need not be emitted yet.
            let real = std::fs::canonicalize(&target).unwrap_or_else(|_| target.clone());
            let copy = self.bindings.as_ref().filter(|(from, _)| real == *from);
            paths.push((value.span(), copy.map_or(target, |(_, copy)| copy.clone())));
        }
        paths.sort_by_key(|(span, _)| span.start);
        let mut new = text.to_owned();
        for (span, target) in paths.into_iter().rev() {
            let target = target.to_string_lossy().replace('\\', "/");
            new.replace_range(span, &serde_json::Value::from(target).to_string());
        }
        if path == self.workspace && !root.contains_key("workspace") {
            new.push_str("\n[workspace]\n");
        }
        new
    }
}
