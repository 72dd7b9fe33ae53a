//! The best fit of the branches of a union.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::ir::{Candidate, CandidateProperty};
use crate::lower::facts::{Facts, Property};

/// Returns the rank of a branch of several ones, apart from its key. The smaller one is first. A date-time is
/// recognized, so that a branch with any text is for the others. All values of a branch of integers may be of one of
/// numbers, but not the other way round.
pub fn rank(facts: &Facts<'_>, all: &[&Facts<'_>]) -> impl Ord + use<> {
    let times = facts.properties.iter().filter(|(_, values)| values.is_time);
    let is_text = |facts: &Facts<'_>, name: &str| {
        facts.properties.get(name).is_some_and(|values| !values.is_time)
    };
    let times = times.filter(|(name, _)| all.iter().any(|facts| is_text(facts, name))).count();
    (facts.properties.len(), Reverse(times), facts.integers())
}

/// Returns the size of a branch in the rules.
pub fn size(facts: &Facts<'_>) -> usize {
    let constants = facts.properties.values().flat_map(|values| &values.constants);
    facts.properties.len() + constants.map(BTreeSet::len).sum::<usize>()
}

/// Returns whether two branches declare the same properties with overlapping values.
pub fn is_ambiguous(one: &Facts<'_>, other: &Facts<'_>) -> bool {
    one.properties.keys().eq(other.properties.keys())
        && one.properties.iter().zip(&other.properties).all(|((name, one_values), (_, values))| {
            let overlaps = !one_values.kinds.is_disjoint(&values.kinds)
                && one_values.is_time == values.is_time
                && match (&one_values.constants, &values.constants) {
                    (Some(one), Some(other)) => !one.is_disjoint(other),
                    _ => true,
                };
            overlaps || !one.required.contains(name) && !other.required.contains(name)
        })
}

/// Returns a branch as a candidate among others.
pub fn candidate(index: usize, facts: &Facts<'_>, all: &[&Facts<'_>]) -> Candidate {
    let differs = |name: &str, values: &Property<'_>| {
        let mut others = all.iter().filter_map(|facts| facts.properties.get(name));
        others.any(|other| other.kinds != values.kinds || other.is_time != values.is_time)
    };
    let property = |name: &str, is_required: bool| {
        let values = facts.properties.get(name);
        let kinds = values.filter(|values| differs(name, values)).map(|values| &values.kinds);
        let constants = values.and_then(|values| values.constants.as_ref());
        CandidateProperty {
            name: name.to_owned(),
            is_required,
            kinds: kinds.into_iter().flatten().copied().collect(),
            is_time: values.is_some_and(|values| values.is_time),
            constants: constants.into_iter().flatten().cloned().collect(),
        }
    };
    let required = facts.required.iter().map(|name| property(name, true));
    let others = facts.properties.keys().filter(|name| !facts.required.contains(*name));
    let properties = required.chain(others.map(|name| property(name, false)));
    Candidate { variant: index, properties: properties.collect(), is_closed: facts.is_closed }
}
