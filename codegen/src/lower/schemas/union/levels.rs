//! The values that questions are about: the values of a union, and those within them.

use super::best_fit::size;
use super::rules::{Level, Rules};
use crate::facts::{Facts, Within};
use crate::ir::Constant;

/// Maximum size of the facts that are read for one union to find what is within properties.
const MAX_EXPLORED: usize = 200_000;

/// Maximum size of the rules for each branch, next to its properties and constants.
const OF_BRANCH: usize = 4;

/// The size that what is within a property adds for each branch that has it.
const OF_PROPERTY: usize = 8;

impl<'d> Rules<'_, 'd> {
    /// Adds a level. Questions within a property, or about objects with a tag, are part of the decision between the objects
    /// that have it. Alternatives can be asked once more by a tag.
    pub fn add_level(&mut self, level: Level<'d>) -> usize {
        let all = level.facts.iter();
        let unions = all.clone().filter(|facts| facts.has_alternatives());
        let [all, unions] = [all.map(branch_size).sum::<usize>(), unions.map(branch_size).sum()];
        self.left += if level.is_of_property || level.is_tagged { 0 } else { all + unions };
        self.explored += all;
        self.levels.push(level);
        self.levels.len() - 1
    }

    /// Returns the level of values within others.
    pub fn within(&mut self, level: usize, place: Within<'d>) -> usize {
        if let Some(known) = self.levels[level].within.get(&place) {
            return *known;
        }
        let Level { ref facts, depth, is_of_property, is_tagged, .. } = self.levels[level];
        let inner = self.add_level(Level {
            facts: facts.iter().map(|facts| self.reading.within(facts, place)).collect(),
            depth: depth + 1,
            is_of_property: is_of_property || place != Within::Items,
            is_tagged,
            ..Level::default()
        });
        if let Within::ItemsOf(property) | Within::ObjectOf(property) = place
            && !(is_of_property || is_tagged)
        {
            let has = |facts: &&Facts<'d>| facts.properties.contains_key(property);
            self.left += OF_PROPERTY * self.facts(level).iter().filter(has).count();
        }
        self.levels[level].within.insert(place, inner);
        inner
    }

    /// Returns whether a tag tells more about branches: what only some alternatives of a branch say.
    pub fn have_alternatives(&self, level: usize, set: &[usize]) -> bool {
        set.len() > 1 && set.iter().any(|&index| self.facts(level)[index].has_alternatives())
    }

    /// Returns the level of the objects with one of some constants of a tag.
    pub fn tagged(&mut self, level: usize, tag: (&str, &[Constant]), set: &[usize]) -> usize {
        if !self.have_alternatives(level, set) || self.is_explored() {
            return level;
        }
        let Level { ref facts, depth, is_of_property, .. } = self.levels[level];
        self.explored += set.iter().map(|&index| size(&facts[index])).sum::<usize>();
        let mut tagged = vec![Facts::NONE; facts.len()];
        for &index in set {
            tagged[index] = self.reading.tagged(&facts[index], tag.0, tag.1);
        }
        // What is left decides by their best fit.
        let fit = set.iter().map(|&index| 1 + size(&tagged[index])).sum();
        match self.left.checked_sub(if is_of_property { 0 } else { fit }) {
            Some(left) => self.left = left,
            None => return level,
        }
        let (facts, is_tagged) = (tagged, true);
        self.add_level(Level { facts, depth, is_of_property, is_tagged, ..Level::default() })
    }

    pub fn is_explored(&self) -> bool {
        self.explored > MAX_EXPLORED
    }

    pub fn facts(&self, level: usize) -> &[Facts<'d>] {
        &self.levels[level].facts
    }
}

fn branch_size(facts: &Facts<'_>) -> usize {
    OF_BRANCH + size(facts)
}
