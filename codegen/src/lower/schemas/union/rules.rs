//! Decides how a value is recognized as one of the branches of a union: by its kind, by the value of a property, by a
//! property that only one branch requires, by the kind of a property, and else by the best fit.
//!
//! The order of the branches in the document never matters. A property that only splits the branches into groups splits
//! them, and the rules go on within each group.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, Values};
use crate::document::{Document, Schema};
use crate::ir::{Candidate, Constant, JsonKind, Kinds, Rule, Tag};

/// A branch of a union, for the decision.
#[derive(Clone, Debug)]
pub struct Branch<'d> {
    pub facts: Facts<'d>,
    /// A text that depends only on the content of the branch. It decides between branches that fit equally.
    pub key: String,
    /// The values of the declared tag that mean the branch.
    pub values: BTreeSet<Constant>,
}

/// The tag that a discriminator declares.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: String,
    /// The index of the branch for other values.
    pub default: Option<usize>,
}

/// Decides the rules of a union.
pub struct Rules<'a, 'd> {
    pub document: &'d Document,
    pub branches: &'a [Branch<'d>],
    /// The pairs of branches that no rule tells apart.
    pub ambiguous: BTreeSet<(usize, usize)>,
    /// The properties whose values are known or missing.
    tags: Vec<String>,
    /// The number of lists around the values.
    depth: usize,
}

/// Maximum number of lists within lists whose items tell branches apart.
const MAX_DEPTH: usize = 4;

impl<'a, 'd> Rules<'a, 'd> {
    pub fn new(document: &'d Document, branches: &'a [Branch<'d>]) -> Self {
        Self { document, branches, ambiguous: BTreeSet::new(), tags: Vec::new(), depth: 0 }
    }

    /// Returns the rules for a set of branches.
    pub fn kinds(&mut self, set: &[usize], declared: Option<&Declared>) -> Kinds {
        let mut kinds = Kinds::new();
        for kind in JsonKind::ALL {
            let set = self.filter(set, |facts| facts.kinds.contains(&kind));
            let rule = match (kind, set.as_slice()) {
                (_, []) => continue,
                (_, &[sole]) if declared.is_none() => Rule::Variant(sole),
                (JsonKind::Object, _) => match declared {
                    Some(declared) => self.declared_tag(&set, declared),
                    None => self.object(&set),
                },
                (_, &[sole]) => Rule::Variant(sole),
                (JsonKind::Array, _) if self.depth < MAX_DEPTH => {
                    Rule::Items(self.items(&set, |facts| facts.items.as_ref()))
                }
                _ => self.first(&set),
            };
            kinds.insert(kind, rule);
        }
        kinds
    }

    fn filter(&self, set: &[usize], keep: impl Fn(&Facts<'d>) -> bool) -> Vec<usize> {
        set.iter().copied().filter(|&index| keep(&self.branches[index].facts)).collect()
    }

    /// Returns the rules for the first item of lists; `schema` is that of the items of a branch.
    fn items<'f>(
        &mut self,
        set: &[usize],
        schema: impl Fn(&'f Facts<'d>) -> Option<&'f Schema<'d>>,
    ) -> Kinds
    where
        'a: 'f,
    {
        let branches = self.of_items(schema);
        let mut rules = Rules { depth: self.depth + 1, ..Rules::new(self.document, &branches) };
        let kinds = rules.kinds(set, None);
        self.ambiguous.extend(rules.ambiguous);
        kinds
    }

    /// Returns whether the items of lists tell branches apart with certainty.
    fn items_differ<'f>(
        &self,
        set: &[usize],
        schema: impl Fn(&'f Facts<'d>) -> Option<&'f Schema<'d>>,
    ) -> bool
    where
        'a: 'f,
    {
        let branches = self.of_items(schema);
        let mut rules = Rules { depth: self.depth + 1, ..Rules::new(self.document, &branches) };
        self.depth < MAX_DEPTH
            && JsonKind::ALL.into_iter().all(|kind| {
                let of_kind = rules.filter(set, |facts| facts.kinds.contains(&kind));
                of_kind.len() < set.len()
                    || kind == JsonKind::Object && rules.certain(&of_kind).is_some()
            })
    }

