//! Additions to the models by the conventions of an API.

use super::{Path, Ty};
use crate::ir::{
    Access, Api, Docs, Field, FieldWire, Operation, RelatedPath, Shape, Struct, Type, TypeDef,
    ViewParameter,
};

/// The name of a property of a model whose updates have a mask.
#[derive(Debug)]
pub struct Constant<'a> {
    /// The name of the constant.
    pub name: String,
    /// The name of the property on the wire.
    pub wire: &'a str,
    /// The documentation of the property.
    pub docs: &'a Docs,
    /// The JSON pointer to the schema of the property.
    pub pointer: &'a str,
}

/// A method of a model that returns related objects.
#[derive(Debug)]
pub struct RelatedMethod<'a> {
    /// The path to the objects.
    pub path: &'a RelatedPath,
    /// The field of the model with the view that has the path; `None` if the model is the view.
    pub view: Option<&'a ViewParameter>,
}

/// Returns the constants of a model: a name for each property that an update can change.
pub fn constants<'a>(object: &'a Struct, api: &'a Api) -> Vec<Constant<'a>> {
    if !object.conventions.is_edited {
        return Vec::new();
    }
    let mut constants: Vec<Constant<'_>> = Vec::new();
    let sent = object.fields.iter().filter(|field| field.access != Access::Read);
    for constant in sent.flat_map(|field| of_field(field, api)) {
        if constants.iter().all(|other| other.name != constant.name) {
            constants.push(constant);
        }
    }
    constants
}

/// Returns the constants of the properties of a field.
fn of_field<'a>(field: &'a Field, api: &'a Api) -> Vec<Constant<'a>> {
    if let FieldWire::Property(wire) = &field.wire {
        let name = field.name.bare().to_uppercase();
        return vec![Constant { name, wire, docs: &field.docs, pointer: &field.pointer }];
    }
    let shape = match &field.ty {
        Type::Named(id) => Some(&api.definition(*id).shape),
        _ => None,
    };
    let Some(Shape::Union(union)) = shape else { return Vec::new() };
    let variants = union.variants.iter().filter_map(|variant| {
        Some(Constant {
            name: variant.snake_case.bare().to_uppercase(),
            wire: variant.property.as_deref()?,
            docs: &variant.docs,
            pointer: &variant.pointer,
        })
    });
    variants.collect()
}

/// Returns the methods of a model that return related objects: the methods of a view, and of a response with one view.
pub fn related<'a>(
    definition: &TypeDef,
    object: &'a Struct,
    api: &'a Api,
) -> Vec<RelatedMethod<'a>> {
    let own = object.conventions.paths.iter().map(|path| RelatedMethod { path, view: None });
    let expanded = object.conventions.expanded.as_ref();
    let view = expanded
        .and_then(|expanded| expanded.view.as_ref())
        .filter(|view| !view.is_list && !definition.in_requests);
    let of_view = view.into_iter().flat_map(|view| {
        let Shape::Struct(object) = &api.definition(view.ty).shape else { return [].iter() };
        object.conventions.paths.iter()
    });
    own.chain(of_view.map(|path| RelatedMethod { path, view })).collect()
}

/// Returns the paths of the items of a list to related objects of their page.
pub fn of_rows<'a>(operation: &Operation, api: &'a Api) -> &'a [RelatedPath] {
    let object = |ty: &Type| Some(api.as_struct(&Type::Named(ty.named()?))?.1);
    let output = &operation.successes.output;
    let page = output.json().filter(|_| !output.is_option()).and_then(object);
    let paging = operation.paging.as_ref().filter(|paging| paging.items.fields.len() < 2);
    let item = paging.and_then(|paging| object(&paging.item));
    match (page, item) {
        (Some(page), Some(item)) if page.conventions.expanded.is_some() => &item.conventions.paths,
        _ => &[],
    }
}

impl RelatedMethod<'_> {
    /// Returns the type of the result.
    pub fn output(&self) -> Ty {
        if self.path.is_plural {
            Ty::foreign("runtime::RelatedObjects", [])
        } else {
            Ty::Option(Box::new(Ty::Ref(Box::new(Ty::TypedObject))))
        }
    }
}

/// Returns the models that convert into a reference, by reference.
pub fn sources(object: &Struct, api: &Api) -> Vec<Ty> {
    let models = object.conventions.models.iter();
    let models = models.map(|id| Ty::Item(Path::new(api.definition(*id).path())));
    models.map(|model| Ty::Ref(Box::new(model))).collect()
}
