//! Graphs, as lists of the successors of each node.

/// The state of a node in Tarjan's algorithm, which is iterative: deeply nested types must not exhaust the stack.
#[derive(Clone, Default)]
struct Visit {
    order: Option<usize>,
    low: usize,
    on_stack: bool,
    component: usize,
}

/// Numbers the strongly connected components of a graph: two nodes have the same number if each reaches the other.
pub fn strongly_connected(edges: &[Vec<usize>]) -> Vec<usize> {
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
