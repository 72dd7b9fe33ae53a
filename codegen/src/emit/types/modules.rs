//! The `mod.rs` files of the models: modules and exports.

use quote::quote;

use super::usage::Usage;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::print::{self, Part};
use crate::emit::rust::renamed;
use crate::emit::{Emitted, Emitter};
use crate::ir::{Api, ModulePath, TypeDef};
use crate::items::modules::{self, Module};

/// Returns the emitters of the files of all modules of models.
pub fn emitters<'a>(api: &'a Api, usage: &'a Usage<'a>) -> Vec<Emitter<'a>> {
    let emitters = modules::of_models(api).into_iter().map(|(path, module)| -> Emitter<'a> {
        Box::new(move || file(&path, &module, usage, api))
    });
    emitters.collect()
}

fn file(module: &ModulePath, content: &Module<'_>, usage: &Usage<'_>, api: &Api) -> Emitted {
    let Module { children, types } = content;
    let documentation = Doc::from(match module.segments().last() {
        Some(name) => text!("The models of `{}`.", name),
        None => text!("The models of requests and responses."),
    });
    let files: Vec<_> = types.chunk_by(|(_, one), (_, other)| one.file == other.file).collect();
    let modules = files.iter().map(|types| {
        let (id, TypeDef { file, .. }) = types[0];
        let condition = Attributes::default().condition(usage.gates.feature(id));
        quote!(#condition mod #file;)
    });
    let exports = files.iter().map(|types| {
        let (id, TypeDef { file, .. }) = types[0];
        let names = types.iter().map(|(_, definition)| &definition.name);
        let condition = Attributes::default().gate(usage.gates.gate(id));
        quote!(#condition pub use self::#file::{#(#names),*};)
    });
    let parts = [
        documentation.inner(),
        quote!(#(pub mod #children;)*),
        modules.collect(),
        exports.collect(),
        renamed::types(&module.path(), api, &usage.gates),
    ];
    let parts = parts.map(Part::Rust);
    print::file(module.file("mod"), "types/modules.rs", parts)
}
