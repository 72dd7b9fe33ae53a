//! The files of the models: one for each schema under `components`, with its inline types.

use super::attributes::Model;
use super::usage::Usage;
use super::{enums, replies, structs, unions};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::{self, Part};
use crate::emit::{Emitted, Emitter};
use crate::ir::{Api, Shape, TypeDef, TypeId};

pub fn emitters<'a>(api: &'a Api, usage: &'a Usage<'a>) -> Vec<Emitter<'a>> {
    let definitions = api.definitions();
    let files = definitions.chunk_by(|(_, one), (_, other)| one.place() == other.place());
    let emitters = files.map(|types| -> Emitter<'a> {
        let types = types.to_vec();
        Box::new(move || file(&types, usage, api))
    });
    emitters.collect()
}

fn file(types: &[(TypeId, &TypeDef)], usage: &Usage<'_>, api: &Api) -> Emitted {
    let (module, file) = types[0].1.place();
    let own = types.iter().map(|(_, definition)| &definition.name).collect();
    let mut page = Page::new(api, module.path(), own);
    let mut items: Vec<Part> = Vec::new();
    let mut emitters: Vec<&str> = Vec::new();
    for &(id, definition) in types {
        let model = Model { id, definition, usage };
        let (emitter, written) = match &definition.shape {
            Shape::Struct(object) => ("structs.rs", structs::items(model, object, &mut page)),
            Shape::Enum(values) => ("enums.rs", enums::items(model, values, api)),
            Shape::Reply(reply) => ("replies.rs", replies::items(model, reply, &mut page)),
            Shape::Union(union) => ("unions.rs", unions::items(model, union, &mut page)),
        };
        items.extend(written);
        if !emitters.contains(&emitter) {
            emitters.push(emitter);
        }
    }
    let emitters = format!("types/{}", emitters.join(", "));
    let parts = [Part::Rust(page.imports())].into_iter().chain(items);
    print::file(module.file(file.bare()), &emitters, parts)
}
