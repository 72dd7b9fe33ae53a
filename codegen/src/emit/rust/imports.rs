//! The models that an emitted file imports, gathered while its items are written.
//!
//! Models are all that is imported: what emitted code uses of the runtime and the standard library stands there with its path, so
//! that no name of a spec can take its place. The names of the prelude are never those of models.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{ModuleName, ModulePath, TypeDef, TypeName};

/// The imports of one file.
pub struct Imports<'a> {
    /// The module and the file of models that is written, if it is one.
    file: Option<(&'a ModulePath, &'a ModuleName)>,
    /// The names that the file defines itself.
    own: Vec<&'a TypeName>,
    /// Imported models by name.
    models: BTreeMap<&'a TypeName, &'a ModulePath>,
}

impl<'a> Imports<'a> {
    /// Starts the imports of a file of models.
    pub fn of_models(module: &'a ModulePath, file: &'a ModuleName, own: Vec<&'a TypeName>) -> Self {
        Self { file: Some((module, file)), own, models: BTreeMap::new() }
    }

    /// Starts the imports of a file of requests.
    pub fn of_requests(own: Vec<&'a TypeName>) -> Self {
        Self { file: None, own, models: BTreeMap::new() }
    }

    /// Imports a model and returns how it is written: with its path if another type has the name here.
    pub fn model(&mut self, definition: &'a TypeDef) -> TokenStream {
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
