//! Responses with related objects, and the paths to them.

use heck::ToSnakeCase as _;

use super::shape::single;
use crate::ir::{
    Api, Expanded, Field, FieldWire, MethodName, RelatedPath, Shape, Struct, Type, TypeDef, TypeId,
    ViewParameter,
};

/// The property with the related objects.
const EXPANDED: &str = "expanded";

/// Finds the responses with related objects, and the views whose paths lead to them.
pub(super) fn find(api: &mut Api, is_identifier: fn(&str) -> bool) {
    let mut responses = Vec::new();
    let mut views = Vec::new();
    for (index, definition) in api.types.iter().enumerate() {
        let Shape::Struct(response) = &definition.shape else { continue };
        let Some(objects) = response.fields.iter().find(|field| is_expanded(field)) else {
            continue;
        };
        let candidates = response.fields.iter().filter_map(|field| {
            let ty = match &field.ty {
                Type::List(item) => item,
                ty => ty,
            };
            let (id, view) = api.as_struct(ty)?;
            let is_view = view.fields.iter().any(|field| stem(field).is_some());
            is_view.then(|| (field, id.type_id()))
        });
        let candidates: Vec<_> = candidates.collect();
        let view = single(&candidates).map(|(field, ty)| ViewParameter {
            field: field.name.clone(),
            required: field.required,
            is_list: matches!(field.ty, Type::List(_)),
            ty: *ty,
        });
        views.extend(candidates.iter().map(|(_, ty)| *ty));
        let field = objects.name.clone();
        let required = objects.required;
        responses.push((TypeId::new(index), Expanded { field, required, view }));
    }
    views.sort_unstable();
    views.dedup();
    let paths: Vec<_> = views.iter().map(|id| paths(api.definition(*id), is_identifier)).collect();
    for (id, expanded) in responses {
        if let Some(response) = struct_mut(id, api) {
            response.conventions.expanded = Some(expanded);
        }
    }
    for (id, paths) in views.into_iter().zip(paths) {
        if let Some(view) = struct_mut(id, api) {
            view.conventions.paths = paths;
        }
    }
}

/// Returns the paths of a view. A method has the name of its path without the last word, if it can.
fn paths(definition: &TypeDef, is_identifier: fn(&str) -> bool) -> Vec<RelatedPath> {
    let Shape::Struct(view) = &definition.shape else { return Vec::new() };
    let is_setter = |name: &str| {
        definition.in_requests
            && (name == "new" || view.fields.iter().any(|field| field.name.bare() == name))
    };
    let paths = view.fields.iter().filter_map(|field| {
        let (stem, wire) = stem(field)?;
        let name = field.name.bare().strip_suffix("_path").unwrap_or_default();
        let is_free = is_identifier(name) && !is_setter(name);
        let method = if is_free { name } else { field.name.as_str() };
        (is_free || !definition.in_requests).then(|| RelatedPath {
            field: field.name.clone(),
            required: field.required,
            method: MethodName::new(method.to_owned()),
            is_plural: stem.ends_with('s') && !stem.ends_with("ss"),
            wire: wire.to_owned(),
            pointer: field.pointer.clone(),
        })
    });
    paths.collect()
}

/// Returns the name of the object that a field locates, and the name of its property.
fn stem(field: &Field) -> Option<(String, &str)> {
    let FieldWire::Property(wire) = &field.wire else { return None };
    let name = wire.to_snake_case();
    let stem = name.strip_suffix("_path").filter(|_| field.ty == Type::String)?;
    Some((stem.to_owned(), wire))
}

fn is_expanded(field: &Field) -> bool {
    field.wire == FieldWire::Property(EXPANDED.to_owned())
        && field.ty == Type::List(Box::new(Type::TypedObject))
}

fn struct_mut(id: TypeId, api: &mut Api) -> Option<&mut Struct> {
    match &mut api.types[id.index()].shape {
        Shape::Struct(object) => Some(object),
        Shape::Enum(_) | Shape::Union(_) | Shape::Reply(_) => None,
    }
}
