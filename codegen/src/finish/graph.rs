//! Graphs, as lists of the successors of each node.

/// Numbers the strongly connected components of a graph: two nodes have the same number if each reaches the other. The
/// successors of a component have lower numbers.
///
/// This is Kosaraju's algorithm without recursion: deeply nested types must not exhaust the stack.
pub fn strongly_connected(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (node, targets) in edges.iter().enumerate() {
        for &target in targets {
            reversed[target].push(node);
        }
    }
    let mut components: Vec<Option<usize>> = vec![None; edges.len()];
    let mut count = 0;
    for root in finished(&reversed).into_iter().rev() {
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            if components[node].is_none() {
                components[node] = Some(count);
                waiting.extend(&edges[node]);
            }
        }
        count += usize::from(components[root] == Some(count));
    }
    components.into_iter().flatten().collect()
}

/// Returns the nodes in the order in which a depth-first search finishes them.
fn finished(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut is_seen = vec![false; edges.len()];
    let mut finished = Vec::with_capacity(edges.len());
    for root in 0..edges.len() {
        let mut path = vec![(root, None)];
        while let Some((node, next)) = path.pop() {
            let next = match next {
                None if std::mem::replace(&mut is_seen[node], true) => continue,
                next => next.unwrap_or(0),
            };
            match edges[node].get(next) {
                Some(&child) => path.extend([(node, Some(next + 1)), (child, None)]),
                None => finished.push(node),
            }
        }
    }
    finished
}
