//! From differences to groups: one for each place in the spec that causes any, however many items differ because of it,
//! one for a resource that is removed as a whole, and one for what a request sends otherwise although programs compile.

use std::collections::{BTreeMap, BTreeSet};

use super::change::Difference;
use super::differences::Found;
use super::uses::Uses;
use super::what::{Class, Replacement, What};
use crate::items::{Item, MemberKind, Path, PublicApi};

/// Groups differences by their causes.
pub(super) fn grouped(found: Vec<Found>, old: &PublicApi, uses: &Uses<'_>) -> Vec<Vec<Difference>> {
    let mut groups: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (cause, difference) in found {
        if seen.insert((cause.clone(), difference.id.clone(), difference.verdict().word)) {
            groups.entry(cause).or_default().push(difference);
        }
    }
    // Places within a changed place have changed with it, as have all places within an operation that has moved.
    let is_moved = |group: &[Difference]| {
        group.iter().any(|difference| matches!(difference.what, What::Moved { .. }))
    };
    let moved: BTreeSet<String> =
        groups.iter().filter(|(_, it)| is_moved(it)).map(|(cause, _)| cause.clone()).collect();
    let causes: Vec<(String, bool)> =
        groups.iter().map(|(cause, group)| (cause.clone(), follows(group, old))).collect();
    for (cause, follows) in causes {
        let mut outer = cause.rmatch_indices('/').map(|(at, _)| &cause[..at]);
        let own = groups.get(&cause).map_or(&[][..], Vec::as_slice);
        // A request that has only another name still has its setters. The types within a renamed one are renamed with it.
        let lost = own.iter().filter(|_| renamed(own).is_empty());
        let owners: BTreeSet<&Path> = lost.map(|difference| &difference.owner).collect();
        let is_outer = |outer: &&str| {
            let Some(group) = groups.get(*outer) else { return false };
            let keeps = renamed(group).iter().any(|path| owners.contains(path));
            (follows && !keeps) || moved.contains(*outer)
        };
        if let Some(outer) = outer.find(is_outer) {
            let moved = groups.remove(&cause).unwrap_or_default();
            groups.entry(outer.to_owned()).or_default().extend(moved);
        }
    }
    let groups = groups.into_iter().flat_map(|(cause, group)| {
        let (results, rest) = of_results(&cause, group);
        let (requests, rest) = of_requests(rest);
        // A new name is not all that an item with another feature needs.
        let is_gated = |it: &Difference| matches!(it.what, What::Gated { .. });
        let (features, rest) = rest.into_iter().partition(is_gated);
        [rest, results, requests, features].into_iter().filter(|group| !group.is_empty())
    });
    merge_services(groups.collect(), old, uses)
}

/// Returns the differences of the result of an operation, and those of its body and its name, which would hide them.
fn of_results(cause: &str, group: Vec<Difference>) -> (Vec<Difference>, Vec<Difference>) {
    let has_body = group.iter().any(|it| it.kind == MemberKind::Body && it.old_place == cause);
    let is_of_result = |it: &Difference| matches!(it.what, What::Output(_) | What::ReplyTypes(_));
    let renamed = renamed(&group);
    let results = group.iter().filter(|it| it.kind == MemberKind::Output && is_of_result(it));
    let hidden = results.map(|it| it.owner.clone()).filter(|it| has_body || renamed.contains(it));
    let requests: BTreeSet<Path> = hidden.collect();
    group.into_iter().partition(|it| is_of_result(it) && requests.contains(&it.owner))
}

/// Returns the items that have another name.
fn renamed(group: &[Difference]) -> BTreeSet<Path> {
    let is_name = |what: &What| matches!(what, What::Renamed(_) | What::Aliased(_));
    let wholes = group.iter().filter(|it| it.kind == MemberKind::Whole && is_name(&it.what));
    wholes.map(|it| it.owner.clone()).collect()
}

