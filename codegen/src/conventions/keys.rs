//! References: objects that consist of identifiers, and the models that have these.

use super::shape::single;
use crate::ir::{Api, Field, Shape, Struct, Type, TypeDef, TypeId};

/// The last word of the name of a reference.
const SUFFIX: &str = "Ref";

/// Finds the references, and the models that have their identifiers.
pub(super) fn find(api: &mut Api) {
    let keys = api.types.iter().enumerate().filter_map(|(index, definition)| {
        let key = key(definition)?;
        let models = models(definition, key, api).into_iter().collect();
        Some((index, models))
    });
    let keys: Vec<(usize, Vec<TypeId>)> = keys.collect();
    for (index, models) in keys {
        if let Shape::Struct(key) = &mut api.types[index].shape {
            key.conventions.is_key = true;
            key.conventions.models = models;
        }
    }
}

/// Returns the struct of a reference: `…Ref`, with nothing but identifiers.
fn key(definition: &TypeDef) -> Option<&Struct> {
    let Shape::Struct(object) = &definition.shape else { return None };
    let is_key = definition.name.as_str().ends_with(SUFFIX)
        && object.additional.is_none()
        && !object.fields.is_empty()
        && object.fields.iter().all(|field| identifier(field).is_some());
    is_key.then_some(object)
}

/// Returns the name of the property of an identifier.
fn identifier(field: &Field) -> Option<&str> {
    let name = field.property()?;
    let is_identifier = field.ty == Type::String && (name == "id" || name.ends_with("Id"));
    is_identifier.then_some(name)
}

/// Returns the model that a reference refers to: the one with its name in its module, or else the only one, if it has
/// the identifiers.
fn models(definition: &TypeDef, key: &Struct, api: &Api) -> Option<TypeId> {
    let name = definition.name.as_str().strip_suffix(SUFFIX)?;
    let named: Vec<_> = api.emitted().filter(|(_, model)| model.name.as_str() == name).collect();
    let near = named.iter().filter(|(_, model)| model.module == definition.module);
    let (id, model) = *single(near).or_else(|| single(named.iter()))?;
    let Shape::Struct(model) = &model.shape else { return None };
    let has_fields = key.fields.iter().all(|field| {
        let found = model.fields.iter().find(|other| other.wire == field.wire);
        found.is_some_and(|found| found.ty == Type::String && (found.required || !field.required))
    });
    has_fields.then_some(id)
}
