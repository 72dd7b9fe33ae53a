//! Decides how a value is recognized as one of the branches of a union: by its kind, by the value of a property, by a
//! property that only one branch requires, by the kind of a property or what is within it, and else by the best fit.
//!
//! The order of the branches in the document never matters. A question that only splits the branches into groups splits
//! them, and the next one is asked within each group. Equal questions are one rule. Questions are asked breadth first; when
//! the rules become larger than what they decide, the best fit decides the rest.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::questions::{self, Answer, Asked, Question, Set, of_kind};
use super::tags;
use crate::facts::{Facts, Known, Within};
use crate::ir::{self, Constant, JsonKind, Kinds, Rule, RuleId, Tag};

/// A branch of a union, for the decision.
#[derive(Clone, Debug)]
pub struct Branch<'d> {
    pub facts: Facts<'d>,
    /// A text that depends only on the content of the branch. It decides between branches that fit equally.
    pub key: String,
    /// The declared tags that distinguish the branch from others.
    pub tags: BTreeSet<&'d str>,
}

/// The tag that a discriminator declares.
#[derive(Clone, Debug)]
pub struct Declared<'d> {
    pub name: &'d str,
    /// The index of the branch for other values.
    pub default: Option<usize>,
}

pub struct Decided {
    pub rules: ir::Rules,
    /// Groups of branches, no two of which are distinguished by a rule.
    pub ambiguous: Vec<BTreeSet<usize>>,
}

/// Maximum number of lists within lists whose items distinguish branches.
const MAX_DEPTH: usize = 4;

/// Maximum number of lists and objects around the values that distinguish branches by what is within them.
const MAX_WITHIN: usize = 2;

pub fn decide<'d>(
    branches: &[Branch<'d>],
    declared: Option<&Declared<'d>>,
    reading: &Known<'d>,
) -> Decided {
    let mut rules = Rules {
        branches,
        reading,
        levels: Vec::new(),
        known: BTreeMap::new(),
        fits: BTreeMap::new(),
        variants: BTreeMap::new(),
        open: VecDeque::new(),
        written: ir::Rules::default(),
        left: 0,
        explored: 0,
        ambiguous: BTreeSet::new(),
    };
    let facts = branches.iter().map(|branch| branch.facts.clone()).collect();
    let whole = rules.add_level(Level { facts, ..Level::default() });
    let all: Set = (0..branches.len()).collect();
    rules.written.kinds = rules.kinds(whole, &all, declared);
    while let Some((id, key, question)) = rules.open.pop_front() {
        let rule = rules.expanded(&key, question);
        rules.written.set(id, rule);
    }
    rules.find_ambiguous_fits();
    let ambiguous = rules.ambiguous_groups();
    let mut rules = rules.written;
    let declared: Vec<_> = branches.iter().map(|branch| branch.declared(reading)).collect();
    let has = |variant: usize, name: &str, constant: &Constant| {
        let constants = branches[variant].facts.constants(name);
        constants.is_some_and(|constants| constants.contains(constant))
    };
    tags::set(&mut rules, &declared, &has);
    Decided { rules, ambiguous }
}

impl<'d> Branch<'d> {
    /// Returns the declared tags of the objects, with their values. A map has none: it has no place to remember that it came
    /// without them.
    fn declared(&self, known: &Known<'d>) -> Vec<(String, Constant)> {
        let Self { facts, tags, .. } = self;
        let objects = facts.values.objects.as_ref();
        let is_map =
            objects.is_some_and(|objects| objects.is_map() && !objects.values(known).is_empty());
        let tags = tags.iter().filter(|_| !is_map);
        tags.filter_map(|tag| Some(((*tag).to_owned(), facts.constants(tag)?.first()?.clone())))
            .collect()
    }
}

pub struct Rules<'a, 'd> {
    pub branches: &'a [Branch<'d>],
    pub reading: &'a Known<'d>,
    pub levels: Vec<Level<'d>>,
    known: BTreeMap<Key<'d>, RuleId>,
    /// The best fits, by level and branches.
    pub fits: BTreeMap<(usize, Set), RuleId>,
    variants: BTreeMap<usize, RuleId>,
    /// The rules that are not written yet.
    open: VecDeque<(RuleId, Key<'d>, Question<'d>)>,
    pub written: ir::Rules,
    /// The size that the rules may still gain.
    pub left: usize,
    /// The size of all facts that were read, also if they distinguish nothing.
    pub explored: usize,
    /// The pairs of branches, the smaller index first, that no rule distinguishes.
    pub ambiguous: BTreeSet<[usize; 2]>,
}

