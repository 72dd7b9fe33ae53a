//! The best fit of the branches of a union.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::facts::{Facts, Known, Values};
use crate::ir::{Candidate, CandidateProperty};

/// Returns the rank of a branch of several ones, apart from its key. The smallest rank is first. A date-time is
/// recognized, so that a branch with any text is for the others. More properties with constants, and fewer constants, are
/// narrower. All values of a branch of integers may belong to a branch of numbers, but not the other way round.
pub fn rank<'d>(facts: &Facts<'d>, all: &[&Facts<'d>], known: &Known<'d>) -> impl Ord + use<> {
    let times = facts.properties.iter().filter(|(_, property)| property.values.is_time());
    let is_text = |facts: &Facts<'_>, name: &str| {
        facts.properties.get(name).is_some_and(|property| !property.values.is_time())
    };
    let times = times.filter(|(name, _)| all.iter().any(|facts| is_text(facts, name))).count();
    let constants = facts.properties.values().filter_map(|values| values.constants.as_ref());
    let fixed = constants.clone().count();
    let constants: usize = constants.map(BTreeSet::len).sum();
    (facts.properties.len(), Reverse(times), known.narrow_places(facts), Reverse(fixed), constants)
}

/// Returns the size of a branch in the rules.
pub fn size(facts: &Facts<'_>) -> usize {
    let constants = facts.properties.values().flat_map(|values| &values.constants);
    facts.properties.len() + constants.map(BTreeSet::len).sum::<usize>()
}

/// Returns whether two branches declare the same properties with overlapping values.
pub fn is_ambiguous(one: &Facts<'_>, other: &Facts<'_>) -> bool {
    one.properties.keys().eq(other.properties.keys())
        && one.properties.iter().zip(&other.properties).all(|((name, mine), (_, theirs))| {
            let overlaps = mine.values.overlaps(&theirs.values)
                && mine.values.is_time() == theirs.values.is_time()
                && match (&mine.constants, &theirs.constants) {
                    (Some(mine), Some(theirs)) => !mine.is_disjoint(theirs),
                    _ => true,
                };
            overlaps || !one.required.contains(name) && !other.required.contains(name)
        })
}

/// Returns a branch as a candidate among others.
pub fn candidate(index: usize, facts: &Facts<'_>, all: &[&Facts<'_>]) -> Candidate {
    let differs = |name: &str, values: &Values<'_>| {
        let mut others = all.iter().filter_map(|facts| facts.properties.get(name));
        others.any(|other| {
            other.values.kinds() != values.kinds() || other.values.is_time() != values.is_time()
        })
    };
    let is_nullable = |facts: &Facts<'_>, name: &str| {
        let property = facts.properties.get(name);
        property.is_some_and(|it| it.values.is_nullable() || it.values.is_any())
    };
    let property = |name: &str, is_required: bool| {
        let property = facts.properties.get(name);
        let values = property.map(|property| &property.values);
        let kinds = values.filter(|values| differs(name, values)).map(Values::kinds);
        let constants = property.and_then(|property| property.constants.as_ref());
        CandidateProperty {
            name: name.to_owned(),
            is_required,
            is_nullable: is_nullable(facts, name) && !all.iter().all(|it| is_nullable(it, name)),
            kinds: kinds.into_iter().flatten().collect(),
            is_time: values.is_some_and(Values::is_time),
            constants: constants.into_iter().flatten().cloned().collect(),
        }
    };
    // What all require tells none of them apart: a schema around them can require what only others describe.
    let is_of_others = |name: &&&str| {
        !facts.properties.contains_key(**name)
            && all.iter().all(|other| other.required.contains(**name))
            && all.iter().any(|other| other.properties.contains_key(**name))
    };
    let required = facts.required.iter().filter(|name| !is_of_others(name));
    let required = required.map(|name| property(name, true));
    let others = facts.properties.keys().filter(|name| !facts.required.contains(*name));
    let properties = required.chain(others.map(|name| property(name, false)));
    Candidate { variant: index, properties: properties.collect(), is_closed: facts.is_closed }
}
