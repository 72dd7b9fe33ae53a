//! Old names that remain usable: decides which of them can be emitted.

use std::collections::BTreeMap;

use super::{Definition, ItemKind, MemberRef, Path, PublicApi};
use crate::ir::{Aliases, OldName};

/// An alias that cannot be emitted.
pub struct InvalidAlias {
    /// The old path.
    pub old: String,
    /// The reason why it cannot be emitted.
    pub message: String,
    /// The help text.
    pub help: &'static str,
}

/// The names that parts of an old path can have.
pub struct AliasNames {
    /// Returns whether a name is an identifier.
    pub identifier: fn(&str) -> bool,
    /// Returns whether a type can have a name.
    pub ty: fn(&str) -> bool,
    /// Returns whether a module, and its file, can have a name.
    pub module: fn(&str) -> bool,
}

/// Resolves old paths, given the new ones. Paths are relative to the crate root.
pub fn resolve(
    aliases: &BTreeMap<String, String>,
    list: &PublicApi,
    names: &AliasNames,
) -> (Aliases, Vec<InvalidAlias>) {
    let mut resolved = Aliases::default();
    let mut invalid = Vec::new();
    for (old, new) in aliases {
        let result = if old.split("::").all(names.identifier) {
            add(&mut resolved, (old, new), aliases, list, names)
        } else {
            Err((format!("`{old}` is not a path in Rust"), PATHS))
        };
        if let Err((message, help)) = result {
            invalid.push(InvalidAlias { old: old.clone(), message, help });
        }
    }
    (resolved, invalid)
}

fn add(
    resolved: &mut Aliases,
    (old, new): (&String, &String),
    aliases: &BTreeMap<String, String>,
    list: &PublicApi,
    names: &AliasNames,
) -> Result<(), (String, &'static str)> {
    let split = |path| {
        str::rsplit_once(path, "::").ok_or((format!("`{path}` is not the path of an item"), PATHS))
    };
    let (old_owner, old_name) = split(old)?;
    let (owner, _) = split(new)?;
    if let Some(item) = list.items.get(new.as_str()) {
        let root = new.split("::").next();
        // The modules of resources contain no modules.
        let is_deep = root == Some("resources") && old.split("::").count() != 3;
        if !item.is_type() || is_deep || old.split("::").next() != root {
            return Err((format!("`{old}` cannot be an alias of `{new}`"), KINDS));
        }
        let reserved = old_owner.split("::").find(|module| !(names.module)(module));
        if let Some(name) = reserved.or((!(names.ty)(old_name)).then_some(old_name)) {
            return Err((format!("`{name}` in `{old}` is a reserved name"), RESERVED));
        }
        for path in old.match_indices("::").map(|(at, _)| &old[..at]).chain([old.as_str()]) {
            let kind = list.items.get(path).map(|item| &item.kind);
            let is_free = kind.is_none_or(|kind| path != old && *kind == ItemKind::Module);
            if !is_free || is_file(path, list) {
                return Err(taken(path, old));
            }
        }
        resolved.types.insert(old.clone(), new.clone());
        return Ok(());
    }
    let Some(target) = list.find(new) else {
        return Err((format!("`{new}`, which `{old}` is an alias of, does not exist"), PATHS));
    };
    if !can_have_alias(target, list) {
        return Err((format!("`{new}` cannot have an alias"), KINDS));
    }
    if old_owner != owner && aliases.get(old_owner).is_none_or(|target| target != owner) {
        return Err((
            format!("`{old}` is not a member of the type that has `{new}`"),
            "add an alias of the type, or use the new name",
        ));
    }
    let old_names = resolved.members.entry(new.clone()).or_default();
    let old_name = OldName::new(old_name.to_owned());
    let path = format!("{owner}::{old_name}");
    if list.find(&path).is_some() || old_names.contains(&old_name) {
        return Err(taken(&path, old));
    }
    old_names.push(old_name);
    Ok(())
}

/// Returns whether an item or a member can have old names: types, handles of the client, operations, setters of
/// requests, and variants without data.
fn can_have_alias(member: MemberRef<'_>, list: &PublicApi) -> bool {
    match member.definition {
        None => member.item.is_type(),
        Some(Definition::Variant(payload, _)) => payload.is_none(),
        Some(Definition::Method(method)) if member.item.is_request() => {
            method.wire.as_ref().is_some_and(|wire| wire.name().is_some())
        }
        Some(Definition::Method(method)) => {
            method.signature.output.as_item().is_some_and(|output| {
                let is_request = list.items.get(output).is_some_and(super::Item::is_request);
                member.path.as_str() == Path::CLIENT || is_request
            })
        }
        Some(_) => false,
    }
}

/// Returns whether a path is the path of a private module, which contains a file of models.
fn is_file(path: &str, list: &PublicApi) -> bool {
    let file = format!("src/{}.rs", path.replace("r#", "").replace("::", "/"));
    let mut items = list.items.iter().filter(|(path, _)| path.is_model());
    items.any(|(_, item)| item.file.as_ref() == Some(&file))
}

const PATHS: &str =
    "write paths as `api.txt` lists them, such as `models::Task` or `resources::tasks::Tasks::get`";

const KINDS: &str = "remove it: aliases exist for types, operations, handles of the client, setters of requests and enum values";

const RESERVED: &str =
    "use another name: emitted code uses this one, or a file cannot have it on every system";

/// Returns the error of an alias whose path another item has.
fn taken(path: &str, old: &str) -> (String, &'static str) {
    let alias = if path == old { "it".to_owned() } else { format!("`{old}`") };
    (format!("`{path}` exists, so {alias} cannot be an alias"), "remove the alias")
}
