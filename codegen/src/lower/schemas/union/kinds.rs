//! The names of branches by the kind of their values.

use crate::document::{Document, Schema};
use crate::facts::{Read, Values, composition};
use crate::ir::JsonKind;
use crate::lower::Alternative;
use crate::names;

/// Returns the name of a branch by the kind of its values.
pub fn kind_name_of(branch: &Alternative<'_>) -> String {
    let name = kind_name(branch.schema(), 0);
    let is_common = || branch.schemas.iter().all(|schema| kind_name(schema, 0) == name);
    match &branch.shape {
        Some(shape) if !is_common() => shape.name(),
        _ => name,
    }
}

/// Returns a name for the values of a schema: `Text`, `TextList`, `Object`.
pub fn kind_name(schema: &Schema<'_>, depth: usize) -> String {
    const MAX_DEPTH: usize = 4;
    let inner = composition::wrapped(schema);
    let named = inner.as_ref().unwrap_or(schema).reference();
    if depth > 0
        && let Some(key) = named.and_then(Document::key_of)
    {
        return names::camel(&key);
    }
    let values = Values::of(schema);
    let name = match values.only_kind() {
        Some(JsonKind::Array) => {
            let items = values.lists.and_then(|lists| match lists.elements() {
                ("items", items) if depth < MAX_DEPTH => items.into_iter().next(),
                _ => None,
            });
            return items.map(|items| kind_name(&items, depth + 1)).unwrap_or_default() + "List";
        }
        Some(JsonKind::Boolean) => "Boolean",
        Some(JsonKind::Number) if values.is_narrow() => "Integer",
        Some(JsonKind::Number) => "Number",
        Some(JsonKind::String) if values.is_binary() => "File",
        Some(JsonKind::String) => "Text",
        Some(JsonKind::Object) => match values.objects {
            Some(objects) if objects.is_map() => "Map",
            Some(objects) if !objects.is_union() => "Object",
            _ => "Value",
        },
        None => "Value",
    };
    name.to_owned()
}
