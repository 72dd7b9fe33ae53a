//! The modules of models and of resources.

use std::collections::BTreeMap;

use crate::ir::{Api, ModuleName, ModulePath, Resource, TypeDef, TypeId};

/// The content of a module of models, sorted.
#[derive(Debug, Default)]
pub struct Module<'a> {
    /// The modules in it.
    pub children: Vec<ModuleName>,
    /// The types that it exports.
    pub types: Vec<(TypeId, &'a TypeDef)>,
}

/// Returns the modules of models; some contain only old names.
pub fn of_models(api: &Api) -> BTreeMap<ModulePath, Module<'_>> {
    let mut modules: BTreeMap<ModulePath, Module<'_>> =
        BTreeMap::from([(ModulePath::default(), Module::default())]);
    for (id, definition) in api.definitions() {
        modules.entry(definition.module.clone()).or_default().types.push((id, definition));
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
    modules
}

/// Returns the modules of resources. Modules without a resource contain only old names.
pub fn of_resources(api: &Api) -> BTreeMap<ModuleName, Option<&Resource>> {
    let old_paths = api.aliases.types.keys().filter_map(|path| path.strip_prefix("resources::"));
    let old_modules = old_paths
        .filter_map(|path| path.rsplit_once("::"))
        .map(|(module, _)| (ModuleName::new(module.to_owned()), None));
    let own = api.resources.iter().map(|resource| (resource.module.clone(), Some(resource)));
    old_modules.chain(own).collect()
}
