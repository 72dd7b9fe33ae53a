//! From differences to groups: one for each place in the spec that causes any, however many items differ because of it.

use std::collections::{BTreeMap, BTreeSet};

use super::change::Difference;
use super::differences::Found;
use super::what::What;
use crate::items::{MemberKind, PublicApi};

/// Groups differences by their causes.
pub(super) fn grouped(found: Vec<Found>, old: &PublicApi) -> Vec<Vec<Difference>> {
    let mut groups: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for Found { cause, difference } in found {
        if seen.insert((cause.clone(), difference.id.clone(), difference.what.word())) {
            groups.entry(cause).or_default().push(difference);
        }
    }
    // The contents of something that has changed have changed with it.
    let inner: Vec<String> = groups
        .iter()
        .filter(|(_, group)| follows(group, old))
        .map(|(cause, _)| cause.clone())
        .collect();
    for cause in inner {
        let mut outer = cause.rmatch_indices('/').map(|(at, _)| &cause[..at]);
        if let Some(outer) = outer.find(|outer| groups.contains_key(*outer)) {
            let moved = groups.remove(&cause).unwrap_or_default();
            groups.entry(outer.to_owned()).or_default().extend(moved);
        }
    }
    groups.into_values().collect()
}

/// Returns whether a group is the loss of something that has no name of its own in the spec.
fn follows(group: &[Difference], old: &PublicApi) -> bool {
    let is_inline = |difference: &Difference| {
        let item = old.items.get(&difference.owner);
        difference.kind == MemberKind::Whole
            && difference.owner.is_model()
            && matches!(difference.what, What::Removed(_) | What::Renamed { .. })
            && item.is_some_and(|item| item.schema.is_none())
    };
    let is_setter = |difference: &Difference| {
        matches!(difference.what, What::Removed(_)) && difference.kind == MemberKind::Method
    };
    group.iter().any(is_inline) || group.iter().all(is_setter)
}
