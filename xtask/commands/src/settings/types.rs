//! `[types]`, `[derive]` and `[dependencies]` of a `codegen.toml`: types and macros of other crates, and the crates that have
//! them.

use std::collections::BTreeMap;
use std::path::Path;

use ::codegen::{crates_of, is_fixed};
use toml::de::DeTable;

use crate::host::exit::Fallible;
use crate::host::paths::{absolute_path, relative_path};
use crate::host::toml_file::{
    Invalid, Value, filled, flag, list, parsed, string, strings_of, table,
};
use crate::settings::runtime::{self, Location};

/// The crates that need no dependency.
const KNOWN: [&str; 4] = ["alloc", "core", "runtime", "std"];

/// The derive macros that need no path.
const OF_PRELUDE: [&str; 9] =
    ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// A dependency of the emitted crate.
#[derive(Clone, Debug, Default)]
pub struct Dependency {
    /// The keys of cargo that locate it.
    pub located: Location,
    /// The other keys, with their values in TOML.
    pub others: Vec<String>,
}

/// Reads `[types]`: paths of types, by a format or by the place of a schema.
pub fn types(
    table: &DeTable<'_>,
    dependencies: &BTreeMap<String, Dependency>,
) -> Result<BTreeMap<String, String>, Invalid> {
    let mut types = BTreeMap::new();
    for (key, value) in table {
        let path = filled(value)?.trim();
        check_path(value, crates_of(path), ["type", "uuid::Uuid"], dependencies)?;
        let name = key.get_ref();
        let place = if name.starts_with('/') { format!("#{name}") } else { name.to_string() };
        if is_fixed(place.rsplit(' ').next().unwrap_or_default()) {
            let message = format!("values of the format `{name}` have a type that cannot change");
            let help = "write the place of a schema, such as `#/components/schemas/Money`";
            return Err(Invalid::value(value, message).help(help));
        }
        if types.insert(place, path.to_owned()).is_some() {
            let message = format!("`{name}` has two types");
            return Err(Invalid::value(value, message).help("remove one of them"));
        }
    }
    Ok(types)
}

/// Reads `[derive]`: paths of derive macros, by the path of a type, or by `all`.
pub fn derives(
    table: &DeTable<'_>,
    dependencies: &BTreeMap<String, Dependency>,
) -> Result<BTreeMap<String, Vec<String>>, Invalid> {
    let mut derives = BTreeMap::new();
    for (key, value) in table {
        let mut macros = Vec::new();
        for entry in list(value)? {
            let path = string(entry)?.trim();
            if !OF_PRELUDE.contains(&path) {
                let crates = crates_of(path).filter(|_| !path.contains('<'));
                check_path(entry, crates, ["derive macro", "macros::Table"], dependencies)?;
            }
            macros.push(path.to_owned());
        }
        derives.insert(key.get_ref().to_string(), macros);
    }
    Ok(derives)
}

/// Fails if a path has no crates, or if a dependency on one of them is missing.
fn check_path(
    value: &Value<'_>,
    crates: Option<Vec<String>>,
    [what, example]: [&str; 2],
    dependencies: &BTreeMap<String, Dependency>,
) -> Result<(), Invalid> {
    let path = string(value)?.trim();
    let Some(crates) = crates else {
        let message = format!("`{path}` is not the path of a {what} in a crate");
        let help = format!("write the path from its crate, such as `{example}`");
        return Err(Invalid::value(value, message).help(help));
    };
    let is_dependency =
        |name: &str| dependencies.keys().any(|known| known.replace('-', "_") == name);
    let mut missing = crates.iter().filter(|name| !KNOWN.contains(&name.as_str()));
    if let Some(missing) = missing.find(|name| !is_dependency(name)) {
        let message = format!("the crate `{missing}` is missing in `[dependencies]`");
        let help =
            format!("add `{missing} = \"VERSION\"`, with its feature for serde or the macro");
        return Err(Invalid::value(value, message).help(help));
    }
    Ok(())
}

/// Reads `[dependencies]`. `folder` has the file; `None` if only the text of it is known.
pub fn dependencies(
    entries: &DeTable<'_>,
    folder: Option<&Path>,
) -> Result<BTreeMap<String, Dependency>, Invalid> {
    let mut found = BTreeMap::new();
    for (key, value) in entries {
        let name = key.get_ref().to_string();
        if !runtime::is_name(&name) || KNOWN.contains(&name.as_str()) {
            let message = format!("a dependency cannot have the name `{name}`");
            return Err(Invalid::value(value, message).help("write the name of a package"));
        }
        found.insert(name, dependency(value, folder)?);
    }
    Ok(found)
}

fn dependency(value: &Value<'_>, folder: Option<&Path>) -> Result<Dependency, Invalid> {
    if value.get_ref().as_str().is_some() {
        let version: semver::VersionReq = parsed(value)?;
        let located = BTreeMap::from([("version".to_owned(), version.to_string())]);
        return Ok(Dependency { located, others: Vec::new() });
    }
    let (mut located, mut others) = (DeTable::new(), Vec::new());
    for (key, value) in table(value)? {
        match key.get_ref().as_ref() {
            "features" => others.push(format!("features = {:?}", strings_of(value)?)),
            "default-features" => others.push(format!("default-features = {}", flag(value)?)),
            _ => drop(located.insert(key.clone(), value.clone())),
        }
    }
    let located = runtime::read(&located, folder)?;
    if located.is_empty() {
        let message = "the location of the package is missing";
        return Err(Invalid::value(value, message).help("add `version`, `path` or `git`"));
    }
    Ok(Dependency { located, others })
}

/// Returns these dependencies of an emitted crate in `target`, as its manifest has them. `file` has the settings.
pub fn dependencies_of(
    dependencies: &BTreeMap<String, Dependency>,
    file: &Path,
    target: &Path,
) -> Fallible<Vec<(String, String)>> {
    let texts = dependencies.iter().map(|(name, dependency)| {
        let keys = [located(&dependency.located, file, target)?, dependency.others.clone()];
        Ok((name.clone(), format!("{{ {} }}", keys.concat().join(", "))))
    });
    texts.collect()
}

/// Returns the keys that locate a dependency of a crate in `target`. Its path is relative to `file`.
pub fn located(location: &Location, file: &Path, target: &Path) -> Fallible<Vec<String>> {
    let keys = location.iter().map(|(key, value)| {
        if key != "path" {
            return Ok(format!("{key} = {}", toml_string(value)));
        }
        let path = absolute_path(&file.with_file_name("").join(value))?;
        let path = relative_path(target, &path).to_string_lossy().replace('\\', "/");
        Ok(format!("path = {}", toml_string(&path)))
    });
    keys.collect()
}

/// Returns a string of TOML: every JSON string is one.
pub fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
