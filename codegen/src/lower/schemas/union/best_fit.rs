//! The best fit, which decides between the branches that no rule distinguishes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::questions::{Set, of_kind};
use super::rules::Rules;
use crate::facts::{Facts, Known, Values};
use crate::ir::{Candidate, CandidateProperty, JsonKind, Kinds, Rule, RuleId};

impl<'d> Rules<'_, 'd> {
    /// Returns the rule of the best fit. Of branches that fit equally, the smallest is first.
    pub fn fit(&mut self, level: usize, set: &[usize]) -> Option<RuleId> {
        if self.levels[level].is_of_property {
            return None;
        }
        if !self.fits.contains_key(&(level, set.to_vec())) {
            let facts = self.facts(level);
            let size = set.iter().map(|&index| 1 + size(&facts[index])).sum();
            let Some(left) = self.left.checked_sub(size) else { return self.rest(level) };
            self.left = left;
        }
        Some(self.fitted(level, set))
    }

    /// Returns the best fit of all branches, which decides what is left when the rules become too large.
    pub fn rest(&mut self, level: usize) -> Option<RuleId> {
        if self.levels[level].is_of_property {
            return None;
        }
        let all: Set = (0..self.branches.len()).collect();
        let all = of_kind(self.facts(level), &all, JsonKind::Object);
        Some(self.fitted(level, &all))
    }

    fn fitted(&mut self, level: usize, set: &[usize]) -> RuleId {
        if let Some(known) = self.fits.get(&(level, set.to_vec())) {
            return *known;
        }
        let (by_size, named) = self.by_size(level, set);
        let facts = self.facts(level);
        let candidates = by_size.iter().map(|&it| candidate(it, &facts[it], &named));
        let candidates = candidates.collect();
        let id = self.written.add(Rule::Fit(candidates));
        self.fits.insert((level, set.to_vec()), id);
        id
    }

    pub fn by_size(&self, level: usize, set: &[usize]) -> (Set, Named<'d>) {
        let facts = self.facts(level);
        let named = named(facts, set);
        let mut set = set.to_vec();
        set.sort_by_cached_key(|&index| {
            (rank(&facts[index], &named, self.reading), &self.branches[index].key)
        });
        (set, named)
    }

    /// Finds the branches that fit equally. Branches that are ambiguous only without a tag, or without what is within a
    /// property, have no warning, because that distinguishes them.
    pub fn find_ambiguous_fits(&mut self) {
        let mut open: Vec<RuleId> = self.written.kinds.iter().map(|(_, id)| *id).collect();
        let mut reached = BTreeSet::new();
        while let Some(id) = open.pop() {
            if reached.insert(id) {
                let rule = self.written.get(id);
                let unsure = match rule {
                    Rule::Tag(tag) if tag.otherwise != tag.missing => tag.missing,
                    Rule::Items(items) if self.decides(id) => items.otherwise,
                    _ => None,
                };
                open.extend(rule.next().into_iter().filter(|next| Some(*next) != unsure));
            }
        }
        for ((level, set), id) in &self.fits {
            let facts = &self.levels[*level].facts;
            for (position, &one) in set.iter().enumerate().filter(|_| reached.contains(id)) {
                let others = set[position + 1..].iter();
                let alike = others.filter(|&&other| is_ambiguous(&facts[one], &facts[other]));
                self.ambiguous.extend(alike.map(|&other| [one, other]));
            }
        }
    }

    /// Returns groups of branches, no two of which a rule distinguishes, until each ambiguous branch is in one.
    pub fn ambiguous_groups(&self) -> Vec<BTreeSet<usize>> {
        let mut groups: Vec<BTreeSet<usize>> = Vec::new();
        for pair in &self.ambiguous {
            let is_named = |index: &usize| groups.iter().any(|group| group.contains(index));
            if !pair.iter().all(is_named) {
                let mut group = BTreeSet::from(*pair);
                for index in 0..self.branches.len() {
                    let is_alike =
                        |it: &usize| self.ambiguous.contains(&[index.min(*it), index.max(*it)]);
                    if group.iter().all(is_alike) {
                        group.insert(index);
                    }
                }
                groups.push(group);
            }
        }
        groups
    }

    /// Returns whether a rule within a property leaves no object that matches a branch to the object around it.
    fn decides(&self, id: RuleId) -> bool {
        let all = |kinds: &Kinds| kinds.iter().all(|(_, id)| self.decides(*id));
        match self.written.get(id) {
            Rule::Variant(_) => true,
            Rule::Tag(tag) => [tag.otherwise, tag.missing] == [None; 2],
            Rule::Required(_, otherwise) => otherwise.is_none(),
            Rule::Property(_, kinds, missing) => missing.is_none() && all(kinds),
            Rule::Items(items) => items.is_object && all(&items.kinds),
            Rule::Fit(_) => false,
        }
    }
}

