//! The groups of schemas that contain each other: the strongly connected components of the graph of schemas, by Tarjan.

use std::collections::HashMap;

use crate::document::{Schema, SchemaKey};

/// Returns a schema and all schemas in it, in groups that contain each other, each group after those in it. The first schema
/// of a group is its outermost one.
pub fn groups<'d>(
    root: Schema<'d>,
    mut inner: impl FnMut(&Schema<'d>) -> Vec<Schema<'d>>,
) -> Vec<Vec<Schema<'d>>> {
    let mut groups = Vec::new();
    // The lowest number of a schema that contains the one with this number, as far as known; the maximum for a schema with a
    // group.
    let mut lowest: Vec<usize> = Vec::new();
    let mut numbers: HashMap<SchemaKey, usize> = HashMap::new();
    // The schemas without a group, with their numbers.
    let mut waiting: Vec<(usize, Schema<'d>)> = Vec::new();
    // The schemas around the current one, with the schemas in them that are not visited yet, the next one last.
    let mut open: Vec<(usize, Vec<Schema<'d>>)> = vec![(usize::MAX, vec![root])];
    while let Some((number, unvisited)) = open.last_mut() {
        let number = *number;
        if let Some(schema) = unvisited.pop() {
            let next = lowest.len();
            let seen = *numbers.entry(schema.key()).or_insert(next);
            if seen < next {
                lowest[number] = lowest[number].min(lowest[seen]);
                continue;
            }
            let mut schemas = inner(&schema);
            schemas.reverse();
            lowest.push(next);
            waiting.push((next, schema));
            open.push((next, schemas));
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
            groups.push(group.into_iter().map(|(_, schema)| schema).collect());
        } else {
            lowest[outer] = lowest[outer].min(low);
        }
    }
    groups
}