    /// Returns the branches with the facts about the items of lists.
    fn of_items<'f>(
        &self,
        schema: impl Fn(&'f Facts<'d>) -> Option<&'f Schema<'d>>,
    ) -> Vec<Branch<'d>>
    where
        'a: 'f,
    {
        let branches = self.branches.iter().map(|branch| {
            let items = schema(&branch.facts);
            let facts = items.map_or_else(Facts::any, |items| Facts::new(self.document, items));
            Branch { facts, ..branch.clone() }
        });
        branches.collect()
    }

    /// Returns the rule for objects of some branches.
    fn object(&mut self, set: &[usize]) -> Rule {
        if let &[sole] = set {
            return Rule::Variant(sole);
        }
        self.certain(set).unwrap_or_else(|| self.fit(set))
    }

    /// Returns the rule for objects of some branches, unless it is the best fit.
    fn certain(&mut self, set: &[usize]) -> Option<Rule> {
        self.inferred_tag(set).or_else(|| self.required(set)).or_else(|| self.property(set))
    }

    /// Returns the rule for objects of some branches, if there are any.
    fn optional(&mut self, set: &[usize]) -> Option<Box<Rule>> {
        (!set.is_empty()).then(|| Box::new(self.object(set)))
    }

    /// Returns the rule of the tag that a discriminator declares.
    fn declared_tag(&mut self, set: &[usize], declared: &Declared) -> Rule {
        let mut values: BTreeMap<&Constant, Vec<usize>> = BTreeMap::new();
        let branches = self.branches;
        for &index in set {
            for value in &branches[index].values {
                values.entry(value).or_default().push(index);
            }
        }
        let others = || set.iter().copied().filter(|&index| branches[index].values.is_empty());
        let others = declared.default.map_or_else(|| others().collect(), |index| vec![index]);
        self.tag(&declared.name, set, values, &others)
    }

    /// Returns the rule of the property that all branches but at most one fix to different constants.
    fn inferred_tag(&mut self, set: &[usize]) -> Option<Rule> {
        let branches = self.branches;
        let names: BTreeSet<&str> = set
            .iter()
            .flat_map(|&index| branches[index].facts.properties.keys().copied())
            .filter(|name| !self.tags.iter().any(|tag| tag == name))
            .collect();
        let mut best: Option<((usize, usize, usize, &str), _, _)> = None;
        for name in names {
            let mut values: BTreeMap<&Constant, Vec<usize>> = BTreeMap::new();
            let mut others = Vec::new();
            for &index in set {
                match branches[index].facts.constants(name) {
                    None => others.push(index),
                    Some(constants) => {
                        for value in constants {
                            values.entry(value).or_default().push(index);
                        }
                    }
                }
            }
            let groups: BTreeSet<&Vec<usize>> = values.values().collect();
            let splits = groups.len() + others.len() > 1
                && groups.iter().all(|group| group.len() < set.len());
            if values.is_empty() || others.len() > 1 || !splits {
                continue;
            }
            let shared = groups.iter().filter(|group| group.len() > 1).count();
            let optional = self.filter(set, |facts| !facts.required.contains(name)).len();
            let rank = (shared, optional, others.len(), name);
            if best.as_ref().is_none_or(|(known, ..)| rank < *known) {
                best = Some((rank, values, others));
            }
        }
        let ((.., name), values, others) = best?;
        Some(self.tag(name, set, values, &others))
    }

    fn tag(
        &mut self,
        name: &str,
        set: &[usize],
        values: BTreeMap<&Constant, Vec<usize>>,
        others: &[usize],
    ) -> Rule {
        self.tags.push(name.to_owned());
        let values: Vec<(Constant, Rule)> =
            values.into_iter().map(|(value, group)| (value.clone(), self.object(&group))).collect();
        let otherwise = self.optional(others);
        // An object without the property is of a branch that does not require it. What is ambiguous then has no warning,
        // because the property tells it apart.
        let known = self.ambiguous.clone();
        let missing = self.filter(set, |facts| !facts.required.contains(name));
        let missing = self.optional(&missing);
        self.ambiguous = known;
        self.tags.pop();
        Rule::Tag(Tag { name: name.to_owned(), values, otherwise, missing })
    }

    /// Returns the rule of properties that all branches of a group require and no other declares.
    fn required(&mut self, set: &[usize]) -> Option<Rule> {
        let branches = self.branches;
        let mut groups: Vec<(Vec<usize>, &str)> = Vec::new();
        let names: BTreeSet<&str> =
            set.iter().flat_map(|&index| branches[index].facts.required.iter().copied()).collect();
        for name in names {
            let requiring = self.filter(set, |facts| facts.required.contains(name));
            let declaring = self.filter(set, |facts| facts.properties.contains_key(name));
            let is_proof = declaring.iter().all(|index| requiring.contains(index));
            if is_proof && requiring.len() < set.len() {
                groups.push((requiring, name));
            }
        }
        groups.sort_by_key(|(group, name)| (group.len(), *name));
        let mut rest: Vec<usize> = set.to_vec();
        let mut properties = Vec::new();
        for (group, name) in groups {
            if group.iter().all(|index| rest.contains(index)) {
                rest.retain(|index| !group.contains(index));
                properties.push((name.to_owned(), self.object(&group)));
            }
        }
        if properties.is_empty() {
            return None;
        }
        let otherwise = self.optional(&rest);
        Some(Rule::Required(properties, otherwise))
    }

    /// Returns the rule of a property whose values, or whose items, are of different kinds. One that all branches require
    /// comes first.
    fn property(&mut self, set: &[usize]) -> Option<Rule> {
        let branches = self.branches;
        let names: BTreeSet<&'d str> = set
            .iter()
            .flat_map(|&index| branches[index].facts.properties.keys().copied())
            .filter(|name| !self.tags.iter().any(|tag| tag == name))
            .collect();
        let is_required =
            |name: &str| set.iter().all(|&index| branches[index].facts.required.contains(name));
        let splitting = |name: &&str| {
            let mut differ = None;
            JsonKind::ALL.into_iter().all(|kind| {
                self.of_kind(set, name, kind).len() < set.len()
                    || kind == JsonKind::Array
                        && *differ.get_or_insert_with(|| {
                            self.items_differ(set, |facts| facts.items_of(name))
                        })
            })
        };
        let name = names.into_iter().filter(splitting).min_by_key(|name| !is_required(name))?;
        self.tags.push(name.to_owned());
        let mut kinds = Kinds::new();
        for kind in JsonKind::ALL {
            let of_kind = self.of_kind(set, name, kind);
            if of_kind.len() == set.len() {
                kinds.insert(kind, Rule::Items(self.items(set, |facts| facts.items_of(name))));
            } else if !of_kind.is_empty() {
                kinds.insert(kind, self.object(&of_kind));
            }
        }
        let missing = self.filter(set, |facts| !facts.required.contains(name));
        let missing = self.optional(&missing);
        self.tags.pop();
        Some(Rule::Property(name.to_owned(), kinds, missing))
    }

    /// Returns the branches whose property can have values of a kind.
    fn of_kind(&self, set: &[usize], name: &str, kind: JsonKind) -> Vec<usize> {
        self.filter(set, |facts| {
            facts.properties.get(name).is_none_or(|values| values.kinds.contains(&kind))
        })
    }

    /// Returns the rule of the best fit. Of branches that fit equally, the smallest is first.
    fn fit(&mut self, set: &[usize]) -> Rule {
        let branches = self.branches;
        let mut set = set.to_vec();
        // All values of a branch of integers may be of one of numbers, but not the other way round.
        let rank = |index: usize| {
            let Branch { facts, key, .. } = &branches[index];
            (facts.properties.len(), facts.integers(), key)
        };
        set.sort_by(|&one, &other| rank(one).cmp(&rank(other)));
        for (position, &one) in set.iter().enumerate() {
            for &other in &set[position + 1..] {
                if is_ambiguous(&branches[one].facts, &branches[other].facts) {
                    self.ambiguous.insert((one.min(other), one.max(other)));
                }
            }
        }
        let all: Vec<&Facts<'d>> = set.iter().map(|&index| &branches[index].facts).collect();
        let candidates = set.iter().map(|&index| candidate(index, &branches[index].facts, &all));
        Rule::Fit(candidates.collect())
    }

    /// Returns the first branch of those that no rule tells apart.
    fn first(&mut self, set: &[usize]) -> Rule {
        let mut set = set.to_vec();
        set.sort_by_key(|&index| {
            let Branch { facts, key, .. } = &self.branches[index];
            (facts.integers(), key)
        });
        for pair in set.windows(2) {
            self.ambiguous.insert((pair[0].min(pair[1]), pair[0].max(pair[1])));
        }
        Rule::Variant(set[0])
    }
}

