//! Graphs: the groups of nodes that lead to each other, which are the strongly connected components, by Tarjan.

use std::collections::HashMap;
use std::hash::Hash;

/// Returns some nodes and all that they lead to, in groups that lead to each other, each group after those that it leads to.
/// The first node of a group is the one that was found first. `key` identifies nodes.
pub fn groups<N, K: Eq + Hash>(
    roots: Vec<N>,
    key: impl Fn(&N) -> K,
    mut next: impl FnMut(&N) -> Vec<N>,
) -> Vec<Vec<N>> {
    let mut groups = Vec::new();
    // The lowest number of a node that leads to the one with this number, as far as known; the maximum for a node with a
    // group.
    let mut lowest: Vec<usize> = Vec::new();
    let mut numbers: HashMap<K, usize> = HashMap::new();
    // The nodes without a group, with their numbers.
    let mut waiting: Vec<(usize, N)> = Vec::new();
    // The nodes on the way to the current one, with the nodes that they lead to and that are not visited yet, the next one
    // last.
    let mut open: Vec<(usize, Vec<N>)> = vec![(usize::MAX, roots)];
    while let Some((number, unvisited)) = open.last_mut() {
        let number = *number;
        if let Some(node) = unvisited.pop() {
            let new = lowest.len();
            let seen = *numbers.entry(key(&node)).or_insert(new);
            if seen < new {
                let of_seen = lowest[seen];
                lowest.get_mut(number).into_iter().for_each(|low| *low = of_seen.min(*low));
                continue;
            }
            let mut nodes = next(&node);
            nodes.reverse();
            lowest.push(new);
            waiting.push((new, node));
            open.push((new, nodes));
            continue;
        }
        open.pop();
        let (Some(&low), Some(&(outer, _))) = (lowest.get(number), open.last()) else { break };
        if low == number {
            let start = waiting.partition_point(|(waiting, _)| *waiting < number);
            let group: Vec<_> = waiting.drain(start..).collect();
            for (member, _) in &group {
                lowest[*member] = usize::MAX;
            }
            groups.push(group.into_iter().map(|(_, node)| node).collect());
        } else {
            lowest[outer] = lowest[outer].min(low);
        }
    }
    groups
}
