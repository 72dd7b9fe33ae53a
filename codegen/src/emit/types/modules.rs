//! The `mod.rs` files of the models: modules and exports.

use std::collections::BTreeMap;

use super::models::path;
use crate::emit::Emitted;
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::print;
use crate::emit::rust::renamed;
use crate::ir::{Api, ModuleName, ModulePath, TypeDef};

/// The content of a module, sorted.
#[derive(Default)]
struct Module<'a> {
    children: Vec<ModuleName>,
    types: Vec<&'a TypeDef>,
}

/// Writes the file of every module of models.
pub fn files(api: &Api) -> Vec<Emitted> {
    let mut modules: BTreeMap<ModulePath, Module<'_>> =
        BTreeMap::from([(ModulePath::default(), Module::default())]);
    for (_, definition) in api.definitions() {
        modules.entry(definition.module.clone()).or_default().types.push(definition);
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
            let siblings = &mut modules.entry(path.clone()).or_default().children;
            if !siblings.contains(&child) {
                siblings.push(child);
            }
        }
    }
    modules.iter().map(|(path, module)| file(path, module, api)).collect()
}

fn file(module: &ModulePath, content: &Module<'_>, api: &Api) -> Emitted {
    let Module { children, types } = content;
    let names = module.segments().iter().map(ModuleName::as_str);
    let own_path = ["models"].into_iter().chain(names).collect::<Vec<_>>().join("::");
    let documentation = Doc::from(match module.segments().last() {
        Some(name) => text!("The models of `{}`.", name),
        None => text!("The models: what requests send and responses return."),
    });
    let declarations = |keyword: &str, names: Vec<&ModuleName>| {
        names.iter().map(|name| [keyword, " ", name.as_str(), ";\n"].concat()).collect::<String>()
    };
    let files: Vec<_> = types.chunk_by(|one, other| one.file == other.file).collect();
    let exports = files.iter().map(|types| {
        let names = types.iter().map(|definition| &definition.name);
        print::import("pub use", &format!("self::{}", types[0].file), names)
    });
    let items = [
        documentation.inner(),
        declarations("pub mod", children.iter().collect()),
        declarations("mod", files.iter().map(|types| &types[0].file).collect()),
        exports.collect(),
        renamed::types(&own_path, api),
    ];
    print::file(path(module.segments(), "mod"), "types/modules.rs", items)
}
