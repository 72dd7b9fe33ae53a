//! The models that an emitted file imports, collected while its items are written.
//!
//! Nothing but models is imported: emitted code names items of the runtime and the standard library by their paths, so that
//! no name of a spec can shadow them. No model has a name of the prelude.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Api, ModuleName, ModulePath, TypeId, TypeName};

/// The imports of one file.
pub struct Imports<'a> {
    /// The API whose models are imported.
    pub api: &'a Api,
    /// The module and the file, if it is one of models.
    file: Option<(&'a ModulePath, &'a ModuleName)>,
    /// The names that the file defines itself.
    own: Vec<&'a TypeName>,
    /// Imported models by name.
    models: BTreeMap<&'a TypeName, &'a ModulePath>,
}

impl<'a> Imports<'a> {
    /// Starts the imports of a file of models.
    pub fn of_models(
        api: &'a Api,
        module: &'a ModulePath,
        file: &'a ModuleName,
        own: Vec<&'a TypeName>,
    ) -> Self {
        Self { api, file: Some((module, file)), own, models: BTreeMap::new() }
    }

    /// Starts the imports of a file of requests.
    pub fn of_requests(api: &'a Api, own: Vec<&'a TypeName>) -> Self {
        Self { api, file: None, own, models: BTreeMap::new() }
    }

    /// Imports a model and returns its name, with its path if another type in the file has that name.
    pub fn model(&mut self, id: TypeId) -> TokenStream {
        let definition = self.api.definition(id);
        let name = &definition.name;
        if self.file == Some((&definition.module, &definition.file)) {
            return quote!(#name);
        }
        let is_taken = self.own.contains(&name)
            || self.models.get(name).is_some_and(|module| **module != definition.module);
        if is_taken {
            let path = self.path(&definition.module);
            return quote!(#path::#name);
        }
        self.models.insert(name, &definition.module);
        quote!(#name)
    }

    /// Returns the declarations.
    pub fn declarations(&self) -> TokenStream {
        let mut modules: BTreeMap<&ModulePath, Vec<&TypeName>> = BTreeMap::new();
        for (name, module) in &self.models {
            modules.entry(module).or_default().push(name);
        }
        modules
            .into_iter()
            .map(|(module, names)| {
                let path = self.path(module);
                quote!(use #path::{#(#names),*};)
            })
            .collect()
    }

    fn path(&self, module: &ModulePath) -> TokenStream {
        if self.file.is_some_and(|(own, _)| own == module) {
            return quote!(super);
        }
        let segments = module.segments();
        quote!(crate::models #(::#segments)*)
    }
}
