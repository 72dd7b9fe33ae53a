//! The rules of a union: how a JSON value is recognized as one of its variants.
//!
//! The generator decides them; decoding follows them. They never depend on the order of the variants in the spec, and no
//! variant is tried before another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use crate::wire::buffered::{Buffered, Properties};
use crate::wire::encode::text;
use crate::wire::recording::Recording;
use crate::wire::timestamp::Timestamp;
use crate::wire::value::Value;

/// The parsed rules of a union.
pub(in crate::wire) struct Rules {
    pub variants: Box<[Variant]>,
    /// The rules for the kinds of values.
    pub kinds: Kinds,
    /// All rules. The first one is [`Rule::Unknown`].
    pub all: Vec<Rule>,
    /// The properties that the rules for objects are about.
    pub names: HashSet<&'static str>,
    /// The properties that the variants may have without describing them.
    pub others: HashSet<&'static str>,
    /// Whether any other property is described.
    pub is_open: bool,
}

/// A variant of a union.
pub(in crate::wire) struct Variant {
    pub name: &'static str,
    /// Whether integers are written as strings of decimal digits.
    pub as_text: bool,
    /// The properties that distinguish it from the others, written even if its value has none.
    pub tags: Box<[Tag]>,
}

/// A property with a constant.
pub(in crate::wire) struct Tag {
    pub name: &'static str,
    pub value: Value,
    /// The property in JSON, with its comma: `,"name":"value"`.
    pub json: Box<[u8]>,
}

/// The kind of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wire) enum JsonKind {
    Boolean,
    Number,
    String,
    Array,
    Object,
    /// A string that is a date-time, of a property of a [`Candidate`].
    Time,
}

/// The index of a rule in [`Rules::rules`].
#[derive(Clone, Copy, Default)]
pub(in crate::wire) struct RuleId(pub usize);

/// The rule for each kind of a value, in the order of [`JsonKind`].
#[derive(Clone, Copy, Default)]
pub(in crate::wire) struct Kinds([RuleId; 6]);

