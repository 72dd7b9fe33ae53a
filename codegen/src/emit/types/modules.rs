//! The `mod.rs` files of the models: which modules there are, and where their types come from.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::models::{by_file, path};
use crate::emit::SourceFile;
use crate::emit::rust::imports::{Imports, declaration};
use crate::emit::rust::print::{self, Item, Source};
use crate::emit::rust::sorting;
use crate::ir::{Api, ModuleName, ModulePath};

/// What one module holds.
#[derive(Default)]
struct Module<'a> {
    children: BTreeSet<&'a ModuleName>,
    files: BTreeMap<&'a ModuleName, Vec<&'a str>>,
}

/// Writes the file of every module of models.
pub fn files(api: &Api) -> Vec<SourceFile> {
    let mut modules: BTreeMap<ModulePath, Module<'_>> =
        BTreeMap::from([(ModulePath::default(), Module::default())]);
    for ((module, file), types) in by_file(api) {
        for (depth, child) in module.segments().iter().enumerate() {
            modules
                .entry(ModulePath(module.segments()[..depth].to_vec()))
                .or_default()
                .children
                .insert(child);
        }
        let names = types.iter().map(|definition| definition.name.as_str()).collect();
        modules.entry(module.clone()).or_default().files.insert(file, names);
    }
    modules.iter().map(|(path, module)| file(path, module)).collect()
}

fn file(module: &ModulePath, content: &Module<'_>) -> SourceFile {
    let mut text = String::new();
    for child in sorted(content.children.iter().map(|name| name.as_str()), sorting::modules) {
        let _ = writeln!(text, "pub mod {child};");
    }
    if !content.children.is_empty() && !content.files.is_empty() {
        text.push('\n');
    }
    for name in sorted(content.files.keys().map(|name| name.as_str()), sorting::modules) {
        let _ = writeln!(text, "mod {name};");
    }
    if !content.files.is_empty() {
        text.push('\n');
    }
    let files: BTreeMap<&str, &Vec<&str>> =
        content.files.iter().map(|(name, types)| (name.as_str(), types)).collect();
    for name in sorted(files.keys().copied(), sorting::names) {
        let types = files.get(name).map_or(&[][..], |types| types.as_slice());
        text.push_str(&declaration("pub use", name, types));
        text.push('\n');
    }
    let docs = match module.segments().last() {
        Some(name) => format!("The models of `{}`.", name.bare()),
        None => "The models: what requests send and responses return.".to_owned(),
    };
    let source = Source {
        path: path(module, "mod"),
        emitter: "modules.rs",
        docs,
        attributes: String::new(),
    };
    print::file(&source, &Imports::of_file(Vec::new()), &[Item::Table(text)])
}

fn sorted<'n>(
    names: impl Iterator<Item = &'n str>,
    order: fn(&str, &str) -> Ordering,
) -> Vec<&'n str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_by(|left, right| order(left, right));
    names
}
