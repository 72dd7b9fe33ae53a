//! The last steps: boxes, the order of operations, and the types that requests can carry.

mod constants;
mod recursion;

use std::collections::HashSet;

use crate::ir::{Access, Api, Null, Operation, Shape, TypeDef, TypeId};

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

/// Marks the types that requests send. Only those in JSON have a place for null.
fn mark_requests(api: &mut Api) {
    let sent = sent(api.operations().flat_map(Operation::sent_types), &api.types);
    let in_json = self::sent(api.operations().filter_map(Operation::json_type), &api.types);
    for (index, definition) in api.types.iter_mut().enumerate() {
        let id = TypeId::new(index);
        definition.in_requests = sent.contains(&id);
        if let Shape::Struct(object) = &mut definition.shape
            && !in_json.contains(&id)
        {
            let optional = object.fields.iter_mut().filter(|field| field.null == Null::Optional);
            optional.for_each(|field| field.null = Null::Never);
        }
    }
}

/// Returns the types that are reachable from these, except through read-only properties.
fn sent(from: impl Iterator<Item = TypeId>, types: &[TypeDef]) -> HashSet<TypeId> {
    let mut open: Vec<TypeId> = from.collect();
    let mut sent = HashSet::new();
    while let Some(id) = open.pop() {
        if sent.insert(id) {
            open.extend(carried(&types[id.index()]));
        }
    }
    sent
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
