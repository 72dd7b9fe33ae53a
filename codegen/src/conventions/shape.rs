//! Questions about types.

use crate::ir::{Api, EnumKind, Shape, Struct, StructId, Type};

/// Returns the struct that a type is.
pub(super) fn as_struct<'a>(ty: &Type, api: &'a Api) -> Option<(StructId, &'a Struct)> {
    let Type::Named(id) = ty else { return None };
    match &api.definition(*id).shape {
        Shape::Struct(object) => Some((StructId::new(*id), object)),
        Shape::Enum(_) | Shape::Union(_) => None,
    }
}

/// Returns whether a type is a list of texts.
pub(super) fn is_list_of_texts(ty: &Type, api: &Api) -> bool {
    let Type::List(item) = ty else { return false };
    match **item {
        Type::String | Type::AnyText(_) => true,
        Type::Named(id) => matches!(
            &api.definition(id).shape,
            Shape::Enum(values) if values.kind == EnumKind::Text
        ),
        _ => false,
    }
}

/// Returns the only element.
pub(super) fn sole<T>(elements: impl IntoIterator<Item = T>) -> Option<T> {
    let mut elements = elements.into_iter();
    let first = elements.next();
    first.filter(|_| elements.next().is_none())
}
