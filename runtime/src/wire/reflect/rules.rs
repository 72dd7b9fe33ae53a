//! The rules of a union: how a JSON value is recognized as one of its variants.
//!
//! The generator decides them; decoding follows them. They never depend on the order of the variants in the spec, and no
//! variant is tried before another.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use crate::wire::encode::text;
use crate::wire::value::{Map, Value};

/// The variants and the rules of a union, as the macro writes them.
pub struct Plan {
    variants: &'static [&'static str],
    rules: &'static [&'static str],
    read: OnceLock<Rules>,
}

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
pub(in crate::wire) struct Kinds([Rule; 5]);

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

/// What follows from a rule.
pub(in crate::wire) enum Next<'r> {
    Rule(&'r Rule),
    Variant(Option<usize>),
}

/// A variant that an object may be of, by its properties.
#[derive(Default)]
pub(in crate::wire) struct Candidate {
    variant: usize,
    declared: Vec<&'static str>,
    required: Vec<&'static str>,
    /// The kinds of the values of properties, where these differ between the variants.
    kinds: Vec<(&'static str, Vec<JsonKind>)>,
    fixed: Vec<(&'static str, Vec<Value>)>,
    is_closed: bool,
}

/// The properties of an object that are not null.
pub(in crate::wire) trait Properties {
    /// Returns the value of a property.
    fn valued(&self, name: &str) -> Option<&Value>;

    /// Returns whether a property is null.
    fn is_null(&self, name: &str) -> bool;

    /// Returns the number of properties.
    fn count(&self) -> usize;
}

impl Properties for Map {
    fn valued(&self, name: &str) -> Option<&Value> {
        self.get(name).filter(|value| !value.is_null())
    }

    fn is_null(&self, name: &str) -> bool {
        self.get(name).is_some_and(Value::is_null)
    }

    fn count(&self) -> usize {
        self.values().filter(|value| !value.is_null()).count()
    }
}

impl Plan {
    /// Returns the plan of a union. Each variant has two rows: its name and `t` for integers as text. Each rule has three:
    /// its word, its text, and the variant.
    pub const fn new(variants: &'static [&'static str], rules: &'static [&'static str]) -> Self {
        Self { variants, rules, read: OnceLock::new() }
    }

    pub(in crate::wire) fn read(&self) -> &Rules {
        self.read.get_or_init(|| {
            let (variants, _) = self.variants.as_chunks();
            let names = variants.iter().enumerate().map(|(index, &[name, _])| (name, index));
            let (rows, _) = self.rules.as_chunks();
            let kinds = Reader { rows: rows.iter().peekable(), indices: names.collect() }.kinds();
            let variants = variants.iter().enumerate().map(|(index, &[name, flags])| {
                let mut tags = Vec::new();
                kinds.tags(index, &mut tags);
                Variant { name, as_text: !flags.is_empty(), tags: tags.into_boxed_slice() }
            });
            Rules { variants: variants.collect(), kinds }
        })
    }
}

impl Rules {
    /// Returns the properties that tell a variant apart from the others.
    pub(in crate::wire) fn tags(&self, variant: usize) -> &[Tag] {
        self.variants.get(variant).map_or(&[], |variant| &variant.tags)
    }
}

impl Kinds {
    /// Returns the rule for values of a kind.
    pub(in crate::wire) fn rule(&self, kind: JsonKind) -> &Rule {
        &self.0[kind as usize]
    }

    fn tags(&self, variant: usize, tags: &mut Vec<Tag>) -> bool {
        self.0.iter().any(|rule| rule.tags(variant, tags))
    }
}

impl JsonKind {
    fn named(word: &str) -> Option<Self> {
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
    pub(in crate::wire) fn new(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null => return None,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        })
    }
}

impl Rule {
    /// Returns the variant of an object.
    pub(in crate::wire) fn variant_of(&self, object: &dyn Properties) -> Option<usize> {
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

    /// Returns what follows from the value of the property that this rule is about.
    pub(in crate::wire) fn by_value(&self, value: Option<&Value>) -> Next<'_> {
        Next::Rule(match (self, value) {
            (Self::Tag { missing, .. } | Self::Property { missing, .. }, None) => missing,
            (Self::Tag { texts, others, otherwise, .. }, Some(value)) => {
                let text = value.as_str().and_then(|text| texts.get(text));
                let other = || others.iter().find(|(known, _)| known == value);
                text.or_else(|| other().map(|(_, rule)| rule)).unwrap_or(otherwise)
            }
            (Self::Property { kinds, .. }, Some(value)) => {
                let rule = JsonKind::new(value).map_or(&Self::Unknown, |kind| kinds.rule(kind));
                if let (Self::Items(kinds), Value::Array(items)) = (rule, value) {
                    return Next::Variant(Self::variant_of_list(kinds, items));
                }
                rule
            }
            _ => &Self::Unknown,
        })
    }

