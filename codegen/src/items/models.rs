//! The functions of models.

use super::input::{argument, setter};
use super::{Conversion, Input, Target, Ty};
use crate::ir::{Access, Api, FieldName, Shape, Struct, Type, TypeDef, Union, UnionVariant};

/// Returns the arguments of a model's `new`: the required fields that requests can send. Models that only responses
/// contain have none.
pub fn constructor<'a>(
    definition: &TypeDef,
    object: &'a Struct,
    api: &Api,
) -> Option<Vec<Input<'a>>> {
    let arguments = object.arguments().map(|field| {
        Input::new(field.name.as_str(), argument(&field.ty, api), Target::Field(field))
    });
    definition.in_requests.then(|| arguments.collect())
}

/// Returns the setters of a model. There are none for models and fields that only responses contain.
pub fn setters<'a>(definition: &TypeDef, object: &'a Struct, api: &Api) -> Vec<Input<'a>> {
    if !definition.in_requests {
        return Vec::new();
    }
    let sent = object.fields.iter().filter(|field| field.access != Access::Read);
    let fields = sent
        .map(|field| Input::new(field.name.as_str(), setter(&field.ty, api), Target::Field(field)));
    let additional = object.additional.iter().map(|(name, ty)| {
        let map = Ty::Into(Box::new(Ty::additional(ty, api)));
        Input::new(name.as_str(), (map, Conversion::Into), Target::Additional(ty))
    });
    fields.chain(additional).collect()
}

/// Returns the field and the type of the map that an object without properties of its own is converted from. Types that no
/// request can carry have no conversion.
pub fn map_conversion<'a>(
    definition: &TypeDef,
    object: &'a Struct,
    api: &Api,
) -> Option<(&'a FieldName, Ty)> {
    let (name, values) = object.as_map().filter(|_| definition.in_requests)?;
    Some((name, Ty::additional(values, api)))
}

/// Returns the variants of a union that have a `From` conversion: those whose type is a struct that no other variant
/// has. Types that requests cannot carry have none.
pub fn conversions<'a>(
    definition: &TypeDef,
    union: &'a Union,
    api: &'a Api,
) -> impl Iterator<Item = &'a UnionVariant> {
    let variants = if definition.in_requests { &*union.variants } else { &[] };
    let is_sole = |ty: &Type| variants.iter().filter(|variant| variant.ty == *ty).count() == 1;
    variants
        .iter()
        .filter(move |variant| as_struct(&variant.ty, api).is_some() && is_sole(&variant.ty))
}

fn as_struct<'a>(ty: &Type, api: &'a Api) -> Option<&'a Struct> {
    match ty {
        Type::Named(id) => match &api.definition(*id).shape {
            Shape::Struct(object) => Some(object),
            Shape::Enum(_) | Shape::Union(_) => None,
        },
        _ => None,
    }
}
