//! The modules of the models: what the dotted keys of `components` make.

use std::collections::HashMap;

use crate::ir::{ModuleName, ModulePath};
use crate::lower::names;

/// The module paths of all components: the dotted parts of their keys, less the prefix that prevails.
#[derive(Debug)]
pub struct ModulePaths<'k> {
    dropped: Vec<&'k str>,
    /// Modules below each module, whose names no file beside them may take.
    children: HashMap<ModulePath, Vec<ModuleName>>,
}

impl<'k> ModulePaths<'k> {
    /// Finds the modules that keys make.
    pub fn of(keys: impl Iterator<Item = &'k str> + Clone) -> Self {
        let mut paths = Self { dropped: prevailing_prefix(&keys), children: HashMap::new() };
        for key in keys {
            let path = paths.split(key).0;
            for depth in 0..path.0.len() {
                let (outer, inner) = path.0.split_at(depth);
                if let Some(child) = inner.first() {
                    let siblings = paths.children.entry(ModulePath(outer.to_vec())).or_default();
                    if !siblings.contains(child) {
                        siblings.push(child.clone());
                    }
                }
            }
        }
        paths
    }

    /// Splits a key into its module and its own name.
    pub fn split<'s>(&self, key: &'s str) -> (ModulePath, &'s str) {
        let (parts, name) = dotted(key);
        let own = parts.strip_prefix(self.dropped.as_slice()).unwrap_or(&parts);
        (ModulePath(own.iter().copied().map(names::module).collect()), name)
    }

    /// Makes the file of a type, beside the modules of the same folder, none of which it may be called like.
    pub fn free_file(&self, module: &ModulePath, name: &str) -> ModuleName {
        let name = names::type_name(name);
        let file = names::module(name.as_str());
        let outer = module.0.last().map_or("models", ModuleName::bare);
        let taken = self.children.get(module).is_some_and(|children| children.contains(&file));
        if taken || file.bare() == outer { names::module(&format!("{name}Type")) } else { file }
    }
}

/// Returns the longest prefix of modules that three quarters of the keys have. A few keys that come or go do not change it,
/// and so rename nothing.
fn prevailing_prefix<'k>(keys: &(impl Iterator<Item = &'k str> + Clone)) -> Vec<&'k str> {
    let total = keys.clone().count();
    let mut prefix: Vec<&str> = Vec::new();
    loop {
        let mut next: HashMap<&str, usize> = HashMap::new();
        for key in keys.clone() {
            if let Some([module, ..]) = dotted(key).0.strip_prefix(prefix.as_slice()) {
                *next.entry(module).or_default() += 1;
            }
        }
        match next.into_iter().find(|&(_, count)| count * 4 >= total * 3) {
            Some((module, _)) => prefix.push(module),
            None => return prefix,
        }
    }
}

/// Splits a key at its dots; a key that is no dotted name (such as `1.5 Turbo`) is left whole.
fn dotted(key: &str) -> (Vec<&str>, &str) {
    let parts: Vec<&str> = key.split('.').collect();
    let is_identifier = |part: &&str| {
        part.starts_with(|first: char| first.is_alphabetic())
            && part.chars().all(|char| char.is_alphanumeric() || char == '_')
    };
    match parts.split_last() {
        Some((name, modules)) if parts.iter().all(is_identifier) => (modules.to_vec(), name),
        _ => (Vec::new(), key),
    }
}