/// Returns the rank of a branch of several ones, apart from its key. The smallest rank is first. A date-time is
/// recognized, so that a branch with any text is for the others. More properties with constants, and fewer constants, are
/// narrower. All values of a branch of integers may belong to a branch of numbers, but not the other way round.
fn rank<'d>(facts: &Facts<'d>, named: &Named<'_>, known: &Known<'d>) -> impl Ord + use<> {
    let times = facts.properties.iter().filter(|(_, property)| property.values.is_time());
    let times = times.filter(|(name, _)| named[**name].others > 0).count();
    let constants = facts.properties.values().filter_map(|values| values.constants.as_ref());
    let fixed = constants.clone().count();
    let constants: usize = constants.map(BTreeSet::len).sum();
    (facts.properties.len(), Reverse(times), known.narrow_places(facts), Reverse(fixed), constants)
}

pub fn size(facts: &Facts<'_>) -> usize {
    let constants = facts.properties.values().flat_map(|values| &values.constants);
    facts.properties.len() + constants.map(BTreeSet::len).sum::<usize>()
}

/// Returns whether two branches declare the same properties with overlapping values.
fn is_ambiguous(one: &Facts<'_>, other: &Facts<'_>) -> bool {
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

/// What branches say of the properties of a name.
pub struct Among {
    /// Whether their kinds differ, or only some are times.
    differs: bool,
    /// The number of branches in which it is not a time.
    others: usize,
    /// Whether each branch has it, as one that can be null.
    is_nullable: bool,
    /// Whether each branch requires it, and one describes it.
    is_required: bool,
}

type Named<'d> = BTreeMap<&'d str, Among>;

/// Reads branches once: to compare each with all others takes the cube of their number.
fn named<'d>(facts: &[Facts<'d>], set: &[usize]) -> Named<'d> {
    let all = || set.iter().map(|&index| &facts[index]);
    let names: BTreeSet<&str> =
        all().flat_map(|it| it.properties.keys().chain(&it.required)).copied().collect();
    let among = |name: &'d str| {
        let properties = all().filter_map(|it| it.properties.get(name));
        let values: Vec<_> = properties.map(|it| &it.values).collect();
        let first = values.first().map(|it| (it.kinds(), it.is_time()));
        Among {
            differs: values.iter().any(|it| Some((it.kinds(), it.is_time())) != first),
            others: values.iter().filter(|it| !it.is_time()).count(),
            is_nullable: values.len() == set.len() && values.iter().all(|it| can_be_null(it)),
            is_required: !values.is_empty() && all().all(|it| it.required.contains(name)),
        }
    };
    names.into_iter().map(|name| (name, among(name))).collect()
}

fn can_be_null(values: &Values<'_>) -> bool {
    values.is_nullable() || values.is_any()
}

/// Returns a branch as a candidate among others.
fn candidate(index: usize, facts: &Facts<'_>, named: &Named<'_>) -> Candidate {
    let property = |name: &str, is_required: bool| {
        let property = facts.properties.get(name);
        let values = property.map(|property| &property.values);
        let among = &named[name];
        let kinds = values.filter(|_| among.differs).map(Values::kinds);
        let constants = property.and_then(|property| property.constants.as_ref());
        CandidateProperty {
            name: name.to_owned(),
            is_required,
            is_nullable: values.is_some_and(can_be_null) && !among.is_nullable,
            kinds: kinds.into_iter().flatten().collect(),
            is_time: values.is_some_and(Values::is_time),
            constants: constants.into_iter().flatten().cloned().collect(),
        }
    };
    // What all require tells none of them apart: a schema around them can require what only others describe.
    let is_of_others =
        |name: &&&str| !facts.properties.contains_key(**name) && named[**name].is_required;
    let required = facts.required.iter().filter(|name| !is_of_others(name));
    let required = required.map(|name| property(name, true));
    let others = facts.properties.keys().filter(|name| !facts.required.contains(*name));
    let properties = required.chain(others.map(|name| property(name, false)));
    Candidate { variant: index, properties: properties.collect(), is_closed: facts.is_closed }
}
