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
    children: BTreeSet<ModuleName>,
    files: BTreeMap<&'a ModuleName, Vec<&'a TypeName>>,
}

/// Writes the file of every module of models.
pub fn files(api: &Api) -> Vec<Emitted> {
    let mut modules: BTreeMap<ModulePath, Module<'_>> =
        BTreeMap::from([(ModulePath::default(), Module::default())]);
    for ((module, file), types) in by_file(api) {
        let names = types.into_iter().map(|(_, definition)| &definition.name).collect();
        modules.entry(module.clone()).or_default().files.insert(file, names);
    }
    for path in api.aliases.types.keys() {
        let names: Vec<&str> = path.split("::").collect();
        if let ["models", modules_of_alias @ .., _] = names.as_slice() {
            let names = modules_of_alias.iter().map(|name| ModuleName::new((*name).to_owned()));
            modules.entry(ModulePath(names.collect())).or_default();
        }
    }
    for mut path in modules.keys().cloned().collect::<Vec<_>>() {
        while let Some(child) = path.0.pop() {
            modules.entry(path.clone()).or_default().children.insert(child);
        }
    }
    modules.iter().map(|(path, module)| file(path, module, api)).collect()
}

fn file(module: &ModulePath, content: &Module<'_>, api: &Api) -> Emitted {
    let Module { children, files } = content;
    let names = module.segments().iter().map(ModuleName::as_str);
    let own_path = ["models"].into_iter().chain(names).collect::<Vec<_>>().join("::");
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
        Item::Rust(renamed::types(&own_path, api)),
    ];
    print::file(path(module, "mod"), "types/modules.rs", &items)
}