/// The values of a union, the items of its lists, or what is within a property.
#[derive(Default)]
pub struct Level<'d> {
    /// The facts about these values in each branch.
    pub facts: Vec<Facts<'d>>,
    /// The number of lists and objects around the values.
    pub depth: usize,
    /// Whether the values are within a property. If they do not decide, the object around them does.
    pub is_of_property: bool,
    /// Whether the values are objects with a tag, or within these.
    pub is_tagged: bool,
    pub within: BTreeMap<Within<'d>, usize>,
}

/// What a rule is decided by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'d> {
    level: usize,
    set: Set,
    /// The properties of the branches whose values are known or missing.
    asked: Asked<'d>,
}

impl<'d> Rules<'_, 'd> {
    /// Returns the rules for the values of a level.
    fn kinds(&mut self, level: usize, set: &[usize], declared: Option<&Declared<'d>>) -> Kinds {
        let mut kinds = Vec::new();
        for kind in JsonKind::ALL {
            let set = of_kind(self.facts(level), set, kind);
            let Level { depth, is_of_property, .. } = self.levels[level];
            let rule = match (kind, set.as_slice(), declared) {
                (_, [], _) => None,
                (JsonKind::Object, _, Some(declared)) => {
                    Some(self.declared_tag(level, &set, declared))
                }
                (_, &[only], _) => Some(self.variant(only)),
                (JsonKind::Object, ..) => self.rule(level, &set, Asked::new()),
                (JsonKind::Array, ..) if depth < MAX_DEPTH => self.items_of_lists(level, &set),
                _ => (!is_of_property).then(|| self.first(level, &set)),
            };
            kinds.extend(rule.map(|rule| (kind, rule)));
        }
        arms(kinds)
    }

    /// Returns the rule for lists of some branches, if there is one. Within a property, nothing else decides.
    fn items_of_lists(&mut self, level: usize, set: &[usize]) -> Option<RuleId> {
        let inner = self.within(level, Within::Items);
        let kinds = self.kinds(inner, set, None);
        let empty = (!self.levels[inner].is_of_property).then(|| {
            let first = JsonKind::ALL.into_iter().map(|kind| of_kind(self.facts(inner), set, kind));
            let first = first.into_iter().find(|set| !set.is_empty()).unwrap_or_else(|| set.into());
            let smallest = self.by_size(inner, &first).0[0];
            self.variant(smallest)
        });
        let items = ir::ItemsRule { is_object: false, kinds, empty, otherwise: None };
        let decides = empty.is_some() || !items.kinds.is_empty();
        decides.then(|| self.written.add(Rule::Items(items)))
    }

    fn variant(&mut self, index: usize) -> RuleId {
        let rules = &mut self.written;
        *self.variants.entry(index).or_insert_with(|| rules.add(Rule::Variant(index)))
    }

    /// Returns the rule for objects of some branches, if there are any, and if something distinguishes them.
    fn rule(&mut self, level: usize, set: &[usize], mut asked: Asked<'d>) -> Option<RuleId> {
        match *set {
            [] => return None,
            [only] => return Some(self.variant(only)),
            _ => {}
        }
        let facts = self.facts(level);
        asked.retain(|name| set.iter().any(|&index| facts[index].properties.contains_key(name)));
        let key = Key { level, set: set.to_vec(), asked };
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let mut question = self.question(&key);
        let Level { facts, is_of_property, .. } = &self.levels[level];
        // A missing property is more certain than the value of a tag that the other branch describes, too.
        if *is_of_property && question.as_ref().is_none_or(|it| it.is_described(facts)) {
            question = questions::absence(facts, set, &key.asked).or(question);
        }
        let Some(question) = question else { return self.fit(level, set) };
        let Some(left) = self.left.checked_sub(question.size()) else { return self.rest(level) };
        self.left = left;
        // The place of the rule, until its question is expanded.
        let id = self.written.add(Rule::Fit(Vec::new()));
        self.known.insert(key.clone(), id);
        self.open.push_back((id, key, question));
        Some(id)
    }

    /// Returns the question that distinguishes branches with certainty.
    fn question(&mut self, key: &Key<'d>) -> Option<Question<'d>> {
        let Key { level, set, asked } = key;
        let facts = self.facts(*level);
        let tag = questions::tag(facts, set, asked, self.levels[*level].is_of_property);
        // A property that one branch requires and the others do not have distinguishes them by its presence, whatever
        // its value is.
        let is_tag = tag.as_ref().is_some_and(|question| match question {
            Question::Tag { name, values, otherwise, .. } => {
                let mut others = otherwise.iter();
                values.len() > 1 || others.all(|&it| facts[it].properties.contains_key(name))
            }
            _ => false,
        });
        let required = if is_tag { None } else { questions::required(facts, set) };
        if let Some(question) = required.or(tag) {
            return Some(question);
        }
        let is_of_property = self.levels[*level].is_of_property;
        let mut properties = questions::properties(facts, set, asked);
        // Items without such a property leave the decision to their object.
        properties.retain(|property| !is_of_property || property.is_required(facts, set));
        let by_kind = properties.iter().find_map(|it| it.question(self.facts(*level), set, None));
        by_kind.or_else(|| {
            properties.iter().find_map(|property| {
                [JsonKind::Array, JsonKind::Object].into_iter().find_map(|kind| {
                    let set_of_kind = property.of_kind(self.facts(*level), kind);
                    let place = questions::within(property.name, kind);
                    let differ = self.differ_within(*level, place, &set_of_kind);
                    differ.then(|| property.question(self.facts(*level), set, Some(kind)))?
                })
            })
        })
    }

    /// Returns whether what is within values distinguishes branches.
    fn differ_within(&mut self, level: usize, place: Within<'d>, set: &[usize]) -> bool {
        let is_deep = self.levels[level].depth >= MAX_WITHIN;
        if set.len() < 2 || is_deep || self.is_explored() {
            return false;
        }
        let inner = self.within(level, place);
        JsonKind::ALL.into_iter().all(|kind| {
            let of_kind = of_kind(self.facts(inner), set, kind);
            let is_split = of_kind.len() < set.len();
            is_split
                || match kind {
                    JsonKind::Object => {
                        let key = Key { level: inner, set: of_kind, asked: Asked::new() };
                        self.question(&key).is_some()
                    }
                    JsonKind::Array => self.differ_within(inner, Within::Items, &of_kind),
                    _ => false,
                }
        })
    }

    fn expanded(&mut self, key: &Key<'d>, question: Question<'d>) -> Rule {
        let level = key.level;
        let asked = |name: &'d str| {
            let mut asked = key.asked.clone();
            asked.insert(name);
            asked
        };
        match question {
            Question::Tag { name, values, otherwise, missing } => {
                let mut rules = Vec::new();
                for (constants, meant) in values {
                    let is_each = self.have_alternatives(level, &meant);
                    for constants in constants.chunks(if is_each { 1 } else { constants.len() }) {
                        let sets = (meant.as_slice(), otherwise.as_slice());
                        let rule = self.of_value(level, (name, constants), sets, asked(name));
                        rules.extend(rule.map(|rule| (constants.to_vec(), rule)));
                    }
                }
                let otherwise = self.of_others(level, name, (&key.set, &otherwise), asked(name));
                let missing = self.untagged(level, name, (&key.set, &missing), asked(name));
                Rule::Tag(Tag { name: name.to_owned(), values: rules, otherwise, missing })
            }
            Question::Required { properties, otherwise } => {
                let asked = &key.asked;
                let rules = properties.into_iter().filter_map(|(name, set)| {
                    Some((name.to_owned(), self.rule(level, &set, asked.clone())?))
                });
                let properties = rules.collect();
                Rule::Required(properties, self.rule(level, &otherwise, asked.clone()))
            }
            Question::Property { name, kinds, missing } => {
                let mut rules = Vec::new();
                for (kind, answer) in kinds {
                    let rule = match answer {
                        Answer::Branches(set) => self.rule(level, &set, asked(name)),
                        Answer::Within(set) => Some(self.within_property(key, (name, kind), &set)),
                    };
                    rules.extend(rule.map(|rule| (kind, rule)));
                }
                let missing = self.rule(level, &missing, asked(name));
                Rule::Property(name.to_owned(), arms(rules), missing)
            }
        }
    }

    /// Returns the rule for the lists or the objects of a property. If nothing within them decides, their object does.
    fn within_property(
        &mut self,
        key: &Key<'d>,
        (name, kind): (&'d str, JsonKind),
        set: &[usize],
    ) -> RuleId {
        let is_object = kind == JsonKind::Object;
        let inner = self.within(key.level, questions::within(name, kind));
        let kinds = self.kinds(inner, set, None);
        let mut asked = key.asked.clone();
        asked.insert(name);
        let otherwise = self.rule(key.level, set, asked);
        let empty = otherwise.filter(|_| !is_object);
        self.written.add(Rule::Items(ir::ItemsRule { is_object, kinds, empty, otherwise }))
    }

    /// Returns the rule of the tag that a discriminator declares.
    fn declared_tag(&mut self, level: usize, set: &[usize], declared: &Declared<'d>) -> RuleId {
        let Declared { name, default } = *declared;
        let (branches, facts) = (self.branches, self.facts(level));
        let is_other = |index: &usize| match default {
            Some(default) => *index == default || !branches[*index].tags.contains(name),
            None => facts[*index].constants(name).is_none(),
        };
        let otherwise = set.iter().copied().filter(is_other).collect();
        let question = questions::of_tag(facts, set, name, otherwise);
        let key = Key { level, set: set.to_vec(), asked: Asked::new() };
        let rule = self.expanded(&key, question);
        self.written.add(rule)
    }

    /// Returns the rule for a value of a tag. A branch that allows any value is certain if the object has a property that only
    /// this branch requires, and no discriminator gives the value to another.
    fn of_value(
        &mut self,
        level: usize,
        (tag, constants): (&str, &[Constant]),
        (meant, open): (&[usize], &[usize]),
        asked: Asked<'d>,
    ) -> Option<RuleId> {
        let tagged = self.tagged(level, (tag, constants), meant);
        let rule = self.rule(tagged, meant, asked)?;
        let facts = self.facts(level);
        let is_declared = meant.iter().any(|&index| self.branches[index].tags.contains(tag));
        let is_open = |index: &usize| {
            let property = facts[*index].properties.get(tag).filter(|_| !is_declared);
            let allows =
                |constant: &Constant| property.is_some_and(|it| it.values.allows(constant.kind()));
            constants.iter().any(allows)
        };
        let open: Set = open.iter().copied().filter(is_open).collect();
        let own = open.into_iter().find_map(|open| self.by_own(level, open, meant, Some(rule)));
        Some(own.unwrap_or(rule))
    }

    /// Returns the rule for other values of a tag. A branch that does not describe it is certain by a property that only
    /// this branch requires.
    fn of_others(
        &mut self,
        level: usize,
        tag: &str,
        (set, others): (&[usize], &[usize]),
        asked: Asked<'d>,
    ) -> Option<RuleId> {
        let own = match *others {
            [only] if !self.facts(level)[only].properties.contains_key(tag) => {
                self.by_own(level, only, set, None)
            }
            _ => None,
        };
        own.or_else(|| self.rule(level, others, asked))
    }

    /// Returns the rule for objects with a property that a branch requires, but no other has, or else another rule.
    fn by_own(
        &mut self,
        level: usize,
        branch: usize,
        others: &[usize],
        otherwise: Option<RuleId>,
    ) -> Option<RuleId> {
        let facts = self.facts(level);
        let others = others.iter().filter(|index| **index != branch);
        let is_own = |name: &&&str| !others.clone().any(|index| facts[*index].has(name));
        let own = (*facts[branch].required.iter().find(is_own)?).to_owned();
        self.left = self.left.checked_sub(2)?;
        let properties = vec![(own, self.variant(branch))];
        Some(self.written.add(Rule::Required(properties, otherwise)))
    }

    /// Returns the rule for objects without a tag: objects of the branches that do not require it, unless a constant of
    /// another property is known to mean a branch that requires it.
    fn untagged(
        &mut self,
        level: usize,
        tag: &str,
        (set, missing): (&[usize], &[usize]),
        mut asked: Asked<'d>,
    ) -> Option<RuleId> {
        let rule = self.rule(level, missing, asked.clone())?;
        let facts = self.facts(level);
        let may_lack =
            |index: &usize| missing.contains(index) || facts[*index].properties.contains_key(tag);
        let set: Set = set.iter().copied().filter(may_lack).collect();
        let question =
            questions::tag(facts, &set, &asked, false).filter(|_| set.len() > missing.len());
        let size = question.as_ref().map_or(0, Question::size);
        let Some(Question::Tag { name, values, .. }) = question else { return Some(rule) };
        let Some(left) = self.left.checked_sub(size) else { return Some(rule) };
        self.left = left;
        asked.insert(name);
        let values = values.into_iter().filter_map(|(constants, mut meant)| {
            let mut open = missing;
            if meant.iter().any(|index| missing.contains(index)) {
                meant.retain(|index| missing.contains(index));
                open = &[];
            }
            let rule = self.of_value(level, (name, &constants), (&meant, open), asked.clone())?;
            Some((constants, rule))
        });
        let values = values.collect();
        let [otherwise, missing] = [Some(rule); 2];
        Some(self.written.add(Rule::Tag(Tag { name: name.to_owned(), values, otherwise, missing })))
    }

    /// Returns the first of the branches that no rule distinguishes.
    fn first(&mut self, level: usize, set: &[usize]) -> RuleId {
        for (position, &one) in set.iter().enumerate() {
            self.ambiguous.extend(set[position + 1..].iter().map(|&other| [one, other]));
        }
        let smallest = self.by_size(level, set).0[0];
        self.variant(smallest)
    }
}

/// Makes one entry of the kinds with the same rule.
fn arms(kinds: Vec<(JsonKind, RuleId)>) -> Kinds {
    let mut arms = Kinds::new();
    for (kind, rule) in kinds {
        match arms.iter_mut().find(|(_, known)| *known == rule) {
            Some((kinds, _)) => kinds.push(kind),
            None => arms.push((vec![kind], rule)),
        }
    }
    arms
}
