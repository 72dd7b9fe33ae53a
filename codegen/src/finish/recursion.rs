//! Recursive types: decides which values are boxed, and which cannot be required.

use std::collections::HashMap;

use crate::graph::groups;
use crate::ir::{Shape, Type, TypeDef, TypeId};

/// Makes the fields on cycles of required fields optional, because their values would be infinite.
pub fn relax_required_cycles(types: &mut [TypeDef]) {
    let on_cycle = on_cycles(types, |shape| match shape {
        Shape::Struct(object) => object.required().map(|field| &field.ty).collect(),
        // The default of a union has no value.
        Shape::Union(_) | Shape::Enum(_) | Shape::Reply(_) => Vec::new(),
    });
    for (index, definition) in types.iter_mut().enumerate() {
        if let Shape::Struct(object) = &mut definition.shape {
            for field in &mut object.fields {
                field.required = field.required && !on_cycle(index, &field.ty);
            }
        }
    }
}

/// Boxes the values on cycles of types that contain one another by value. Lists and maps need no box: their elements
/// are on the heap.
pub fn box_cycles(types: &mut [TypeDef]) {
    let on_cycle = on_cycles(types, |shape| match shape {
        Shape::Struct(object) => object.fields.iter().map(|field| &field.ty).collect(),
        Shape::Union(union) => union.variants.iter().map(|variant| &variant.ty).collect(),
        Shape::Enum(_) | Shape::Reply(_) => Vec::new(),
    });
    for (index, definition) in types.iter_mut().enumerate() {
        match &mut definition.shape {
            Shape::Struct(object) => {
                for field in &mut object.fields {
                    field.boxed = on_cycle(index, &field.ty);
                }
            }
            Shape::Union(union) => {
                for variant in &mut union.variants {
                    variant.boxed = on_cycle(index, &variant.ty);
                }
            }
            Shape::Enum(_) | Shape::Reply(_) => {}
        }
    }
}

/// Returns whether a type, by its index, and one that it contains are on a cycle, given the types in a shape.
fn on_cycles(
    types: &[TypeDef],
    contained: fn(&Shape) -> Vec<&Type>,
) -> impl Fn(usize, &Type) -> bool + use<> {
    let edges =
        types.iter().map(|it| contained(&it.shape).into_iter().filter_map(target).collect());
    let edges: Vec<Vec<usize>> = edges.collect();
    let group = numbers(&groups_of(&edges));
    move |index, ty| target(ty).is_some_and(|target| group.get(&target) == group.get(&index))
}

/// Returns types, by their indexes, in groups that contain each other, each group after those in it.
fn groups_of(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    groups((0..edges.len()).collect(), |index| *index, |index| edges[*index].clone())
}

fn numbers(groups: &[Vec<usize>]) -> HashMap<usize, usize> {
    let groups = groups.iter().enumerate();
    groups.flat_map(|(number, types)| types.iter().map(move |ty| (*ty, number))).collect()
}

/// Maximum nesting of types for which the compiler's default limit of 128 steps is high enough: a level that is an optional
/// list takes five.
const MAX_DEPTH: usize = 20;

/// The steps that the compiler may need per level: `Option`, `Vec` or `Box`, and their parts.
const STEPS: usize = 8;

/// Returns the `recursion_limit` that the longest chain of types needs, if the default may be too low. A box does not
/// end a chain, because dropping a box drops its content. A cycle counts as many levels as it has types.
pub fn limit(types: &[TypeDef]) -> Option<usize> {
    let edges: Vec<Vec<usize>> = types
        .iter()
        .map(|definition| definition.shape.types().into_iter().map(TypeId::index).collect())
        .collect();
    let groups = groups_of(&edges);
    let numbers = numbers(&groups);
    let mut depths: Vec<usize> = Vec::new();
    for members in &groups {
        // The group itself has no depth yet.
        let inner = members.iter().flat_map(|&member| &edges[member]);
        let below = inner.filter_map(|inner| depths.get(*numbers.get(inner)?)).max();
        depths.push(members.len() + below.unwrap_or(&0));
    }
    let depth = depths.into_iter().max().filter(|&depth| depth > MAX_DEPTH)?;
    Some((depth * STEPS).next_power_of_two())
}

fn target(ty: &Type) -> Option<usize> {
    match ty {
        Type::Named(id) => Some(id.index()),
        Type::Secret(inner) => target(inner),
        _ => None,
    }
}
