//! Security requirements: which schemes operations need, and which of them can replace each other everywhere.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use super::declared::Declared;
use crate::diagnostics::{Code, Place};
use crate::document::View;
use crate::ir::{Alternatives, Requirement, SentAs};
use crate::lower::Context;

/// Maximum number of sets for a document without requirements that are combined with one more scheme.
const MAX_SETS: usize = 16;

/// Returns the requirements that the document or an operation has itself, by the indexes of the keys. A key that is not
/// declared, which is reported elsewhere, has an index after the last.
pub fn own(view: &View<'_>, keys: &[String]) -> Option<Alternatives> {
    view.child("security")?;
    let sets = view.list("security").map(|set| {
        let requirements = set.clone().members().map(|(key, _)| {
            let scheme = keys.iter().position(|other| other == key).unwrap_or(keys.len());
            let mut scopes: Vec<String> = set.texts(key).map(str::to_owned).collect();
            scopes.sort();
            scopes.dedup();
            Requirement { scheme, scopes }
        });
        requirements.collect()
    });
    Some(sets.collect())
}

/// Returns the requirements of a document that has none: schemes that fit into one request, largest sets first.
pub fn of_any(declared: &[Option<Declared<'_, '_>>]) -> Alternatives {
    let mut places: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (scheme, declared) in declared.iter().enumerate() {
        let place = declared.as_ref().map(|declared| wire(&declared.place));
        places.entry(place).or_default().push(scheme);
    }
    let mut sets = Alternatives::from([Vec::new()]);
    for schemes in places.into_values() {
        let others = sets[..if sets.len() > MAX_SETS { 1 } else { sets.len() }].to_vec();
        for scheme in schemes {
            let requirement = Requirement { scheme, scopes: Vec::new() };
            sets.extend(
                others.iter().map(|set| [set.as_slice(), slice::from_ref(&requirement)].concat()),
            );
        }
    }
    for set in &mut sets {
        set.sort_unstable();
    }
    sets.sort_by_cached_key(|set| (Reverse(set.len()), set.clone()));
    sets
}

/// Simplifies requirements: schemes that can replace each other everywhere are merged into the first, and sets whose
/// schemes are sent in the same place become alternatives. Returns the remaining schemes, each with the schemes that it
/// replaces.
pub fn simplify<'s, 'c, 'd>(
    all: &mut [&mut Alternatives],
    declared: &'s [Option<Declared<'c, 'd>>],
    context: &Context<'_>,
) -> Vec<Vec<&'s Declared<'c, 'd>>> {
    let place = |scheme: usize| declared.get(scheme)?.as_ref().map(|declared| &declared.place);
    let is_sendable = |requirement: &Requirement| place(requirement.scheme).is_some();
    for alternatives in &mut *all {
        // The empty set makes the others optional, whatever they are (OpenAPI 3.1.1 §4.8.30).
        let is_optional = alternatives.iter().any(Vec::is_empty);
        alternatives.retain(|set| !set.is_empty());
        let is_complete = |set: &Vec<Requirement>| set.iter().all(is_sendable);
        if alternatives.iter().any(is_complete) {
            alternatives.retain(is_complete);
        }
        // The rest of each incomplete set is still needed.
        for set in alternatives.iter_mut() {
            set.retain(is_sendable);
        }
        if alternatives.iter().any(|set| !set.is_empty()) {
            alternatives.retain(|set| !set.is_empty());
        }
        if is_optional {
            alternatives.push(Vec::new());
        }
    }
    separate(all, declared, context);
    let mut groups: Vec<Vec<usize>> = (0..declared.len()).map(|index| vec![index]).collect();
    for (first, group) in groups.iter_mut().enumerate() {
        for second in first + 1..declared.len() {
            if place(first) == place(second) && are_interchangeable(first, second, all) {
                for scheme in schemes(all).filter(|scheme| **scheme == second) {
                    *scheme = first;
                }
                group.push(second);
            }
        }
    }
    for alternatives in &mut *all {
        tidy(alternatives);
    }
    let used: BTreeSet<usize> = schemes(all).map(|scheme| *scheme).collect();
    let used: Vec<usize> = used.into_iter().collect();
    for scheme in schemes(all) {
        *scheme = used.binary_search(scheme).unwrap_or_default();
    }
    let group = |scheme: &usize| {
        groups[*scheme].iter().filter_map(|scheme| declared.get(*scheme)?.as_ref()).collect()
    };
    used.iter().map(group).collect()
}

