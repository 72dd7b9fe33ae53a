//! The files of the models: one for each schema under `components`, with its inline types.

use std::collections::BTreeMap;

use super::usage::Usage;
use super::{enums, structs, unions};
use crate::emit::Emitted;
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::{self, Item};
use crate::ir::{Api, ModuleName, ModulePath, Shape, TypeDef, TypeId};

/// The types of one file: that of the component first, the others by name.
type Types<'a> = Vec<(TypeId, &'a TypeDef)>;

/// Returns the types of each file.
pub fn by_file(api: &Api) -> BTreeMap<(&ModulePath, &ModuleName), Types<'_>> {
    let mut files: BTreeMap<_, Types<'_>> = BTreeMap::new();
    for (id, definition) in api.definitions() {
        files.entry((&definition.module, &definition.file)).or_default().push((id, definition));
    }
    for types in files.values_mut() {
        types.sort_by_key(|(_, definition)| (definition.component().is_none(), &definition.name));
    }
    files
}

/// Writes all files of models.
pub fn files(api: &Api) -> Vec<Emitted> {
    let usage = Usage::of(api);
    let files = by_file(api).into_iter();
    files.map(|((module, file), types)| file_of(module, file, &types, &usage, api)).collect()
}

fn file_of(
    module: &ModulePath,
    file: &ModuleName,
    types: &Types<'_>,
    usage: &Usage<'_>,
    api: &Api,
) -> Emitted {
    let own = types.iter().map(|(_, definition)| &definition.name).collect();
    let mut imports = Imports::of_models(api, module, file, own);
    let mut items: Vec<Item> = Vec::new();
    let mut emitters: Vec<&str> = Vec::new();
    for &(id, definition) in types {
        let (emitter, written) = match &definition.shape {
            Shape::Struct(object) => {
                ("structs.rs", structs::items(id, definition, object, usage, &mut imports))
            }
            Shape::Enum(values) => ("enums.rs", enums::items(id, definition, values, usage, api)),
            Shape::Union(union) => {
                ("unions.rs", unions::items(id, definition, union, usage, &mut imports))
            }
        };
        items.extend(written);
        if !emitters.contains(&emitter) {
            emitters.push(emitter);
        }
    }
    items.insert(0, Item::Rust(imports.declarations()));
    print::file(path(module, file.bare()), &format!("types/{}", emitters.join(", ")), &items)
}

/// Returns the path of a file below a module of models.
pub fn path(module: &ModulePath, file: &str) -> String {
    let mut path = "src/models/".to_owned();
    for segment in module.segments() {
        path.push_str(segment.bare());
        path.push('/');
    }
    path + file + ".rs"
}
