//! The questions that distinguish the branches of a union with certainty.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::{Facts, Within};
use crate::ir::{Constant, JsonKind};

/// Some branches, by their indices, in ascending order.
pub type Set = Vec<usize>;

/// The properties whose values are known or missing.
pub type Asked<'d> = BTreeSet<&'d str>;

/// What an object is asked, and the branches of each answer.
pub enum Question<'d> {
    /// The value of a property.
    Tag { name: &'d str, values: Vec<(Vec<Constant>, Set)>, otherwise: Set, missing: Set },
    /// Which property is present.
    Required { properties: Vec<(&'d str, Set)>, otherwise: Set },
    /// The kind of the value of a property.
    Property { name: &'d str, kinds: Vec<(JsonKind, Answer)>, missing: Set },
}

/// The answer for a kind of values.
pub enum Answer {
    Branches(Set),
    /// These branches, by what is within the value.
    Within(Set),
}

/// A property whose kind may distinguish branches.
pub struct Property<'d> {
    pub name: &'d str,
    /// The branches that describe it.
    declaring: Set,
}

impl Question<'_> {
    /// Returns whether it is about a tag that is described by the branch of its other values, too.
    pub fn is_described(&self, facts: &[Facts<'_>]) -> bool {
        let Self::Tag { name, otherwise, .. } = self else { return false };
        otherwise.iter().any(|&index| facts[index].properties.contains_key(name))
    }

    /// Returns the size of the question in the rules.
    pub fn size(&self) -> usize {
        1 + match self {
            Self::Tag { values, .. } => values.iter().map(|(values, _)| values.len()).sum(),
            Self::Required { properties, .. } => properties.len(),
            Self::Property { kinds, .. } => {
                let within = kinds.iter().filter(|(_, it)| matches!(it, Answer::Within(_)));
                kinds.len() + JsonKind::ALL.len() * within.count()
            }
        }
    }
}

/// Returns the question for the property that all branches but at most one fix to different constants. If others decide as
/// well (`is_partial`), they can also have some constants in common.
pub fn tag<'d>(
    facts: &[Facts<'d>],
    set: &[usize],
    asked: &Asked<'_>,
    is_partial: bool,
) -> Option<Question<'d>> {
    // One of any two branches fixes it.
    let first = set.iter().take(2);
    let names: BTreeSet<&'d str> = first
        .flat_map(|&index| &facts[index].properties)
        .filter(|(name, property)| property.constants.is_some() && !asked.contains(*name))
        .map(|(name, _)| *name)
        .collect();
    // Next to any text, the empty text says that there is none.
    let empty = BTreeSet::from([Constant::Text(String::new())]);
    let mut best: Option<((usize, usize, usize), &'d str, Set)> = None;
    for name in names {
        let constants = |index: &usize| facts[*index].constants(name);
        let others: Set =
            set.iter().copied().filter(|index| constants(index).is_none()).take(2).collect();
        let described = others.first().and_then(|&index| facts[index].properties.get(name));
        let mut all = set.iter().filter_map(constants);
        // Some alternatives of the other branch can have a constant, too.
        if others.len() > 1
            || described.is_some_and(|it| all.any(|one| *one == empty || it.lists_any_of(one)))
        {
            continue;
        }
        let values = set.iter().filter_map(|index| Some((*index, constants(index)?)));
        let values = grouped(values);
        let mut smaller = values.iter().map(|(_, group)| group.len() < set.len());
        let splits = values.len() + others.len() > 1
            && if is_partial { smaller.any(|it| it) } else { smaller.all(|it| it) };
        if !splits {
            continue;
        }
        let shared = values.iter().filter(|(_, group)| group.len() > 1).count();
        let rank = (others.len(), shared, missing(facts, set, name).len());
        if best.as_ref().is_none_or(|(known, ..)| rank < *known) {
            best = Some((rank, name, others));
        }
    }
    let (_, name, otherwise) = best?;
    Some(of_tag(facts, set, name, otherwise))
}

/// Returns the question for the constants of a property.
pub fn of_tag<'d>(
    facts: &[Facts<'d>],
    set: &[usize],
    name: &'d str,
    otherwise: Set,
) -> Question<'d> {
    let values = set.iter().filter_map(|index| Some((*index, facts[*index].constants(name)?)));
    Question::Tag { name, values: grouped(values), otherwise, missing: missing(facts, set, name) }
}

/// Returns the question for properties that all branches of a group require and no other declares.
pub fn required<'d>(facts: &[Facts<'d>], set: &[usize]) -> Option<Question<'d>> {
    let mut requiring: BTreeMap<&'d str, Set> = BTreeMap::new();
    for &index in set {
        for name in &facts[index].required {
            requiring.entry(name).or_default().push(index);
        }
    }
    let is_optional = |index: usize, name: &str| {
        let Facts { properties, required, .. } = &facts[index];
        properties.contains_key(name) && !required.contains(name)
    };
    requiring.retain(|name, group| {
        group.len() < set.len() && !set.iter().any(|&index| is_optional(index, name))
    });
    let mut groups: Vec<(Set, &'d str)> =
        requiring.into_iter().map(|(name, group)| (group, name)).collect();
    groups.sort_by_key(|(group, name)| (group.len(), *name));
    let mut rest: BTreeSet<usize> = set.iter().copied().collect();
    let mut properties = Vec::new();
    for (group, name) in groups {
        if group.iter().all(|index| rest.contains(index)) {
            rest.retain(|index| !group.contains(index));
            properties.push((name, group));
        }
    }
    let otherwise = rest.into_iter().collect();
    (!properties.is_empty()).then_some(Question::Required { properties, otherwise })
}

