//! The `mod.rs` files of the models: modules and exports.

use std::collections::{BTreeMap, BTreeSet};

use quote::quote;

use super::models::{by_file, path};
use crate::emit::Emitted;
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::print::{self, Item};
use crate::emit::rust::renamed;
use crate::ir::{Api, ModuleName, ModulePath, TypeName};

/// The content of a module.
#[derive(Default)]
struct Module<'a> {
    children: BTreeSet<&'a ModuleName>,
    files: BTreeMap<&'a ModuleName, Vec<&'a TypeName>>,
    /// Old names with the new ones.
    aliases: Vec<(&'a TypeName, &'a TypeName)>,
}

/// Writes the file of every module of models.
pub fn files(api: &Api) -> Vec<Emitted> {
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
        let content = modules.entry(module.clone()).or_default();
        content.aliases.extend(types.iter().flat_map(|(_, definition)| {
            definition.aliases.iter().map(|old| (old, &definition.name))
        }));
        let names = types.into_iter().map(|(_, definition)| &definition.name).collect();
        content.files.insert(file, names);
    }
    modules.iter().map(|(path, module)| file(path, module)).collect()
}

fn file(module: &ModulePath, content: &Module<'_>) -> Emitted {
    let Module { children, files, aliases } = content;
    let documentation = Doc::from(match module.segments().last() {
        Some(name) => text!("The models of `{}`.", name),
        None => text!("The models: what requests send and responses return."),
    });
    let documentation = documentation.inner_attributes();
    let children = children.iter();
    let names = files.keys();
    let types = files.iter().map(|(file, types)| quote!(pub use self::#file::{#(#types),*};));
    let items = [
        Item::Rust(documentation),
        Item::Rust(quote!(#(pub mod #children;)*)),
        Item::Rust(quote!(#(mod #names;)*)),
        Item::Rust(quote!(#(#types)*)),
        Item::Rust(aliases.iter().map(|(old, new)| renamed::alias(old, new)).collect()),
    ];
    print::file(path(module, "mod"), "types/modules.rs", &items)
}
