//! The types that requests carry: only those are built by callers.

use crate::ir::{Access, Api, Operation, Rest, Shape, TypeDef, TypeId};

/// Marks the types that are reachable from the body or a parameter of a request, except through read-only properties.
pub fn mark(api: &mut Api) {
    let mut open: Vec<TypeId> = api.operations().flat_map(Operation::sent_types).collect();
    while let Some(id) = open.pop() {
        let definition = &mut api.types[id.index()];
        if !std::mem::replace(&mut definition.in_requests, true) {
            open.extend(carried(definition));
        }
    }
}

/// Returns the types within a value that is sent.
fn carried(definition: &TypeDef) -> Vec<TypeId> {
    let Shape::Struct(object) = &definition.shape else {
        return definition.shape.types();
    };
    let sent = object.fields.iter().filter(|field| field.access != Access::Read);
    let additional = match &object.rest {
        Rest::Additional(_, ty) => ty.named(),
        Rest::Unknown => None,
    };
    sent.filter_map(|field| field.ty.named()).chain(additional).collect()
}
