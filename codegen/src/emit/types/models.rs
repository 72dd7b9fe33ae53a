//! The files of the models: one for each schema under `components`, with the types that belong to it.

use std::collections::BTreeMap;

use super::{enums, structs, unions};
use crate::emit::SourceFile;
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::{self, Item, Source};
use crate::emit::work::{self, Workers};
use crate::ir::{Api, ModuleName, ModulePath, Shape, TypeDef};

/// Returns the types of each file: the one that leads it first, the others by name.
pub fn by_file(api: &Api) -> BTreeMap<(&ModulePath, &ModuleName), Vec<&TypeDef>> {
    let mut files: BTreeMap<_, Vec<&TypeDef>> = BTreeMap::new();
    for definition in &api.types {
        files.entry((&definition.module, &definition.file)).or_default().push(definition);
    }
    for types in files.values_mut() {
        types.sort_by_key(|definition| (!definition.leads_file, &definition.name));
    }
    files
}

/// Writes all files of models.
pub fn files(api: &Api, workers: Workers<'_>) -> Vec<SourceFile> {
    let files: Vec<_> = by_file(api).into_iter().collect();
    work::map(&files, workers, |((module, file), types)| file_of(module, file, types, api))
}

fn file_of(module: &ModulePath, file: &ModuleName, types: &[&TypeDef], api: &Api) -> SourceFile {
    let own = types.iter().map(|definition| definition.name.to_string()).collect();
    let mut imports = Imports::of_models(module, file.as_str(), own);
    let mut items: Vec<Item> = Vec::new();
    for definition in types {
        items.extend(match &definition.shape {
            Shape::Struct(object) => structs::items(definition, object, api, &mut imports),
            Shape::Enum(values) => enums::items(definition, values, &mut imports),
            Shape::Union(union) => unions::items(definition, union, api, &mut imports),
        });
    }
    let docs = match types {
        [only] => format!("`{}`.", only.name),
        [leading, ..] if leading.leads_file => {
            format!("`{}` and the types that belong to it.", leading.name)
        }
        _ => "Types that the description writes within an operation.".to_owned(),
    };
    let source = Source {
        path: path(module, file.bare()),
        emitter: "models.rs",
        docs,
        attributes: String::new(),
    };
    print::file(&source, &imports, &items)
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
