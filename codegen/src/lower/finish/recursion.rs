//! Which values must be boxed, because their type would contain itself, and which cannot be required for that reason.

use crate::ir::{Shape, Type, TypeDef};

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
                object.fields.iter_mut().for_each(|field| field.boxed = on_cycle(&field.ty))
            }
            Shape::Union(union) => {
                union.variants.iter_mut().for_each(|variant| variant.boxed = on_cycle(&variant.ty))
            }
            Shape::Enum(_) => {}
        }
    }
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

/// A node on its way through Tarjan's algorithm, without recursion so that no depth of types can exhaust the stack.
#[derive(Clone, Default)]
struct Visit {
    order: Option<usize>,
    low: usize,
    on_stack: bool,
    component: usize,
}

/// Numbers the strongly connected components of a graph: two nodes have the same number if each reaches the other.
fn strongly_connected(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut visits = vec![Visit::default(); edges.len()];
    let mut stack = Vec::new();
    let (mut next_order, mut next_component) = (0, 0);
    for root in 0..edges.len() {
        if visits[root].order.is_some() {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, edge)) = path.pop() {
            if edge == 0 {
                visits[node] = Visit {
                    order: Some(next_order),
                    low: next_order,
                    on_stack: true,
                    component: 0,
                };
                next_order += 1;
                stack.push(node);
            } else {
                let child = edges[node][edge - 1];
                visits[node].low = visits[node].low.min(visits[child].low);
            }
            let mut descended = false;
            for (index, &child) in edges[node].iter().enumerate().skip(edge) {
                match visits[child].order {
                    None => {
                        path.push((node, index + 1));
                        path.push((child, 0));
                        descended = true;
                        break;
                    }
                    Some(order) if visits[child].on_stack => {
                        visits[node].low = visits[node].low.min(order);
                    }
                    Some(_) => {}
                }
            }
            if !descended && visits[node].order == Some(visits[node].low) {
                while let Some(member) = stack.pop() {
                    visits[member].on_stack = false;
                    visits[member].component = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    visits.into_iter().map(|visit| visit.component).collect()
}
