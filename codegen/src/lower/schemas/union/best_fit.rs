//! The best fit, which decides between the branches that no rule distinguishes.

use std::collections::BTreeSet;

use super::fits::{candidate, is_ambiguous, rank, size};
use super::questions::{Set, of_kind};
use super::rules::Rules;
use crate::facts::Facts;
use crate::ir::{JsonKind, Kinds, Rule, RuleId};

impl<'d> Rules<'_, 'd> {
    /// Returns the rule of the best fit. Of branches that fit equally, the smallest is first.
    pub fn fit(&mut self, level: usize, set: &[usize]) -> Option<RuleId> {
        if self.levels[level].is_of_property {
            return None;
        }
        if let Some(known) = self.fits.get(&(level, set.to_vec())) {
            return Some(*known);
        }
        let facts = self.facts(level);
        let size = set.iter().map(|&index| 1 + size(&facts[index])).sum();
        match self.left.checked_sub(size) {
            Some(left) => self.left = left,
            None => return self.rest(level),
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
        match self.fits.get(&(level, all.clone())) {
            Some(known) => Some(*known),
            None => Some(self.fitted(level, &all)),
        }
    }

    fn fitted(&mut self, level: usize, set: &[usize]) -> RuleId {
        let by_size = self.by_size(level, set);
        let facts = self.facts(level);
        let all: Vec<&Facts<'d>> = by_size.iter().map(|&index| &facts[index]).collect();
        let candidates = by_size.iter().map(|&index| candidate(index, &facts[index], &all));
        let candidates = candidates.collect();
        let id = self.written.add(Rule::Fit(candidates));
        self.fits.insert((level, set.to_vec()), id);
        id
    }

    /// Sorts branches by their size.
    pub fn by_size(&self, level: usize, set: &[usize]) -> Set {
        let facts = self.facts(level);
        let all: Vec<&Facts<'d>> = set.iter().map(|&index| &facts[index]).collect();
        let mut set = set.to_vec();
        set.sort_by_cached_key(|&index| {
            (rank(&facts[index], &all, self.reading), &self.branches[index].key)
        });
        set
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
