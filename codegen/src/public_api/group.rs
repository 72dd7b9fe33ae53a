//! From differences to changes: one for each place in the spec that causes any, however many items differ because of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::causes::Causes;
use super::change::{Change, Class, Comparison, Difference, What};
use super::compare::Differences;
use super::renames::Renames;
use super::uses::Uses;
use super::{ALIAS, ItemKind, MemberKind, Part, PublicApi};

/// Compares two revisions of a crate.
pub fn compare(old: &PublicApi, new: &PublicApi) -> Comparison {
    let renames = Renames::between(old, new);
    let causes = Causes::of(old, new, &renames);
    let Differences { found, respelled, documentation, .. } =
        Differences::between(old, new, &renames, &causes);
    let uses = Uses::of(old);
    let groups = grouped(found, old).into_values();
    let mut changes: Vec<Change> = groups.filter_map(|group| change(group, &uses)).collect();
    changes.extend(library(old, new));
    changes.sort_by_cached_key(|change| {
        (Reverse(change.class), change.main.owner.clone(), change.main.id.clone())
    });
    let differences = changes.iter().flat_map(Change::differences);
    let explained: BTreeSet<&String> =
        differences.flat_map(|difference| [&difference.old_place, &difference.new_place]).collect();
    let mut additions = additions(old, new, &renames, &causes);
    additions.retain(|Change { main, .. }| {
        main.new_place.is_empty() || !explained.contains(&main.new_place)
    });
    Comparison { changes, additions, respelled, documentation }
}

/// Returns the change of the crate's name.
fn library(old: &PublicApi, new: &PublicApi) -> Option<Change> {
    let [before, after] = [old, new].map(|api| api.library.clone());
    let main = Difference {
        id: before.clone(),
        what: What::Renamed,
        old: ["crate ", &before].concat(),
        new: ["crate ", &after].concat(),
        detail: after.clone(),
        owner: String::new(),
        kind: MemberKind::Whole,
        rank: 0,
        old_place: String::new(),
        new_place: String::new(),
    };
    (before != after).then(|| Change::of(main))
}

/// Groups differences by their causes.
fn grouped(found: Vec<(String, Difference)>, old: &PublicApi) -> BTreeMap<String, Vec<Difference>> {
    let mut groups: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    for (cause, difference) in found {
        let group = groups.entry(cause).or_default();
        if !group.iter().any(|at| at.id == difference.id && at.what == difference.what) {
            group.push(difference);
        }
    }
    // What is written within something that has changed has changed with it.
    let inner = groups.iter().filter(|(_, group)| follows(group, old));
    let inner: Vec<String> = inner.map(|(cause, _)| cause.clone()).collect();
    for cause in inner {
        let mut outer = cause.rmatch_indices('/').map(|(at, _)| &cause[..at]);
        if let Some(outer) = outer.find(|outer| groups.contains_key(*outer)) {
            let moved = groups.remove(&cause).unwrap_or_default();
            groups.entry(outer.to_owned()).or_default().extend(moved);
        }
    }
    groups
}

/// Returns whether a group is the loss of something that has no name of its own in the spec.
fn follows(group: &[Difference], old: &PublicApi) -> bool {
    let is_inline = |difference: &Difference| {
        let item = old.items.get(&difference.owner);
        difference.kind == MemberKind::Whole
            && difference.owner.starts_with("models::")
            && matches!(difference.what, What::Lost | What::Renamed)
            && item.is_some_and(|item| item.schema.is_none())
    };
    let is_setter = |difference: &Difference| {
        difference.what == What::Lost && difference.kind == MemberKind::Method
    };
    group.iter().any(is_inline) || group.iter().all(is_setter)
}

fn change(mut group: Vec<Difference>, uses: &Uses<'_>) -> Option<Change> {
    group.sort_by_cached_key(|difference| {
        (Reverse(difference.what.class()), difference.rank, difference.id.clone())
    });
    let mut group = group.into_iter();
    let main = group.next()?;
    let class = main.what.class();
    let others = group.filter(|other| other.id != main.id || other.what.class() == Class::Breaking);
    let (others, used_by) = (others.collect(), uses.methods(&main.owner));
    Some(Change { class, main, others, used_by })
}

/// Returns what is new, once for each place.
fn additions(
    old: &PublicApi,
    new: &PublicApi,
    renames: &Renames<'_>,
    causes: &Causes<'_>,
) -> Vec<Change> {
    let mut found: BTreeMap<String, Difference> = BTreeMap::new();
    for part in new.parts() {
        let is_alias = part.item.kind == ItemKind::Alias || part.member.facts.starts_with(ALIAS);
        let is_known = old.part(part.path, part.kind, part.name).is_some();
        let label = label(part, new);
        // What a new item consists of is new with it.
        let is_part = !old.items.contains_key(part.path)
            && part.kind != MemberKind::Whole
            && label != "operation";
        if is_alias || is_known || is_part || renames.is_target(part) {
            continue;
        }
        let added = Difference::of(What::Added, part, None);
        let (new, new_place) = (added.old, added.old_place);
        let (old, old_place, detail) = (String::new(), String::new(), label.to_owned());
        let added = Difference { old, new, detail, old_place, new_place, ..added };
        let cause = causes.first("", &added.new_place, &added.id);
        if found.get(&cause).is_none_or(|other| other.rank > added.rank) {
            found.insert(cause, added);
        }
    }
    found.into_values().map(Change::of).collect()
}

/// Returns what a part is, in the singular.
fn label(part: Part<'_>, api: &PublicApi) -> &'static str {
    let makes = |ty: &String| api.items.get(ty).is_some_and(super::Item::is_request);
    match (part.kind, part.item.kind) {
        (MemberKind::Whole, ItemKind::Struct | ItemKind::Enum) => "type",
        (MemberKind::Whole, ItemKind::Feature) => "feature",
        (MemberKind::Whole, _) => "name",
        (MemberKind::Method, _) if makes(&part.member.ty) => "operation",
        (MemberKind::Method, _) => "method",
        (MemberKind::Field, _) => "field",
        (MemberKind::Variant, _) => "variant",
        (MemberKind::Const, _) => "constant",
        (MemberKind::Trait, _) => "trait",
        _ => "fact",
    }
}
