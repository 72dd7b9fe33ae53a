//! The values that questions are about: the values of a union, and those within them.

use std::collections::BTreeMap;

use super::fits::size;
use super::rules::{Level, Rules};
use crate::facts::{Facts, Read, Within};
use crate::ir::Constant;

/// Maximum size of the facts that are read for one union to find what is within properties.
const MAX_EXPLORED: usize = 200_000;

/// Maximum size of the rules for each branch, next to its properties and constants.
const OF_BRANCH: usize = 4;

/// The size that what is within a property adds for each branch that has it.
const OF_PROPERTY: usize = 8;

impl<'d> Rules<'_, 'd> {
    /// Adds a level. Questions within a property are part of the decision between the objects that have it.
    pub fn add_level(
        &mut self,
        depth: usize,
        is_of_property: bool,
        facts: Vec<Facts<'d>>,
    ) -> usize {
        let size = facts.iter().map(|facts| OF_BRANCH + size(facts)).sum::<usize>();
        self.left += if is_of_property { 0 } else { size };
        self.explored += size;
        self.levels.push(Level { facts, depth, is_of_property, within: BTreeMap::new() });
        self.levels.len() - 1
    }

    /// Returns the level of values within others.
    pub fn within(&mut self, level: usize, place: Within<'d>) -> usize {
        if let Some(known) = self.levels[level].within.get(&place) {
            return *known;
        }
        let Level { depth, is_of_property, .. } = self.levels[level];
        let facts = self.facts(level).iter().map(|facts| facts.within(place)).collect();
        let inner = self.add_level(depth + 1, is_of_property || place != Within::Items, facts);
        if let Within::ItemsOf(property) | Within::ObjectOf(property) = place {
            let has =
                |facts: &&Facts<'d>| !is_of_property && facts.properties.contains_key(property);
            self.left += OF_PROPERTY * self.facts(level).iter().filter(has).count();
        }
        self.levels[level].within.insert(place, inner);
        inner
    }

    /// Returns whether a tag tells more about branches within a property: what only some alternatives of a branch say.
    pub fn have_alternatives(&self, level: usize, set: &[usize]) -> bool {
        let Level { facts, is_of_property, .. } = &self.levels[level];
        let of = |index: &usize| facts[*index].values.objects.as_ref();
        let has_alternatives = |index| of(index).is_some_and(|objects| objects.has_alternatives);
        *is_of_property && set.len() > 1 && set.iter().any(has_alternatives)
    }

    /// Returns the level of the objects with one of some constants of a tag.
    pub fn tagged(&mut self, level: usize, tag: (&str, &[Constant]), set: &[usize]) -> usize {
        if !self.have_alternatives(level, set) || self.is_explored() {
            return level;
        }
        let Level { ref facts, depth, .. } = self.levels[level];
        self.explored += set.iter().map(|&index| size(&facts[index])).sum::<usize>();
        let mut tagged = vec![Facts::NONE; facts.len()];
        for &index in set {
            tagged[index] = facts[index].tagged(tag.0, tag.1);
        }
        self.add_level(depth, true, tagged)
    }

    pub fn is_explored(&self) -> bool {
        self.explored > MAX_EXPLORED
    }

    pub fn facts(&self, level: usize) -> &[Facts<'d>] {
        &self.levels[level].facts
    }
}
