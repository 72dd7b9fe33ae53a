//! The models that an emitted file imports, collected while its items are written.
//!
//! Nothing but models is imported: emitted code names items of the runtime and the standard library by their paths, so that
//! no name of a spec can shadow them. No model has a name of the prelude.

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
    /// The imported models, each once.
    models: Vec<(&'a ModulePath, &'a TypeName)>,
}

impl<'a> Imports<'a> {
    /// Starts the imports of a file of models.
    pub fn of_models(
        api: &'a Api,
        module: &'a ModulePath,
        file: &'a ModuleName,
        own: Vec<&'a TypeName>,
    ) -> Self {
        Self { api, file: Some((module, file)), own, models: Vec::new() }
    }

    /// Starts the imports of a file of requests.
    pub fn of_requests(api: &'a Api, own: Vec<&'a TypeName>) -> Self {
        Self { api, file: None, own, models: Vec::new() }
    }

    /// Imports a model and returns its name, with its path if another type in the file has that name.
    pub fn model(&mut self, id: TypeId) -> TokenStream {
        let definition = self.api.definition(id);
        let name = &definition.name;
        if self.file == Some((&definition.module, &definition.file)) {
            return quote!(#name);
        }
        let model = (&definition.module, name);
        let is_other = |other: &(&ModulePath, &TypeName)| other.1 == name && *other != model;
        if self.own.contains(&name) || self.models.iter().any(is_other) {
            let path = self.path(&definition.module);
            return quote!(#path::#name);
        }
        if !self.models.contains(&model) {
            self.models.push(model);
        }
        quote!(#name)
    }

    /// Returns the declarations.
    pub fn declarations(mut self) -> TokenStream {
        self.models.sort_unstable();
        let modules = self.models.chunk_by(|one, other| one.0 == other.0);
        modules
            .map(|models| {
                let path = self.path(models[0].0);
                let names = models.iter().map(|(_, name)| name);
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