/// A rule: the variant of a value, or how it is recognized.
pub(in crate::wire) enum Rule {
    /// No variant.
    Unknown,
    /// The variant at this index.
    Variant(usize),
    /// By the value of a property.
    Tag {
        name: &'static str,
        texts: BTreeMap<&'static str, RuleId>,
        others: Vec<(Value, RuleId)>,
        /// For other values.
        otherwise: RuleId,
        /// For objects without the property.
        missing: RuleId,
    },
    /// By the presence of a property.
    Required { properties: Vec<(&'static str, RuleId)>, otherwise: RuleId },
    /// By the kind of the value of a property; [`Items`](Self::Items) are the items of the value, or the value itself if it
    /// is an object.
    Property {
        name: &'static str,
        kinds: Kinds,
        /// For objects without the property.
        missing: RuleId,
    },
    /// By the items of a list: the first one that matches a rule.
    Items {
        /// By the kind of the item.
        kinds: Kinds,
        /// For lists without such an item.
        empty: RuleId,
        /// For items that match no other rule.
        otherwise: RuleId,
    },
    /// By the best fit.
    Fit(Vec<Candidate>),
}

/// The consequence of a rule.
pub(in crate::wire) enum Next<'r> {
    Rule(&'r Rule),
    Variant(Option<usize>),
}

/// A variant that an object may be of, by its properties.
#[derive(Default)]
pub(in crate::wire) struct Candidate {
    pub variant: usize,
    pub declared: Vec<&'static str>,
    pub required: Vec<&'static str>,
    /// The properties that can be null in this variant, but not in all.
    pub nullable: Vec<&'static str>,
    /// The kinds of the values of properties, where these differ between the variants.
    pub kinds: Vec<(&'static str, Vec<JsonKind>)>,
    pub fixed: Vec<(&'static str, Vec<Value>)>,
    pub is_closed: bool,
}

impl Rules {
    /// Returns the texts that distinguish variants.
    #[cfg(feature = "record")]
    pub(in crate::wire) fn constants(&self) -> impl Iterator<Item = &str> {
        let of_rules = self.all.iter().flat_map(|rule| match rule {
            Rule::Tag { texts, .. } => texts.keys().copied().collect(),
            Rule::Fit(candidates) => {
                let fixed = candidates.iter().flat_map(|candidate| &candidate.fixed);
                fixed.flat_map(|(_, values)| values).filter_map(Value::as_str).collect()
            }
            _ => Vec::new(),
        });
        let tags = self.variants.iter().flat_map(|variant| &variant.tags);
        of_rules.chain(tags.filter_map(|tag| tag.value.as_str()))
    }

    /// Returns the rule for values of a kind.
    pub(in crate::wire) fn of_kind(&self, kind: JsonKind) -> &Rule {
        self.rule(self.kinds.rule(kind))
    }

    /// Returns the properties that distinguish a variant from the others.
    pub(in crate::wire) fn tags(&self, variant: usize) -> &[Tag] {
        self.variants.get(variant).map_or(&[], |variant| &variant.tags)
    }

    /// Returns whether a rule for objects is about a property.
    pub(in crate::wire) fn mentions(&self, property: &str) -> bool {
        self.names.contains(property)
    }

    /// Returns the variant of an object by a rule.
    pub(in crate::wire) fn variant_of<'r>(
        &'r self,
        mut rule: &'r Rule,
        object: &Properties<'_>,
    ) -> Option<usize> {
        loop {
            rule = match rule {
                Rule::Unknown | Rule::Items { .. } => return None,
                Rule::Variant(index) => return Some(*index),
                Rule::Tag { name, .. } | Rule::Property { name, .. } => {
                    match self.by_value(rule, object.valued(name)) {
                        Next::Rule(rule) => rule,
                        Next::Variant(variant) => return variant,
                    }
                }
                Rule::Required { properties, otherwise } => {
                    let has_value = |(name, _): &&(&str, RuleId)| object.valued(name).is_some();
                    let is_null = |(name, _): &&(&str, RuleId)| object.is_null(name);
                    let found = properties
                        .iter()
                        .find(has_value)
                        .or_else(|| properties.iter().find(is_null));
                    self.rule(found.map_or(*otherwise, |(_, rule)| *rule))
                }
                Rule::Fit(candidates) => {
                    // The first of equal ones.
                    let best = candidates.iter().min_by_key(|it| it.distance(object));
                    return best.map(|candidate| candidate.variant);
                }
            }
        }
    }

    /// Returns the consequence of the value of the property that a rule is about.
    pub(in crate::wire) fn by_value<'r>(
        &'r self,
        rule: &'r Rule,
        value: Option<&Buffered<'_>>,
    ) -> Next<'r> {
        let next = match (rule, value) {
            (Rule::Tag { missing, .. } | Rule::Property { missing, .. }, None) => *missing,
            (Rule::Tag { texts, others, otherwise, .. }, Some(value)) => {
                let text = value.as_str().and_then(|text| texts.get(text));
                let other = || others.iter().find(|(known, _)| value.is(known));
                text.copied().or_else(|| other().map(|(_, rule)| *rule)).unwrap_or(*otherwise)
            }
            (Rule::Property { kinds, .. }, Some(value)) => {
                let next = JsonKind::new(value).map_or_else(RuleId::default, |it| kinds.rule(it));
                match (self.rule(next), value) {
                    (rule @ Rule::Items { .. }, Buffered::Array(list)) => {
                        return self.by_items(rule, list);
                    }
                    (Rule::Items { kinds, otherwise, .. }, Buffered::Object(_)) => {
                        match self.variant_of_item(*kinds, value) {
                            None => *otherwise,
                            found => return Next::Variant(found),
                        }
                    }
                    _ => next,
                }
            }
            _ => RuleId::default(),
        };
        Next::Rule(self.rule(next))
    }

    /// Returns the consequence of the items of a list: the first of them that matches a rule decides.
    pub(in crate::wire) fn by_items(&self, rule: &Rule, list: &Recording) -> Next<'_> {
        let Rule::Items { kinds, empty, otherwise } = rule else { return Next::Variant(None) };
        let mut items = list.decisive_items().peekable();
        let rest = if items.peek().is_some() { otherwise } else { empty };
        match items.find_map(|item| self.variant_of_item(*kinds, &item)) {
            None => Next::Rule(self.rule(*rest)),
            found => Next::Variant(found),
        }
    }

