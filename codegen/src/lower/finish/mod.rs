//! The last steps: boxes, the order of operations, and the types that requests can carry.

mod constants;
mod recursion;

use crate::ir::{Access, Api, Operation, Shape, TypeDef, TypeId};

/// Completes an API.
pub fn finish(api: &mut Api) {
    recursion::relax_required_cycles(&mut api.types);
    recursion::box_cycles(&mut api.types);
    constants::set(api);
    api.recursion_limit = recursion::limit(&api.types);
    for resource in &mut api.resources {
        resource.operations.sort_by(|left, right| left.method_name.cmp(&right.method_name));
    }
    mark_requests(api);
}

/// Marks the types that are reachable from the body or a parameter of a request, except through read-only properties.
fn mark_requests(api: &mut Api) {
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
    let additional = object.additional.as_ref().and_then(|(_, ty)| ty.named());
    sent.filter_map(|field| field.ty.named()).chain(additional).collect()
}
