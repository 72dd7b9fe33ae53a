//! An emitted file while its items are written: the models that it imports, and its attributes.
//!
//! Nothing but models is imported: emitted code names items of the runtime and the standard library by their paths, so that
//! no name of a spec can shadow them. No model has a name of the prelude.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::attributes::Attributes;
use crate::ir::{Api, ModuleName, ModulePath, TypeId, TypeName};

/// What the references to attributes begin with.
const REFERENCE: &str = "attributes_";

/// A file while its items are written.
pub struct Page<'a> {
    /// The API whose models are imported.
    pub api: &'a Api,
    /// The module and the file, if it is one of models.
    file: Option<(&'a ModulePath, &'a ModuleName)>,
    /// The names that the file defines itself.
    own: Vec<&'a TypeName>,
    /// The imported models, each once.
    models: Vec<(&'a ModulePath, &'a TypeName)>,
    /// The attributes to which tokens refer by number.
    attributes: Vec<Attributes>,
}

impl<'a> Page<'a> {
    /// Starts a file of models.
    pub fn of_models(
        api: &'a Api,
        module: &'a ModulePath,
        file: &'a ModuleName,
        own: Vec<&'a TypeName>,
    ) -> Self {
        Self { file: Some((module, file)), ..Self::new(api, own) }
    }

    /// Starts another file.
    pub fn new(api: &'a Api, own: Vec<&'a TypeName>) -> Self {
        Self { api, file: None, own, models: Vec::new(), attributes: Vec::new() }
    }

    /// Writes attributes: a reference to their text.
    pub fn attributes(&mut self, attributes: Attributes) -> TokenStream {
        let reference = format_ident!("{REFERENCE}{}", self.attributes.len());
        self.attributes.push(attributes);
        quote!(#[#reference])
    }

    /// Returns the attributes to which a line refers, which is without its indentation.
    pub fn referred(&self, line: &str) -> Option<&Attributes> {
        let index = line.strip_prefix("#[")?.strip_prefix(REFERENCE)?.strip_suffix(']')?;
        self.attributes.get(index.parse::<usize>().ok()?)
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
    pub fn declarations(&mut self) -> TokenStream {
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
