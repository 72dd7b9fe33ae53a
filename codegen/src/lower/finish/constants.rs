//! Required properties with only one value, which callers need not pass.

use crate::ir::{Api, Shape, Type};

/// Sets the values of the required fields that have only one.
pub fn set(api: &mut Api) {
    let constants: Vec<Option<String>> = api
        .types
        .iter()
        .map(|definition| match &definition.shape {
            Shape::Enum(values) => values.constant().map(|sole| sole.value.clone()),
            Shape::Struct(_) | Shape::Union(_) | Shape::Reply(_) => None,
        })
        .collect();
    for definition in &mut api.types {
        let Shape::Struct(object) = &mut definition.shape else { continue };
        for field in object.fields.iter_mut().filter(|field| field.required) {
            if let Type::Named(id) = field.ty {
                field.constant.clone_from(&constants[id.index()]);
            }
        }
    }
}
