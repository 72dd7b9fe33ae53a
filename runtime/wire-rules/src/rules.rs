//! The rules of a union: how a JSON value is recognized as one of its variants.
//!
//! They never depend on the order of the variants in the spec, and no variant is tried before another.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::date_time;

/// A JSON value whose variant is asked.
pub trait Json {
    /// Returns the kind; `None` for null.
    fn kind(&self) -> Option<JsonKind>;

    fn text(&self) -> Option<&str>;

    fn is(&self, scalar: &Value) -> bool;

    /// Returns what the first of the items of a list decides that decides something.
    fn find(&self, by: &mut dyn FnMut(&dyn Json) -> Option<usize>) -> Option<usize>;

    /// Returns whether it is an object without properties, or a list in which there are only nulls, such objects and such
    /// lists.
    fn is_hollow(&self) -> bool;

    /// Returns what is decided by the properties of an object.
    fn decide(&self, by: &mut dyn FnMut(&dyn Properties) -> Option<usize>) -> Option<usize>;
}

/// The properties of an object. The last one of each name counts.
pub trait Properties {
    /// Returns the value of a property that is not null.
    fn valued(&self, name: &str) -> Option<&dyn Json>;

    fn is_null(&self, name: &str) -> bool;

    fn count(&self) -> usize;
}

/// The kind of a JSON value other than null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    Boolean,
    Number,
    String,
    Array,
    Object,
    /// A text that is a date-time, of a property of a candidate.
    Time,
}

/// The index of a rule in [`Rules::all`].
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleId(pub usize);

/// The rule for each kind of a value, in the order of [`JsonKind`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Kinds([RuleId; 6]);

/// The rules of a union.
#[derive(Debug)]
pub struct Rules {
    pub kinds: Kinds,
    /// All rules. The first one is [`Rule::Unknown`].
    pub all: Vec<Rule>,
}

