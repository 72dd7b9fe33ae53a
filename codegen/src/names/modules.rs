//! The modules of the models, from the dotted keys of `components`.

use std::collections::HashMap;

use crate::ir::ModulePath;
use crate::names;
use crate::source_map::Pointer;

/// Maximum number of modules in a path, whose folders must fit into the longest path of a file system.
const MAX_MODULES: usize = 16;

/// The module paths of all components: the dotted parts of their keys, without the prefix that most of them have.
#[derive(Debug)]
pub struct ModulePaths {
    dropped: Vec<String>,
}

impl ModulePaths {
    /// Returns the modules of these keys.
    pub fn new<'k>(keys: &(impl Iterator<Item = &'k str> + Clone)) -> Self {
        let modules = keys.clone().map(|key| dotted(key).0);
        Self { dropped: prevailing_prefix(&modules).into_iter().map(str::to_owned).collect() }
    }

    /// Splits a key into its module and its own name.
    pub fn split<'s>(&self, key: &'s str) -> (ModulePath, &'s str) {
        let (parts, name) = dotted(key);
        let is_dropped = parts.iter().zip(&self.dropped).filter(|(part, dropped)| part == dropped);
        let has_prefix = is_dropped.count() == self.dropped.len();
        let own = if has_prefix { &parts[self.dropped.len()..] } else { &parts };
        (within(ModulePath::default(), own), name)
    }
}

/// Returns the path of modules within another one. If it is too long, a checksum names the inner ones.
pub fn within(mut path: ModulePath, names: &[impl AsRef<str>]) -> ModulePath {
    let free = MAX_MODULES.saturating_sub(path.0.len());
    let (outer, inner) = names.split_at(names.len().min(free));
    path.0.extend(outer.iter().map(|name| names::module(name.as_ref())));
    if !inner.is_empty() {
        let inner: Vec<&str> = inner.iter().map(AsRef::as_ref).collect();
        path.0.push(names::module(&format!("in_{:08x}", names::checksum(&inner.join(".")))));
    }
    path
}

/// Returns the name of a component: its key, or the name of its file if it is the whole file.
pub fn component_name(pointer: &Pointer) -> &str {
    match (pointer.last(), pointer.file()) {
        (Some(key), None) => key,
        (Some(key), Some(_)) if !key.bytes().all(|byte| byte.is_ascii_digit()) => key,
        (_, file) => {
            let file = file.unwrap_or_default();
            let name = file.rsplit_once('/').map_or(file, |(_, name)| name);
            name.rsplit_once('.').map_or(name, |(stem, _)| stem)
        }
    }
}

/// Returns the longest prefix that three quarters of some keys or paths have. Adding or removing a few does not change it,
/// and so renames nothing.
pub fn prevailing_prefix<'k>(all: &(impl Iterator<Item = Vec<&'k str>> + Clone)) -> Vec<&'k str> {
    let total = all.clone().count();
    let mut prefix: Vec<&str> = Vec::new();
    loop {
        let mut next: HashMap<&str, usize> = HashMap::new();
        for parts in all.clone() {
            if let Some([part, ..]) = parts.strip_prefix(prefix.as_slice()) {
                *next.entry(part).or_default() += 1;
            }
        }
        match next.into_iter().find(|&(_, count)| count * 4 >= total * 3) {
            Some((part, _)) => prefix.push(part),
            None => return prefix,
        }
    }
}

/// Splits a key at its dots, unless it is not a dotted name (such as `1.5 Turbo`).
fn dotted(key: &str) -> (Vec<&str>, &str) {
    let parts: Vec<&str> = key.split('.').collect();
    match parts.split_last() {
        Some((name, modules)) if parts.iter().all(|part| is_word(part)) => (modules.to_vec(), name),
        _ => (Vec::new(), key),
    }
}

/// Returns whether a part begins with a letter, and has only letters, digits and `_`.
fn is_word(part: &str) -> bool {
    part.starts_with(char::is_alphabetic)
        && part.chars().all(|char| char.is_alphanumeric() || char == '_')
}