    /// Returns the variant of a list by one of its items.
    fn variant_of_item(&self, kinds: Kinds, item: &Buffered<'_>) -> Option<usize> {
        let rule = self.rule(kinds.rule(JsonKind::new(item)?));
        match (rule, item) {
            (Rule::Items { .. }, Buffered::Array(list)) => match self.by_items(rule, list) {
                Next::Rule(rule) => self.variant_of(rule, &Properties::default()),
                Next::Variant(variant) => variant,
            },
            (rule, Buffered::Object(item)) => self.variant_of(rule, &item.properties()),
            (rule, _) => self.variant_of(rule, &Properties::default()),
        }
    }

    fn rule(&self, id: RuleId) -> &Rule {
        self.all.get(id.0).unwrap_or(&Rule::Unknown)
    }
}

impl Kinds {
    /// Returns the rule for values of a kind.
    pub(in crate::wire) fn rule(self, kind: JsonKind) -> RuleId {
        self.0[kind as usize]
    }

    /// Sets the rule for the values of the kind with a name.
    pub(in crate::wire) fn set(&mut self, kind: &str, rule: RuleId) {
        if let Some(kind) = JsonKind::named(kind) {
            self.0[kind as usize] = rule;
        }
    }
}

impl JsonKind {
    pub(in crate::wire) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "boolean" => Self::Boolean,
            "number" => Self::Number,
            "string" => Self::String,
            "array" => Self::Array,
            "object" => Self::Object,
            "time" => Self::Time,
            _ => return None,
        })
    }

    /// Returns the kind of a value; `None` for null.
    fn new(value: &Buffered<'_>) -> Option<Self> {
        Some(match value {
            Buffered::Null => return None,
            Buffered::Bool(_) => Self::Boolean,
            Buffered::Number(_) => Self::Number,
            Buffered::String(_) => Self::String,
            Buffered::Array(_) => Self::Array,
            Buffered::Object(_) => Self::Object,
        })
    }

    /// Returns whether a value is of this kind.
    fn is_of(self, value: &Buffered<'_>) -> bool {
        let time = || value.as_str()?.parse::<Timestamp>().ok();
        if self == Self::Time { time().is_some() } else { Self::new(value) == Some(self) }
    }
}

impl Tag {
    pub(in crate::wire) fn new(name: &'static str, value: Value) -> Self {
        let mut json = text::lead(name).into_vec();
        text::json(&mut json, &value);
        Self { name, value, json: json.into_boxed_slice() }
    }
}

impl Candidate {
    /// Returns the distance of an object from the variant: what contradicts it, then the properties that the variant does
    /// not declare, then its constants, then its nulls, then its size.
    fn distance(&self, object: &Properties<'_>) -> impl Ord + use<> {
        let has = |name: &&&str| object.valued(name).is_some();
        let present = self.declared.iter().filter(has).count();
        let required = self.required.iter();
        let missing = required.filter(|name| !has(name) && !object.is_null(name)).count();
        let valued = object.count();
        let undeclared = valued.saturating_sub(present);
        let mut fixed = 0;
        let mut other = 0;
        for (name, values) in &self.fixed {
            if let Some(value) = object.valued(name) {
                let is_fixed = values.iter().any(|known| value.is(known));
                fixed += usize::from(is_fixed);
                other += usize::from(!is_fixed);
            }
        }
        let mismatched = self.kinds.iter().filter(|(name, kinds)| {
            let value = object.valued(name);
            value.is_some_and(|value| !kinds.iter().any(|kind| kind.is_of(value)))
        });
        let excluded = if self.is_closed { undeclared } else { 0 };
        let contradictions = missing + excluded + other + mismatched.count();
        let nulls = self.nullable.iter().filter(|name| object.is_null(name)).count();
        (contradictions, undeclared, Reverse(fixed), Reverse(nulls), self.declared.len())
    }
}
