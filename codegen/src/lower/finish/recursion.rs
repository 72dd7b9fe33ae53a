//! Which values must be boxed, because their type would contain itself, and which cannot be required for that reason.

use crate::ir::{Shape, Type, TypeDef, TypeId};
use crate::lower::graph::strongly_connected;

/// Makes every required field optional whose type requires the field's own type in turn: no value of it could ever end.
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
        // The default of a union is empty.
        Shape::Union(_) | Shape::Enum(_) => Vec::new(),
    }
}

/// Boxes every value that lies on a cycle of types containing one another by value, and no other. Lists and maps own
/// their elements through a pointer already.
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

/// How many types may contain one another before the compiler's own limit of 128 steps can be too low.
const MAX_DEPTH: usize = 50;

/// How many steps the compiler may need for one type in another: `Option`, `Vec` or `Box`, and what these consist of.
const STEPS: usize = 8;

/// Returns the `recursion_limit` that the longest chain of types needs, if the compiler's own may be too low. A box does
/// not end a chain, because what drops a box drops its content. A cycle counts as long as it has types.
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
    // What a component leads to has a lower number.
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
