//! An emitted file while its items are written: the models that it imports.
//!
//! Only models are imported: emitted code names items of the runtime and the standard library by their paths, so that
//! no name of a spec can shadow them. No model has a name of the prelude.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::docs::{Inline, text};
use super::names::{absolute, ident, path};
use crate::ir::{Api, TypeName};
use crate::items::{Path, Ty};

/// A file while its items are written.
pub struct Page<'a> {
    pub api: &'a Api,
    /// The path of its module below the crate's root.
    module: String,
    /// The names that the file defines itself.
    own: Vec<&'a TypeName>,
    /// The imported models: their names, each with its module.
    imports: BTreeMap<String, String>,
    /// Whether models are named by their paths, not imported.
    is_qualified: bool,
}

impl<'a> Page<'a> {
    /// Starts a file of a module, which defines these names.
    pub fn new(api: &'a Api, module: String, own: Vec<&'a TypeName>) -> Self {
        Self { api, module, own, imports: BTreeMap::new(), is_qualified: false }
    }

    /// Starts a text that names all models by their paths.
    pub fn without_imports(api: &'a Api) -> Self {
        Self { is_qualified: true, ..Self::new(api, String::new(), Vec::new()) }
    }

    /// Writes a type, and imports the models in it.
    pub fn ty(&mut self, ty: &Ty) -> TokenStream {
        let inner = ty.inner();
        let inner: Vec<_> = inner.into_iter().map(|inner| self.ty(inner)).collect();
        match ty {
            Ty::Unit => quote!(()),
            Ty::Scalar(scalar) => path(scalar.row().rust),
            Ty::Own(path) => absolute(path),
            Ty::Str => quote!(str),
            Ty::String => quote!(String),
            Ty::Value => quote!(runtime::Value),
            Ty::Map => quote!(runtime::Map),
            Ty::TypedObject => quote!(runtime::TypedObject),
            Ty::Itself => quote!(Self),
            Ty::ItsOutput => quote!(Self::Output),
            Ty::Item(item) => self.item(item),
            Ty::Foreign(item, _) => {
                let path = path(item.as_str());
                quote!(#path<#(#inner),*>)
            }
            Ty::List(_) => quote!(Vec<#(#inner)*>),
            Ty::Dictionary(_) => quote!(std::collections::BTreeMap<String, #(#inner)*>),
            Ty::Secret(_) => quote!(runtime::Secret<#(#inner)*>),
            Ty::Option(_) => quote!(Option<#(#inner)*>),
            Ty::Boxed(_) => quote!(Box<#(#inner)*>),
            Ty::Ref(_) => quote!(&#(#inner)*),
            Ty::StaticRef(_) => quote!(&'static #(#inner)*),
            Ty::Slice(_) => quote!([#(#inner)*]),
            Ty::Into(_) => quote!(impl Into<#(#inner)*>),
            Ty::IntoIterator(_) => quote!(impl IntoIterator<Item = #(#inner)*>),
            Ty::IntoList(_) => quote!(impl runtime::IntoList<#(#inner)*, By>),
            Ty::IntoInteger(_) => quote!(impl runtime::IntoInteger<#(#inner)*>),
            Ty::AsRef(_) => quote!(impl AsRef<#(#inner)*>),
            Ty::Param => quote!(impl runtime::Param),
            Ty::Expanded => quote!(impl runtime::Expanded),
            Ty::Server => quote!(impl runtime::Server),
            Ty::TokenSource => quote!(impl runtime::TokenSource),
            Ty::FnOnce(arguments, output) => {
                let arguments = arguments.iter().map(|argument| self.ty(argument));
                let arguments: Vec<_> = arguments.collect();
                let output = self.ty(output);
                quote!(impl FnOnce(#(#arguments),*) -> #output)
            }
        }
    }

    /// Writes a type as text, for a table.
    pub fn ty_text(&mut self, ty: &Ty) -> String {
        let tokens = self.ty(ty).to_string();
        let tokens = tokens.replace(" < ", "<").replace("<:: ", "<::").replace(" >", ">");
        tokens.replace(" :: ", "::").replace(" , ", ", ")
    }

    /// Imports an item and returns its name, or its path if another item in the file has that name.
    fn item(&mut self, item: &Path) -> TokenStream {
        if self.import(item) {
            return ident(item.name()).into_token_stream();
        }
        let module = item.split().map(|(module, _)| self.path(module));
        let name = ident(item.name());
        quote!(#module::#name)
    }

    pub fn link(&mut self, item: &Path) -> Inline {
        let name = Inline::code(item.name());
        if self.import(item) { text!("[{}]", name) } else { text!("[{}](crate::{})", name, item) }
    }

    /// Imports an item, unless another item in the file has its name. Returns whether the name refers to it.
    fn import(&mut self, item: &Path) -> bool {
        let Some((module, name)) = item.split() else { return false };
        if self.is_qualified {
            return false;
        }
        if self.own.iter().any(|own| own.as_str() == name) {
            return module == self.module;
        }
        match self.imports.get(name) {
            Some(imported) => imported == module,
            None => self.imports.insert(name.to_owned(), module.to_owned()).is_none(),
        }
    }

    pub fn imports(&self) -> TokenStream {
        let mut modules: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for (name, module) in &self.imports {
            modules.entry(module).or_default().push(ident(name));
        }
        let imports = modules.into_iter().map(|(module, names)| {
            let module = self.path(module);
            quote!(use #module::{#(#names),*};)
        });
        imports.collect()
    }

    /// Writes the path of a module, or of an item that is not imported.
    pub fn path(&self, module: &str) -> TokenStream {
        if module == self.module {
            return quote!(super);
        }
        let path = path(module);
        quote!(crate::#path)
    }
}