fn schemes<'a>(all: &'a mut [&mut Alternatives]) -> impl Iterator<Item = &'a mut usize> {
    let requirements = all.iter_mut().flat_map(|alternatives| alternatives.iter_mut().flatten());
    requirements.map(|requirement| &mut requirement.scheme)
}

/// Replaces each set with several schemes that are sent in the same place by a set for each of these.
fn separate(
    all: &mut [&mut Alternatives],
    declared: &[Option<Declared<'_, '_>>],
    context: &Context<'_>,
) {
    let mut reported = BTreeSet::new();
    let wire = |scheme: usize| declared.get(scheme)?.as_ref().map(|declared| wire(&declared.place));
    for alternatives in all {
        let mut separated = Vec::with_capacity(alternatives.len());
        let mut waiting: Vec<Vec<Requirement>> = alternatives.drain(..).rev().collect();
        while let Some(set) = waiting.pop() {
            let pairs = set.iter().enumerate().flat_map(|(index, first)| {
                set[index + 1..].iter().map(move |second| (first.scheme, second.scheme))
            });
            let mut pairs = pairs.filter(|(first, second)| first != second);
            let Some((first, second)) = pairs.find(|(first, second)| wire(*first) == wire(*second))
            else {
                separated.push(set);
                continue;
            };
            if reported.insert((first, second))
                && let (Some(one), Some(other)) = (&declared[first], &declared[second])
            {
                let message = format!(
                    "`{}` and `{}` are sent in the same place, so a request contains only one of them",
                    one.key, other.key
                );
                context
                    .report(Code::SecurityPlace, Place::key(&one.pointer), message)
                    .related(Place::key(&other.pointer), "the other one")
                    .help("write them as alternatives: as two items of `security`");
            }
            let without = |left_out: usize| {
                let rest = set.iter().filter(|requirement| requirement.scheme != left_out);
                rest.cloned().collect()
            };
            waiting.extend([without(first), without(second)]);
        }
        **alternatives = separated;
    }
}

/// Returns the place in a request that two credentials cannot share.
fn wire(place: &SentAs) -> (&str, String) {
    match place {
        SentAs::Bearer | SentAs::Basic | SentAs::Http(_) => ("header", "authorization".to_owned()),
        SentAs::Header(name) => ("header", name.to_ascii_lowercase()),
        SentAs::Query(name) => ("query", name.clone()),
        SentAs::Cookie(name) => ("cookie", name.clone()),
        SentAs::Certificate => ("connection", String::new()),
    }
}

/// Returns whether one scheme is needed wherever the other is, and the other way round.
fn are_interchangeable(first: usize, second: usize, all: &[&mut Alternatives]) -> bool {
    let swapped = |scheme: usize| match scheme {
        _ if scheme == first => second,
        _ if scheme == second => first,
        _ => scheme,
    };
    let sets = |alternatives: &Alternatives, name: &dyn Fn(usize) -> usize| {
        let set = |set: &Vec<Requirement>| {
            set.iter().map(|requirement| name(requirement.scheme)).collect()
        };
        alternatives.iter().map(set).collect::<BTreeSet<BTreeSet<usize>>>()
    };
    all.iter()
        .all(|alternatives| sets(alternatives, &|scheme| scheme) == sets(alternatives, &swapped))
}

/// Removes repeated schemes and sets, and a set without scopes if there is the same with scopes: the tokens of both are
/// sent by one method. The sets stay in the order of the document.
fn tidy(alternatives: &mut Alternatives) {
    for set in alternatives.iter_mut() {
        set.sort_unstable();
        set.dedup();
    }
    let scoped: BTreeSet<Vec<usize>> = alternatives
        .iter()
        .filter(|set| set.iter().any(|requirement| !requirement.scopes.is_empty()))
        .map(|set| set.iter().map(|requirement| requirement.scheme).collect())
        .collect();
    let mut seen = BTreeSet::new();
    alternatives.retain(|set| {
        let schemes: Vec<usize> = set.iter().map(|requirement| requirement.scheme).collect();
        let is_bare = set.iter().all(|requirement| requirement.scopes.is_empty());
        !(is_bare && scoped.contains(&schemes)) && seen.insert(set.clone())
    });
}
