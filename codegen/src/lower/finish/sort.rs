//! The final order of types and operations: by name, so that the order of the document changes nothing.

use crate::ir::{Api, Body, Output, Rest, Shape, StructId, Type, TypeId};

/// Sorts types by module and name, operations by method, and renumbers every reference.
pub fn sort(api: &mut Api) {
    let mut order: Vec<usize> = (0..api.types.len()).collect();
    order.sort_by(|&left, &right| {
        let key = |index: usize| {
            api.types
                .get(index)
                .map(|definition| (&definition.module, &definition.name, &definition.pointer))
        };
        key(left).cmp(&key(right))
    });
    let mut renumbered = vec![TypeId::new(0); order.len()];
    for (new, &old) in order.iter().enumerate() {
        if let Some(room) = renumbered.get_mut(old) {
            *room = TypeId::new(new);
        }
    }
    let mut types: Vec<_> = std::mem::take(&mut api.types).into_iter().map(Some).collect();
    api.types = order.iter().filter_map(|&old| types.get_mut(old)?.take()).collect();
    for definition in &mut api.types {
        match &mut definition.shape {
            Shape::Struct(object) => {
                object.fields.iter_mut().for_each(|field| renumber(&mut field.ty, &renumbered));
                if let Rest::Additional(_, ty) = &mut object.rest {
                    renumber(ty, &renumbered);
                }
            }
            Shape::Union(union) => {
                for variant in &mut union.variants {
                    renumber(&mut variant.ty, &renumbered);
                }
            }
            Shape::Enum(_) => {}
        }
    }
    for resource in &mut api.resources {
        resource.operations.sort_by(|left, right| left.method_name.cmp(&right.method_name));
        for operation in &mut resource.operations {
            let parameters = operation.path_parameters.iter_mut();
            let parameters = parameters
                .chain(&mut operation.query_parameters)
                .chain(&mut operation.header_parameters);
            parameters.for_each(|parameter| renumber(&mut parameter.ty, &renumbered));
            match &mut operation.body {
                Body::Fields(id, _) => {
                    let mut of_type = id.type_id();
                    renumber_id(&mut of_type, &renumbered);
                    *id = StructId::new(of_type);
                }
                Body::Whole { ty, .. } => renumber(ty, &renumbered),
                Body::None | Body::EmptyObject => {}
            }
            if let Output::Json(ty) = &mut operation.output {
                renumber(ty, &renumbered);
            }
            if let Some(paging) = &mut operation.paging {
                renumber(&mut paging.item, &renumbered);
            }
        }
    }
}

fn renumber(ty: &mut Type, renumbered: &[TypeId]) {
    match ty {
        Type::Named(id) => renumber_id(id, renumbered),
        Type::List(inner) | Type::Dictionary(inner) | Type::Secret(inner) => {
            renumber(inner, renumbered);
        }
        _ => {}
    }
}

fn renumber_id(id: &mut TypeId, renumbered: &[TypeId]) {
    if let Some(&new) = renumbered.get(id.index()) {
        *id = new;
    }
}