/// Returns the differences of requests that programs still send, apart from those that stop programs from compiling: who
/// reads or waives the one has not seen the other.
fn of_requests(group: Vec<Difference>) -> (Vec<Difference>, Vec<Difference>) {
    let has_result = group.iter().any(|difference| difference.kind == MemberKind::Output);
    if group.iter().all(|difference| difference.class() < Class::Breaking) {
        return (Vec::new(), group);
    }
    let is_name = |what: &What| matches!(what, What::Renamed(_));
    let names = group.iter().filter(|it| is_name(&it.what)).map(|it| it.id.clone());
    let names: BTreeSet<String> = names.collect();
    group.into_iter().partition(|difference| {
        if difference.what == What::Wire && names.contains(&difference.id) {
            return true;
        }
        let follows = has_result && matches!(difference.what, What::ReplyTypes(_));
        let is_sent = difference.kind == MemberKind::Operation && !follows;
        let verdict = difference.verdict();
        verdict.is_separate || (is_sent && verdict.class == Class::Wire)
    })
}

/// Merges the removals of a resource, of its operations, and of the types that only they use.
fn merge_services(
    groups: Vec<Vec<Difference>>,
    old: &PublicApi,
    uses: &Uses<'_>,
) -> Vec<Vec<Difference>> {
    let is_lost = |difference: &&Difference| {
        difference.kind == MemberKind::Whole && matches!(difference.what, What::Removed(_))
    };
    let lost: BTreeSet<Path> =
        groups.iter().flatten().filter(is_lost).map(|lost| lost.owner.clone()).collect();
    if !lost.iter().any(Path::is_resource) {
        return groups;
    }
    let mut services: BTreeMap<Path, Vec<Difference>> = BTreeMap::new();
    let mut merged = Vec::new();
    for group in groups {
        match service_of(&group, &lost, uses) {
            Some(handle) => services.entry(handle.clone()).or_default().extend(group),
            None => merged.push(group),
        }
    }
    for (handle, mut group) in services {
        let operations = uses.operations(&handle);
        let types = group
            .iter()
            .filter(is_lost)
            .filter(|lost| {
                lost.owner.is_model() && old.items.get(&lost.owner).is_some_and(Item::is_type)
            })
            .count();
        let name = old.accessor(&handle).map_or(handle.name(), |accessor| accessor.name).to_owned();
        if let Some(main) =
            group.iter_mut().find(|found| is_lost(&&**found) && found.owner == handle)
        {
            let replacement = Replacement::None;
            main.what = What::Service { replacement, name, operations, types };
            main.rank = 0;
        }
        merged.push(group);
    }
    merged
}

/// Returns the handle of the removed resource that a group follows; `None` if other resources have a part in it.
fn service_of<'a>(
    group: &[Difference],
    lost: &BTreeSet<Path>,
    uses: &'a Uses<'_>,
) -> Option<&'a Path> {
    let mut handles = BTreeSet::new();
    for difference in group {
        if !matches!(difference.what, What::Removed(_) | What::Unsent | What::Trait) {
            return None;
        }
        if difference.owner.is_model() || difference.owner.is_resource() {
            handles.extend(uses.handles(&difference.owner));
        }
    }
    let first = handles.first().copied()?;
    handles.iter().all(|handle| lost.contains(*handle)).then_some(first)
}

/// Returns whether a group is the removal of an item without its own name in the spec.
fn follows(group: &[Difference], old: &PublicApi) -> bool {
    let is_inline = |difference: &Difference| {
        let item = old.items.get(&difference.owner);
        difference.kind == MemberKind::Whole
            && difference.owner.is_model()
            && matches!(difference.what, What::Removed(_) | What::Renamed(_))
            && item.is_some_and(|item| item.schema.is_none())
    };
    let is_setter = |difference: &Difference| {
        matches!(difference.what, What::Removed(_)) && difference.kind == MemberKind::Method
    };
    group.iter().any(is_inline) || group.iter().all(is_setter)
}
