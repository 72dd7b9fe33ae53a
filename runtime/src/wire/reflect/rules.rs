//! The rules of a union: how a JSON value is recognized as one of its variants.
//!
//! The generator decides them; decoding follows them. They never depend on the order of the variants in the spec, and no
//! variant is tried before another.

use std::collections::BTreeMap;

use crate::wire::buffered::{Buffered, Properties};
use crate::wire::encode::text;
use crate::wire::value::Value;

/// The parsed rules of a union.
pub(in crate::wire) struct Rules {
    pub variants: Box<[Variant]>,
    pub kinds: Kinds,
}

/// A variant of a union.
pub(in crate::wire) struct Variant {
    pub name: &'static str,
    /// Whether integers are written as strings of decimal digits.
    pub as_text: bool,
    /// The properties that tell it apart from the others, written even if its value has none.
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
}

/// The rule for each kind of a value, in the order of [`JsonKind`].
#[derive(Default)]
pub(in crate::wire) struct Kinds(pub [Rule; 5]);

/// A rule: the variant of a value, or how it is recognized.
#[derive(Default)]
pub(in crate::wire) enum Rule {
    /// No variant.
    #[default]
    Unknown,
    /// The variant at this index.
    Variant(usize),
    /// By the value of a property.
    Tag {
        name: &'static str,
        texts: BTreeMap<&'static str, Self>,
        others: Vec<(Value, Self)>,
        /// For other values.
        otherwise: Box<Self>,
        /// For objects without the property.
        missing: Box<Self>,
    },
    /// By the presence of a property.
    Required { properties: Vec<(&'static str, Self)>, otherwise: Box<Self> },
    /// By the kind of the value of a property; `Items` are those of the value.
    Property {
        name: &'static str,
        kinds: Box<Kinds>,
        /// For objects without the property.
        missing: Box<Self>,
    },
    /// By the kind of the first item of a list.
    Items(Box<Kinds>),
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
    /// The kinds of the values of properties, where these differ between the variants.
    pub kinds: Vec<(&'static str, Vec<JsonKind>)>,
    pub fixed: Vec<(&'static str, Vec<Value>)>,
    pub is_closed: bool,
}

impl Rules {
    /// Returns the properties that tell a variant apart from the others.
    pub(in crate::wire) fn tags(&self, variant: usize) -> &[Tag] {
        self.variants.get(variant).map_or(&[], |variant| &variant.tags)
    }

    /// Returns whether a rule for objects is about a property.
    pub(in crate::wire) fn mentions(&self, property: &str) -> bool {
        self.kinds.rule(JsonKind::Object).mentions(property)
    }
}

impl Kinds {
    /// Returns the rule for values of a kind.
    pub(in crate::wire) fn rule(&self, kind: JsonKind) -> &Rule {
        &self.0[kind as usize]
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
            Buffered::Object(object) if object.digits().is_some() => Self::Number,
            Buffered::Object(_) => Self::Object,
        })
    }
}

impl Rule {
    /// Returns the variant of an object.
    pub(in crate::wire) fn variant_of(&self, object: &Properties<'_>) -> Option<usize> {
        let mut rule = self;
        loop {
            rule = match rule {
                Self::Unknown | Self::Items(_) => return None,
                Self::Variant(index) => return Some(*index),
                Self::Tag { name, .. } | Self::Property { name, .. } => {
                    match rule.by_value(object.valued(name)) {
                        Next::Rule(rule) => rule,
                        Next::Variant(variant) => return variant,
                    }
                }
                Self::Required { properties, otherwise } => {
                    let has_value = |(name, _): &&(&str, Self)| object.valued(name).is_some();
                    let is_null = |(name, _): &&(&str, Self)| object.is_null(name);
                    let found = properties
                        .iter()
                        .find(has_value)
                        .or_else(|| properties.iter().find(is_null));
                    found.map_or(otherwise, |(_, rule)| rule)
                }
                Self::Fit(candidates) => {
                    // The first of equal ones.
                    let best = candidates.iter().min_by_key(|it| it.distance(object));
                    return best.map(|candidate| candidate.variant);
                }
            }
        }
    }

    /// Returns the consequence of the value of the property that this rule is about.
    pub(in crate::wire) fn by_value(&self, value: Option<&Buffered<'_>>) -> Next<'_> {
        Next::Rule(match (self, value) {
            (Self::Tag { missing, .. } | Self::Property { missing, .. }, None) => missing,
            (Self::Tag { texts, others, otherwise, .. }, Some(value)) => {
                let text = value.as_str().and_then(|text| texts.get(text));
                let other = || others.iter().find(|(known, _)| value.is(known));
                text.or_else(|| other().map(|(_, rule)| rule)).unwrap_or(otherwise)
            }
            (Self::Property { kinds, .. }, Some(value)) => {
                let rule = JsonKind::new(value).map_or(&Self::Unknown, |kind| kinds.rule(kind));
                if let (Self::Items(kinds), Buffered::Array(items)) = (rule, value) {
                    return Next::Variant(Self::variant_of_list(kinds, items));
                }
                rule
            }
            _ => &Self::Unknown,
        })
    }

    /// Returns the variant of a list by its first item that is neither null nor an empty list; without one the first
    /// variant.
    pub(in crate::wire) fn variant_of_list(kinds: &Kinds, items: &[Buffered<'_>]) -> Option<usize> {
        let is_decisive = |item: &&Buffered<'_>| match item {
            Buffered::Null => false,
            Buffered::Array(items) => !is_hollow(items),
            _ => true,
        };
        let is_array = |item: &&Buffered<'_>| matches!(item, Buffered::Array(_));
        match items.iter().find(is_decisive).or_else(|| items.iter().find(is_array)) {
            Some(Buffered::Object(item)) if item.digits().is_none() => {
                kinds.rule(JsonKind::Object).variant_of(item)
            }
            Some(Buffered::Array(items)) => match kinds.rule(JsonKind::Array) {
                Self::Items(kinds) => Self::variant_of_list(kinds, items),
                rule => rule.variant_of(&Properties::default()),
            },
            Some(item) => kinds.rule(JsonKind::new(item)?).variant_of(&Properties::default()),
            None => kinds.0.iter().find_map(Self::any),
        }
    }

    /// Returns the first variant that the rule leads to.
    fn any(&self) -> Option<usize> {
        match self {
            Self::Unknown => None,
            Self::Variant(index) => Some(*index),
            Self::Tag { texts, others, otherwise, missing, .. } => {
                let others = others.iter().map(|(_, rule)| rule);
                let mut rules = texts.values().chain(others).chain([&**otherwise, &**missing]);
                rules.find_map(Self::any)
            }
            Self::Required { properties, otherwise } => {
                let mut rules = properties.iter().map(|(_, rule)| rule).chain([&**otherwise]);
                rules.find_map(Self::any)
            }
            Self::Property { kinds, missing, .. } => {
                kinds.0.iter().chain([&**missing]).find_map(Self::any)
            }
            Self::Items(kinds) => kinds.0.iter().find_map(Self::any),
            Self::Fit(candidates) => candidates.first().map(|candidate| candidate.variant),
        }
    }

    /// Returns the properties with a constant on every way to a variant, if there is one. Objects of the variant that came
    /// another way may lack the others. Of several constants, the first is returned.
    pub(in crate::wire) fn tags(&self, variant: usize) -> Option<Vec<Tag>> {
        match self {
            Self::Unknown => None,
            Self::Variant(index) => (*index == variant).then(Vec::new),
            Self::Tag { name, texts, others, otherwise, missing } => {
                let texts = texts.iter().map(|(text, rule)| (Value::from(*text), rule));
                let others = others.iter().map(|(value, rule)| (value.clone(), rule));
                let with_tag = |(value, rule): (Value, &Self)| {
                    let mut tags = rule.tags(variant)?;
                    tags.push(Tag::new(name, value));
                    Some(tags)
                };
                let known = common(texts.chain(others).map(with_tag));
                // An object with another value has the property.
                let constant = known.iter().flatten().find(|tag| tag.name == *name);
                let otherwise = otherwise.tags(variant).map(|mut tags| {
                    tags.extend(constant.map(|tag| Tag::new(name, tag.value.clone())));
                    tags
                });
                common([known, otherwise, missing.tags(variant)])
            }
            Self::Required { properties, otherwise } => {
                let rules = properties.iter().map(|(_, rule)| rule).chain([&**otherwise]);
                common(rules.map(|rule| rule.tags(variant)))
            }
            Self::Property { kinds, missing, .. } => {
                common(kinds.0.iter().chain([&**missing]).map(|rule| rule.tags(variant)))
            }
            // Constants of items are not properties of the object that contains the list.
            Self::Items(kinds) => {
                kinds.0.iter().any(|rule| rule.tags(variant).is_some()).then(Vec::new)
            }
            Self::Fit(candidates) => {
                candidates.iter().any(|candidate| candidate.variant == variant).then(Vec::new)
            }
        }
    }

    /// Returns whether the rule, or one that follows, is about a property.
    fn mentions(&self, property: &str) -> bool {
        match self {
            Self::Unknown | Self::Variant(_) | Self::Items(_) => false,
            Self::Tag { name, texts, others, otherwise, missing } => {
                let mut rules = texts
                    .values()
                    .chain(others.iter().map(|(_, rule)| rule))
                    .chain([&**otherwise, &**missing]);
                *name == property || rules.any(|rule| rule.mentions(property))
            }
            Self::Required { properties, otherwise } => {
                let is_about =
                    |(name, rule): &(&str, Self)| *name == property || rule.mentions(property);
                properties.iter().any(is_about) || otherwise.mentions(property)
            }
            Self::Property { name, kinds, missing } => {
                let mut rules = kinds.0.iter().chain([&**missing]);
                *name == property || rules.any(|rule| rule.mentions(property))
            }
            Self::Fit(candidates) => {
                candidates.iter().any(|candidate| candidate.declared.contains(&property))
            }
        }
    }
}

/// Returns the tags that all lists have, with the values of the first one.
fn common(lists: impl IntoIterator<Item = Option<Vec<Tag>>>) -> Option<Vec<Tag>> {
    lists.into_iter().flatten().reduce(|mut known, tags| {
        known.retain(|tag| tags.iter().any(|other| other.name == tag.name));
        known
    })
}

impl Tag {
    fn new(name: &'static str, value: Value) -> Self {
        let mut json = text::lead(name).into_vec();
        text::json(&mut json, &value);
        Self { name, value, json: json.into_boxed_slice() }
    }
}

impl Candidate {
    /// Returns the distance of an object from the variant: what contradicts it, then the properties that the variant does
    /// not declare, then its constants, then its size.
    fn distance(&self, object: &Properties<'_>) -> (usize, usize, usize, usize) {
        let has = |name: &&&str| object.valued(name).is_some();
        let present = self.declared.iter().filter(has).count();
        let required = self.required.iter();
        let missing = required.filter(|name| !has(name) && !object.is_null(name)).count();
        let valued = object.count();
        let undeclared = if self.is_closed { valued.saturating_sub(present) } else { 0 };
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
            let kind = object.valued(name).and_then(JsonKind::new);
            kind.is_some_and(|kind| !kinds.contains(&kind))
        });
        let contradictions = missing + undeclared + other + mismatched.count();
        (contradictions, valued.saturating_sub(present), usize::MAX - fixed, self.declared.len())
    }
}

/// Returns whether there are only nulls and empty lists in a list.
fn is_hollow(items: &[Buffered<'_>]) -> bool {
    items.iter().all(|item| match item {
        Buffered::Null => true,
        Buffered::Array(items) => is_hollow(items),
        _ => false,
    })
}
