//! The file of the test helpers of the models in a module: the constructors and setters of those that no request
//! carries. Without the feature `test-util`, the compiler does not even read it.

use quote::quote;

use super::models::path;
use super::structs;
use super::usage::Usage;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::{self, Part};
use crate::emit::{Emitted, Emitter};
use crate::ir::{Api, ModulePath, Shape, Struct, TypeDef, TypeId};
use crate::items::modules;

/// Returns the emitters of the files of all modules with such models.
pub fn emitters<'a>(api: &'a Api, usage: &'a Usage<'a>) -> Vec<Emitter<'a>> {
    let modules = modules::of_models(api).into_iter().filter_map(|(module, content)| {
        let types: Vec<_> = built_by_tests(&content.types).collect();
        (!types.is_empty()).then_some((module, types))
    });
    let emitter = |(module, types): (ModulePath, Vec<_>)| -> Emitter<'a> {
        Box::new(move || file(&module, &types, usage, api))
    };
    modules.map(emitter).collect()
}

/// Returns the structs among some types that only tests build.
pub fn built_by_tests<'a>(
    types: &[(TypeId, &'a TypeDef)],
) -> impl Iterator<Item = (TypeId, &'a TypeDef, &'a Struct)> {
    types.iter().filter_map(|&(id, definition)| match &definition.shape {
        Shape::Struct(object) if !definition.in_requests => Some((id, definition, object)),
        _ => None,
    })
}

fn file(
    module: &ModulePath,
    types: &[(TypeId, &TypeDef, &Struct)],
    usage: &Usage<'_>,
    api: &Api,
) -> Emitted {
    let mut page = Page::without_imports(module.path());
    let documentation =
        Doc::from(text!("The constructors and setters of models that only tests build."));
    let methods = types.iter().map(|(id, definition, object)| {
        let condition = Attributes::default().condition(usage.gates.feature(*id));
        let methods = structs::methods(definition, object, api, &mut page);
        quote!(#condition #methods)
    });
    let methods: Vec<_> = methods.collect();
    let parts = [documentation.inner()].into_iter().chain(methods).map(Part::Rust);
    print::file(path(module.segments(), "test_util"), "types/test_util.rs, structs.rs", parts)
}