/// Returns whether two branches declare the same properties with overlapping values.
fn is_ambiguous(one: &Facts<'_>, other: &Facts<'_>) -> bool {
    one.properties.keys().eq(other.properties.keys())
        && one.properties.iter().zip(&other.properties).all(|((name, one_values), (_, values))| {
            let overlaps = !one_values.kinds.is_disjoint(&values.kinds)
                && match (&one_values.constants, &values.constants) {
                    (Some(one), Some(other)) => !one.is_disjoint(other),
                    _ => true,
                };
            overlaps || !one.required.contains(name) && !other.required.contains(name)
        })
}

fn candidate(index: usize, facts: &Facts<'_>, all: &[&Facts<'_>]) -> Candidate {
    let differs = |name: &str, values: &Values| {
        let mut others = all.iter().filter_map(|facts| facts.properties.get(name));
        others.any(|other| other.kinds != values.kinds)
    };
    let kinds = facts.properties.iter().filter(|(name, values)| differs(name, values));
    let kinds =
        kinds.map(|(name, values)| ((*name).to_owned(), values.kinds.iter().copied().collect()));
    let declared = facts.properties.keys().filter(|name| !facts.required.contains(*name));
    let fixed = facts.properties.iter().filter_map(|(name, values)| {
        let constants = values.constants.as_ref()?;
        Some(((*name).to_owned(), constants.iter().cloned().collect()))
    });
    Candidate {
        variant: index,
        required: facts.required.iter().copied().map(str::to_owned).collect(),
        declared: declared.copied().map(str::to_owned).collect(),
        kinds: kinds.collect(),
        fixed: fixed.collect(),
        is_closed: facts.is_closed,
    }
}