/// Returns the properties that several branches describe: first the properties that all require, then the properties
/// that all describe.
pub fn properties<'d>(facts: &[Facts<'d>], set: &[usize], asked: &Asked<'_>) -> Vec<Property<'d>> {
    let mut declaring: BTreeMap<&'d str, Set> = BTreeMap::new();
    for &index in set {
        for name in facts[index].properties.keys().filter(|name| !asked.contains(*name)) {
            declaring.entry(name).or_default().push(index);
        }
    }
    let shared = declaring.into_iter().filter(|(_, declaring)| declaring.len() > 1);
    let mut properties: Vec<Property<'d>> =
        shared.map(|(name, declaring)| Property { name, declaring }).collect();
    properties.sort_by_key(|property| {
        (!property.is_required(facts, set), property.declaring.len() < set.len())
    });
    properties
}

impl<'d> Property<'d> {
    /// Returns whether all branches require it.
    pub fn is_required(&self, facts: &[Facts<'d>], set: &[usize]) -> bool {
        missing(facts, set, self.name).is_empty()
    }

    /// Returns the branches that describe values of a kind.
    pub fn of_kind(&self, facts: &[Facts<'d>], kind: JsonKind) -> Set {
        let allows = |index: &usize| {
            let values = facts[*index].properties.get(self.name);
            values.is_some_and(|property| property.values.allows(kind))
        };
        self.declaring.iter().copied().filter(allows).collect()
    }

    /// Returns the question for the kind of the property, if each answer is certain: the branches that describe the property
    /// differ in the kinds of its values, or in what is within its values of a kind (`within`). If only some branches
    /// describe it, their kinds are left to the best fit.
    pub fn question(
        &self,
        facts: &[Facts<'d>],
        set: &[usize],
        within: Option<JsonKind>,
    ) -> Option<Question<'d>> {
        let is_common = self.declaring.len() == set.len();
        let mut kinds = Vec::new();
        for kind in JsonKind::ALL {
            let of_kind = self.of_kind(facts, kind);
            let answer = match of_kind.len() {
                0 => continue,
                1 => Answer::Branches(of_kind),
                _ if Some(kind) == within => Answer::Within(of_kind),
                count if is_common && (within.is_some() || count < set.len()) => {
                    Answer::Branches(of_kind)
                }
                _ => return None,
            };
            kinds.push((kind, answer));
        }
        let name = self.name;
        let is_certain = is_common || within.is_some();
        is_certain.then(|| Question::Property { name, kinds, missing: missing(facts, set, name) })
    }
}

/// Returns the question for a property that all branches describe and only one of them does not require: an object without
/// it is certain.
pub fn absence<'d>(facts: &[Facts<'d>], set: &[usize], asked: &Asked<'_>) -> Option<Question<'d>> {
    let mut properties = properties(facts, set, asked).into_iter();
    let property = properties.find(|property| {
        property.declaring.len() == set.len() && missing(facts, set, property.name).len() == 1
    })?;
    let of_kind = |kind| (kind, property.of_kind(facts, kind));
    let kinds = JsonKind::ALL.into_iter().map(of_kind).filter(|(_, set)| !set.is_empty());
    let kinds = kinds.map(|(kind, set)| (kind, Answer::Branches(set))).collect();
    let name = property.name;
    Some(Question::Property { name, kinds, missing: missing(facts, set, name) })
}

/// Returns the place of what is within the values of a kind of a property.
pub fn within(name: &str, kind: JsonKind) -> Within<'_> {
    if kind == JsonKind::Object { Within::ObjectOf(name) } else { Within::ItemsOf(name) }
}

/// Returns the branches by the constants that mean them. Constants of the same branches are one entry.
fn grouped<'c>(
    constants: impl Iterator<Item = (usize, &'c BTreeSet<Constant>)>,
) -> Vec<(Vec<Constant>, Set)> {
    let mut sets: BTreeMap<&Constant, Set> = BTreeMap::new();
    for (index, constants) in constants {
        for constant in constants {
            sets.entry(constant).or_default().push(index);
        }
    }
    let mut groups: Vec<(Vec<Constant>, Set)> = Vec::new();
    let mut positions: BTreeMap<Set, usize> = BTreeMap::new();
    for (constant, set) in sets {
        let position = *positions.entry(set).or_insert_with_key(|set| {
            groups.push((Vec::new(), set.clone()));
            groups.len() - 1
        });
        groups[position].0.push(constant.clone());
    }
    groups
}

/// Returns the branches that allow values of a kind.
pub fn of_kind(facts: &[Facts<'_>], set: &[usize], kind: JsonKind) -> Set {
    set.iter().copied().filter(|&index| facts[index].values.allows(kind)).collect()
}

/// Returns the branches of objects without a property, or with null, which is the same.
fn missing(facts: &[Facts<'_>], set: &[usize], name: &str) -> Set {
    let may_lack = |index: &usize| {
        let Facts { properties, required, .. } = &facts[*index];
        let may_be_null = || properties.get(name).is_some_and(|it| it.values.is_nullable());
        !required.contains(name) || may_be_null()
    };
    set.iter().copied().filter(may_lack).collect()
}
