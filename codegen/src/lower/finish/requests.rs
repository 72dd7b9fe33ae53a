//! Which types a request can carry: only those are ever built by a caller.

use crate::ir::{Access, Api, Body, Rest, Shape, Type, TypeDef, TypeId};

/// Marks every type that is reachable from the body or a parameter of a request. Read-only properties are never sent.
pub fn mark(api: &mut Api) {
    let mut open = Vec::new();
    for operation in api.operations() {
        let parameters = operation.path_parameters.iter();
        let parameters = parameters.chain(&operation.query_parameters);
        for parameter in parameters.chain(&operation.header_parameters) {
            open.extend(named(&parameter.ty));
        }
        match &operation.body {
            Body::Fields(id, _) => open.push(*id),
            Body::Whole { ty, .. } => open.extend(named(ty)),
            Body::None | Body::EmptyObject => {}
        }
    }
    while let Some(id) = open.pop() {
        let definition = &mut api.types[id.index()];
        if !std::mem::replace(&mut definition.in_requests, true) {
            open.extend(carried(definition));
        }
    }
}

/// Returns the types that a value of a type carries when it is sent.
fn carried(definition: &TypeDef) -> Vec<TypeId> {
    match &definition.shape {
        Shape::Struct(object) => {
            let sent = object.fields.iter().filter(|field| field.access != Access::Read);
            let additional = match &object.rest {
                Rest::Additional(_, ty) => named(ty),
                Rest::Unknown => None,
            };
            sent.filter_map(|field| named(&field.ty)).chain(additional).collect()
        }
        Shape::Union(union) => {
            union.variants.iter().filter_map(|variant| named(&variant.ty)).collect()
        }
        Shape::Enum(_) => Vec::new(),
    }
}

fn named(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Named(id) => Some(*id),
        Type::List(inner) | Type::Dictionary(inner) | Type::Secret(inner) => named(inner),
        _ => None,
    }
}
