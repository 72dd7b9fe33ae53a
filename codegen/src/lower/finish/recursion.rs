//! Recursive types: which values are boxed, and which cannot be required.

use crate::ir::{Shape, Type, TypeDef, TypeId};
use crate::lower::graph::strongly_connected;

/// Makes required fields optional on cycles of required fields: otherwise no value could be finite.
pub fn relax_required_cycles(types: &mut [TypeDef]) {
    let edges: Vec<Vec<usize>> =
        types.iter().map(|definition| demanded(&definition.shape)).collect();
    let component = strongly_connected(&edges);
    for (index, definition) in types.iter_mut().enumerate() {
        let Shape::Struct(object) = &mut definition.shape else {
            continue;
        };
        for field in &mut object.fields {
            let is_endless = target(&field.ty)
                .is_some_and(|target| component.get(target) == component.get(index));
            field.required = field.required && !is_endless;
        }
    }
}

fn demanded(shape: &Shape) -> Vec<usize> {
    match shape {
        Shape::Struct(object) => object.required().filter_map(|field| target(&field.ty)).collect(),
        // The default of a union has no value.
        Shape::Union(_) | Shape::Enum(_) => Vec::new(),
    }
}

/// Boxes the values on cycles of types that contain one another by value. Lists and maps need no box: their elements are
/// on the heap.
pub fn box_cycles(types: &mut [TypeDef]) {
    let edges: Vec<Vec<usize>> =
        types.iter().map(|definition| contained(&definition.shape)).collect();
    let component = strongly_connected(&edges);
    for (index, definition) in types.iter_mut().enumerate() {
        let on_cycle = |ty: &Type| {
            target(ty).is_some_and(|target| component.get(target) == component.get(index))
        };
        match &mut definition.shape {
            Shape::Struct(object) => {
                for field in &mut object.fields {
                    field.boxed = on_cycle(&field.ty);
                }
            }
            Shape::Union(union) => {
                for variant in &mut union.variants {
                    variant.boxed = on_cycle(&variant.ty);
                }
            }
            Shape::Enum(_) => {}
        }
    }
}

/// The deepest nesting of types for which the compiler's default limit of 128 steps is high enough.
const MAX_DEPTH: usize = 50;

/// The steps that the compiler may need per level: `Option`, `Vec` or `Box`, and their parts.
const STEPS: usize = 8;

/// Returns the `recursion_limit` that the longest chain of types needs, if the default may be too low. A box does not end
/// a chain, because dropping a box drops its content. A cycle counts as many levels as it has types.
pub fn limit(types: &[TypeDef]) -> Option<usize> {
    let edges: Vec<Vec<usize>> = types
        .iter()
        .map(|definition| definition.shape.types().into_iter().map(TypeId::index).collect())
        .collect();
    let component = strongly_connected(&edges);
    let mut members = vec![Vec::new(); types.len()];
    for (index, &component) in component.iter().enumerate() {
        members[component].push(index);
    }
    // The successors of a component have lower numbers.
    let mut depths = vec![0; types.len()];
    for (number, members) in members.iter().enumerate() {
        let below = members
            .iter()
            .flat_map(|&member| &edges[member])
            .map(|&next| component[next])
            .filter(|&next| next != number)
            .map(|next| depths[next])
            .max();
        depths[number] = members.len() + below.unwrap_or(0);
    }
    let depth = depths.into_iter().max().filter(|&depth| depth > MAX_DEPTH)?;
    Some((depth * STEPS).next_power_of_two())
}

fn contained(shape: &Shape) -> Vec<usize> {
    match shape {
        Shape::Struct(object) => {
            object.fields.iter().filter_map(|field| target(&field.ty)).collect()
        }
        Shape::Union(union) => {
            union.variants.iter().filter_map(|variant| target(&variant.ty)).collect()
        }
        Shape::Enum(_) => Vec::new(),
    }
}

fn target(ty: &Type) -> Option<usize> {
    match ty {
        Type::Named(id) => Some(id.index()),
        Type::Secret(inner) => target(inner),
        _ => None,
    }
}