/// A rule: the variant of a value, or how it is recognized.
#[derive(Debug)]
pub enum Rule {
    Unknown,
    /// The variant at this index.
    Variant(usize),
    /// By the value of a property.
    Tag {
        name: &'static str,
        texts: BTreeMap<String, RuleId>,
        others: Vec<(Value, RuleId)>,
        otherwise: RuleId,
        /// For objects without the property.
        missing: RuleId,
    },
    /// By the presence of a property.
    Required {
        properties: Vec<(&'static str, RuleId)>,
        otherwise: RuleId,
    },
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
#[derive(Debug)]
pub enum Next<'n> {
    Rule(&'n Rule),
    Variant(Option<usize>),
}

/// A variant that an object may be of, by its properties.
#[derive(Debug, Default)]
pub struct Candidate {
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

impl Default for Rules {
    fn default() -> Self {
        Self { kinds: Kinds::default(), all: vec![Rule::Unknown] }
    }
}

impl Rules {
    pub fn add(&mut self, rule: Rule) -> RuleId {
        self.all.push(rule);
        RuleId(self.all.len() - 1)
    }

    /// Returns the rule for values of a kind.
    pub fn of_kind(&self, kind: JsonKind) -> &Rule {
        self.rule(self.kinds.rule(kind))
    }

    pub fn variant(&self, value: &dyn Json) -> Option<usize> {
        self.variant_by(self.kinds, value)
    }

    /// Returns the variant of an object by a rule.
    pub fn variant_of<'n>(
        &'n self,
        mut rule: &'n Rule,
        object: Option<&dyn Properties>,
    ) -> Option<usize> {
        loop {
            rule = match rule {
                Rule::Unknown | Rule::Items { .. } => return None,
                Rule::Variant(index) => return Some(*index),
                Rule::Tag { name, .. } | Rule::Property { name, .. } => {
                    match self.by_value(rule, object.and_then(|object| object.valued(name))) {
                        Next::Rule(rule) => rule,
                        Next::Variant(variant) => return variant,
                    }
                }
                Rule::Required { properties, otherwise } => {
                    let found = object.and_then(|object| {
                        let mut all = properties.iter();
                        let found = all.find(|(name, _)| object.valued(name).is_some());
                        found.or_else(|| properties.iter().find(|(name, _)| object.is_null(name)))
                    });
                    self.rule(found.map_or(*otherwise, |(_, rule)| *rule))
                }
                Rule::Fit(candidates) => {
                    // The first of equal ones.
                    let object = object?;
                    let best = candidates.iter().min_by_key(|it| it.distance(object));
                    return best.map(|candidate| candidate.variant);
                }
            }
        }
    }

    /// Returns the consequence of the value of the property that a rule is about.
    pub fn by_value<'n>(&'n self, rule: &Rule, value: Option<&dyn Json>) -> Next<'n> {
        let next = match (rule, value) {
            (Rule::Tag { missing, .. } | Rule::Property { missing, .. }, None) => *missing,
            (Rule::Tag { texts, others, otherwise, .. }, Some(value)) => {
                let text = value.text().and_then(|text| texts.get(text));
                let other = || others.iter().find(|(known, _)| value.is(known));
                text.copied().or_else(|| other().map(|(_, rule)| *rule)).unwrap_or(*otherwise)
            }
            (Rule::Property { kinds, .. }, Some(value)) => {
                let next = value.kind().map_or_else(RuleId::default, |kind| kinds.rule(kind));
                match (self.rule(next), value.kind()) {
                    (rule @ Rule::Items { .. }, Some(JsonKind::Array)) => {
                        return self.by_items(rule, value);
                    }
                    (Rule::Items { kinds, otherwise, .. }, Some(JsonKind::Object)) => {
                        match self.variant_by(*kinds, value) {
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

    /// Returns the consequence of the items of a list: the first of them that matches a rule decides. Nulls decide nothing,
    /// and the first of the objects without properties and the lists without a decisive item comes after all others.
    fn by_items<'n>(&'n self, rule: &Rule, list: &dyn Json) -> Next<'n> {
        let Rule::Items { kinds, empty, otherwise } = rule else { return Next::Variant(None) };
        let mut is_empty = true;
        let mut hollow = None;
        let of_item = |item: &dyn Json| self.variant_by(*kinds, item);
        let found = list.find(&mut |item| {
            let is_hollow = item.is_hollow();
            if is_hollow && hollow.is_none() {
                hollow = Some(of_item(item));
            }
            is_empty &= item.kind().is_none();
            if is_hollow { None } else { of_item(item) }
        });
        match found.or(hollow.flatten()) {
            None => Next::Rule(self.rule(if is_empty { *empty } else { *otherwise })),
            found => Next::Variant(found),
        }
    }

    /// Returns the variant of a value, or by an item, by the rules for its kind.
    fn variant_by(&self, kinds: Kinds, value: &dyn Json) -> Option<usize> {
        let rule = self.rule(kinds.rule(value.kind()?));
        match (rule, value.kind()) {
            (Rule::Items { .. }, Some(JsonKind::Array)) => match self.by_items(rule, value) {
                Next::Rule(rule) => self.variant_of(rule, None),
                Next::Variant(variant) => variant,
            },
            (rule, Some(JsonKind::Object)) => {
                value.decide(&mut |properties| self.variant_of(rule, Some(properties)))
            }
            (rule, _) => self.variant_of(rule, None),
        }
    }

    fn rule(&self, id: RuleId) -> &Rule {
        self.all.get(id.0).unwrap_or(&Rule::Unknown)
    }
}

impl Kinds {
    /// Returns the rule for values of a kind.
    pub fn rule(self, kind: JsonKind) -> RuleId {
        self.0[kind as usize]
    }

    /// Sets the rule for the values of the kind with a name.
    pub fn set(&mut self, kind: &str, rule: RuleId) {
        if let Some(kind) = JsonKind::named(kind) {
            self.0[kind as usize] = rule;
        }
    }
}

impl JsonKind {
    /// Returns the kind of a name.
    pub fn named(word: &str) -> Option<Self> {
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

    /// Returns whether a value is of this kind.
    fn is_of(self, value: &dyn Json) -> bool {
        let is_time = || value.text().is_some_and(|text| date_time::parse(text).is_ok());
        if self == Self::Time { is_time() } else { value.kind() == Some(self) }
    }
}

impl Candidate {
    /// Returns the distance of an object from the variant: what contradicts it, then the properties that the variant does
    /// not declare, then its constants, then its nulls, then its size.
    fn distance(&self, object: &dyn Properties) -> impl Ord + use<> {
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
