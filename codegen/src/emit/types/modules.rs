//! The `mod.rs` files of the models: modules and exports.

use quote::quote;

use super::models::path;
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::print::{self, Part};
use crate::emit::rust::renamed;
use crate::emit::{Emitted, Emitter};
use crate::ir::{Api, ModulePath};
use crate::items::modules::{self, Module};

/// Returns the emitters of the files of all modules of models.
pub fn emitters<'a>(api: &'a Api) -> Vec<Emitter<'a>> {
    let emitter = |(path, module): (ModulePath, Module<'a>)| -> Emitter<'a> {
        Box::new(move || file(&path, &module, api))
    };
    modules::of_models(api).into_iter().map(emitter).collect()
}

fn file(module: &ModulePath, content: &Module<'_>, api: &Api) -> Emitted {
    let Module { children, types } = content;
    let documentation = Doc::from(match module.segments().last() {
        Some(name) => text!("The models of `{}`.", name),
        None => text!("The models: what requests send and responses return."),
    });
    let files = || types.chunk_by(|one, other| one.file == other.file);
    let names = files().map(|types| &types[0].file);
    let exports = files().map(|types| {
        let file = &types[0].file;
        let names = types.iter().map(|definition| &definition.name);
        quote!(pub use self::#file::{#(#names),*};)
    });
    let parts = [
        documentation.inner(),
        quote!(#(pub mod #children;)*),
        quote!(#(mod #names;)*),
        exports.collect(),
        renamed::types(&module.path(), api),
    ];
    let parts = parts.map(Part::Rust);
    print::file(path(module.segments(), "mod"), "types/modules.rs", parts)
}