    /// Returns the variant of a list by its first item that is neither null nor an empty list; without one the first
    /// variant.
    pub(in crate::wire) fn variant_of_list(kinds: &Kinds, items: &[Value]) -> Option<usize> {
        let is_decisive = |item: &&Value| match item {
            Value::Null => false,
            Value::Array(items) => !is_hollow(items),
            _ => true,
        };
        match items.iter().find(is_decisive).or_else(|| items.iter().find(|item| item.is_array())) {
            Some(Value::Object(item)) => kinds.rule(JsonKind::Object).variant_of(item),
            Some(Value::Array(items)) => match kinds.rule(JsonKind::Array) {
                Self::Items(kinds) => Self::variant_of_list(kinds, items),
                rule => rule.variant_of(&Map::new()),
            },
            Some(item) => kinds.rule(JsonKind::new(item)?).variant_of(&Map::new()),
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

    /// Collects the constants on the way to a variant, and returns whether there is one.
    fn tags(&self, variant: usize, tags: &mut Vec<Tag>) -> bool {
        match self {
            Self::Unknown => false,
            Self::Variant(index) => *index == variant,
            Self::Tag { name, texts, others, otherwise, missing } => {
                let texts = texts.iter().map(|(text, rule)| (Value::from(*text), rule));
                let others = others.iter().map(|(value, rule)| (value.clone(), rule));
                // An object of the variant that may lack the property does not get it.
                let is_optional = missing.tags(variant, &mut Vec::new());
                for (value, rule) in texts.chain(others) {
                    if rule.tags(variant, tags) {
                        tags.extend((!is_optional).then(|| Tag::new(name, value)));
                        return true;
                    }
                }
                is_optional || otherwise.tags(variant, tags)
            }
            Self::Required { properties, otherwise } => {
                properties.iter().any(|(_, rule)| rule.tags(variant, tags))
                    || otherwise.tags(variant, tags)
            }
            Self::Property { kinds, missing, .. } => {
                kinds.tags(variant, tags) || missing.tags(variant, tags)
            }
            Self::Items(kinds) => kinds.tags(variant, tags),
            Self::Fit(candidates) => {
                candidates.iter().any(|candidate| candidate.variant == variant)
            }
        }
    }
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
    fn distance(&self, object: &dyn Properties) -> (usize, usize, usize, usize) {
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
                let is_fixed = values.contains(value);
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
fn is_hollow(items: &[Value]) -> bool {
    items.iter().all(|item| match item {
        Value::Null => true,
        Value::Array(items) => is_hollow(items),
        _ => false,
    })
}

/// Reads the rows of rules.
struct Reader<'a> {
    rows: std::iter::Peekable<std::slice::Iter<'a, [&'static str; 3]>>,
    indices: HashMap<&'static str, usize>,
}

impl Reader<'_> {
    /// Reads the rules for kinds, up to the end of their block.
    fn kinds(&mut self) -> Kinds {
        let mut kinds = Kinds::default();
        while let Some(&[word, _, target]) = self.rows.next() {
            let Some(kind) = JsonKind::named(word) else { break };
            kinds.0[kind as usize] = self.rule(target);
        }
        kinds
    }

    /// Reads the rule of a row: its variant, or what follows.
    fn rule(&mut self, target: &str) -> Rule {
        if !target.is_empty() {
            return self.indices.get(target).map_or(Rule::Unknown, |index| Rule::Variant(*index));
        }
        match self.rows.next() {
            Some(&["tag", name, _]) => self.tag(name),
            Some(["required", ..]) => self.required(),
            Some(&["property", name, _]) => self.property(name),
            Some(["items", ..]) => Rule::Items(Box::new(self.kinds())),
            Some(["fit", ..]) => Rule::Fit(self.candidates()),
            _ => Rule::Unknown,
        }
    }

    fn property(&mut self, name: &'static str) -> Rule {
        let mut kinds = Kinds::default();
        let mut missing = Rule::Unknown;
        while let Some(&[word, _, target]) = self.rows.next() {
            match JsonKind::named(word) {
                Some(kind) => kinds.0[kind as usize] = self.rule(target),
                None if word == "missing" => missing = self.rule(target),
                None => break,
            }
        }
        Rule::Property { name, kinds: Box::new(kinds), missing: Box::new(missing) }
    }

    fn tag(&mut self, name: &'static str) -> Rule {
        let mut texts = BTreeMap::new();
        let mut others = Vec::new();
        let mut otherwise = Rule::Unknown;
        let mut missing = Rule::Unknown;
        while let Some(&[word, text, target]) = self.rows.next() {
            match word {
                "is" => {
                    texts.insert(text, self.rule(target));
                }
                "equals" => others.push((constant(text), self.rule(target))),
                "otherwise" => otherwise = self.rule(target),
                "missing" => missing = self.rule(target),
                _ => break,
            }
        }
        let otherwise = Box::new(otherwise);
        let missing = Box::new(missing);
        Rule::Tag { name, texts, others, otherwise, missing }
    }

    fn required(&mut self) -> Rule {
        let mut properties = Vec::new();
        let mut otherwise = Rule::Unknown;
        while let Some(&[word, text, target]) = self.rows.next() {
            match word {
                "has" => properties.push((text, self.rule(target))),
                "otherwise" => otherwise = self.rule(target),
                _ => break,
            }
        }
        Rule::Required { properties, otherwise: Box::new(otherwise) }
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for &[word, text, target] in self.rows.by_ref() {
            if word == "candidate" {
                let variant = self.indices.get(target).copied().unwrap_or(usize::MAX);
                candidates.push(Candidate { variant, ..Candidate::default() });
                continue;
            }
            let Some(candidate) = candidates.last_mut() else { break };
            match word {
                "requires" => {
                    candidate.required.push(text);
                    candidate.declared.push(text);
                }
                "declares" => candidate.declared.push(text),
                "kinds" => candidate.kinds.push((text, Vec::new())),
                "fixes" => candidate.fixed.push((text, Vec::new())),
                "is" | "equals" => {
                    let value = if word == "is" { Value::from(text) } else { constant(text) };
                    if let Some((_, values)) = candidate.fixed.last_mut() {
                        values.push(value);
                    }
                }
                "closed" => candidate.is_closed = true,
                word => {
                    let Some(kind) = JsonKind::named(word) else { break };
                    if let Some((_, kinds)) = candidate.kinds.last_mut() {
                        kinds.push(kind);
                    }
                }
            }
        }
        candidates
    }
}

/// Reads a constant, which is JSON.
fn constant(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}
