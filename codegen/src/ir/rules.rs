//! The rules by which a JSON value is recognized as a variant of a union.

use std::collections::{BTreeMap, BTreeSet};

/// How a value is recognized as one of the variants of a union.
#[derive(Clone, Debug)]
pub enum Decision {
    /// It is an object with exactly one of the properties of the variants.
    Property,
    Rules(Rules),
}

/// The rules of a union. Several rules can lead to the same one, and none leads to itself.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The rules for the kinds of JSON values. A value of another kind matches none of the variants.
    pub kinds: Kinds,
    /// For each variant, the properties with a constant that all its objects have.
    pub tags: Vec<Vec<(String, Constant)>>,
    /// The properties that only some variants describe, if an object can match several of them.
    pub siblings: Vec<String>,
    /// Whether the schema of the union allows properties that its variants do not describe.
    pub is_open: bool,
    /// For each variant, the properties by whose values its objects are recognized, with its own ones among these values.
    pub recognized: Vec<BTreeMap<String, BTreeSet<Constant>>>,
    all: Vec<Rule>,
}

/// Maximum number of rules within each other where they are written.
const MAX_NESTED: usize = 6;

/// The index of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(usize);

/// The rules for the kinds of values. Kinds with the same rule are one entry.
pub type Kinds = Vec<(Vec<JsonKind>, RuleId)>;

/// The kind of a JSON value other than null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonKind {
    /// `true` or `false`.
    Boolean,
    /// An integer or another number.
    Number,
    String,
    /// A list.
    Array,
    Object,
}

impl JsonKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Boolean, Self::Number, Self::String, Self::Array, Self::Object];

    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// The variant of a value, or how it is recognized.
#[derive(Clone, Debug)]
pub enum Rule {
    /// The variant at this index.
    Variant(usize),
    /// By the value of a property.
    Tag(Tag),
    /// By the presence of a property: the first of these, or else the other rule.
    Required(Vec<(String, RuleId)>, Option<RuleId>),
    /// By the kind of the value of a property, where [`ItemsRule`](Self::Items) are the items of the value, or the value itself
    /// if it is an object. The last rule is for objects without the property.
    Property(String, Kinds, Option<RuleId>),
    /// By the items of a list: the first one that matches a rule.
    Items(ItemsRule),
    /// By the best fit.
    Fit(Vec<Candidate>),
}

/// The property whose value names the variant.
#[derive(Clone, Debug)]
pub struct Tag {
    /// The name of the property.
    pub name: String,
    /// The rules for known values. Values with the same rule are one entry.
    pub values: Vec<(Vec<Constant>, RuleId)>,
    /// The rule for other values, if they do not mean an unknown variant.
    pub otherwise: Option<RuleId>,
    /// The rule for objects without the property.
    pub missing: Option<RuleId>,
}

/// The items of a list, the first of which names the variant, or an object within the object of the union.
#[derive(Clone, Debug)]
pub struct ItemsRule {
    pub is_object: bool,
    /// The rules for the kinds of an item.
    pub kinds: Kinds,
    /// The rule for lists without items.
    pub empty: Option<RuleId>,
    /// The rule for items that match no other rule, if they do not mean an unknown variant.
    pub otherwise: Option<RuleId>,
}

/// A constant in a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constant {
    Text(String),
    /// A number or a boolean, as JSON.
    Json(String),
}

impl Constant {
    /// Returns the string, or the JSON of another value.
    pub fn text(&self) -> &str {
        let (Self::Text(text) | Self::Json(text)) = self;
        text
    }

    /// Returns the kind of the value.
    pub fn kind(&self) -> JsonKind {
        match self {
            Self::Text(_) => JsonKind::String,
            Self::Json(value) if matches!(value.as_str(), "true" | "false") => JsonKind::Boolean,
            Self::Json(_) => JsonKind::Number,
        }
    }
}

/// A variant that is chosen if it fits best.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The index of the variant.
    pub variant: usize,
    /// The required properties, and then the others.
    pub properties: Vec<CandidateProperty>,
    /// Whether other properties are not allowed.
    pub is_closed: bool,
}

#[derive(Clone, Debug)]
pub struct CandidateProperty {
    /// The name of the property.
    pub name: String,
    /// Whether all objects of the variant have the property.
    pub is_required: bool,
    /// Whether it can be null, which it cannot be for another candidate.
    pub is_nullable: bool,
    /// The kinds of its values, if these differ between the candidates.
    pub kinds: Vec<JsonKind>,
    /// Whether the strings among these are date-times.
    pub is_time: bool,
    /// Its only values, if they are listed.
    pub constants: Vec<Constant>,
}

impl Rules {
    pub fn add(&mut self, rule: Rule) -> RuleId {
        self.all.push(rule);
        RuleId(self.all.len() - 1)
    }

    /// Replaces a rule.
    pub fn set(&mut self, id: RuleId, rule: Rule) {
        self.all[id.0] = rule;
    }

    pub fn get(&self, id: RuleId) -> &Rule {
        &self.all[id.0]
    }

    /// Ends the decisions by nulls of optional properties, if these are not retained.
    pub fn ignore_nulls(&mut self) {
        for rule in &mut self.all {
            let Rule::Fit(candidates) = rule else { continue };
            for property in candidates.iter_mut().flat_map(|it| &mut it.properties) {
                property.is_nullable &= property.is_required;
            }
        }
    }

    /// Returns the rule for values of a kind.
    pub fn of_kind(&self, wanted: JsonKind) -> Option<&Rule> {
        let (_, id) = self.kinds.iter().find(|(kinds, _)| kinds.contains(&wanted))?;
        Some(self.get(*id))
    }

    /// Returns the variant that a rule is, if nothing else is asked.
    pub fn variant(&self, id: RuleId) -> Option<usize> {
        match self.get(id) {
            Rule::Variant(index) => Some(*index),
            _ => None,
        }
    }

    /// Returns the rules that are written on their own, because several rules lead to them, or because they would be
    /// nested too deeply. Each is after the rules that it leads to.
    pub fn separate(&self) -> Vec<RuleId> {
        let order = self.in_order();
        let mut uses = vec![0_usize; self.all.len()];
        for id in order.iter().flat_map(|id| self.get(*id).next()) {
            uses[id.0] += 1;
        }
        for (_, id) in &self.kinds {
            uses[id.0] += 1;
        }
        let mut heights = vec![0_usize; self.all.len()];
        let mut separate = Vec::new();
        for id in order.into_iter().filter(|id| self.variant(*id).is_none()) {
            let height = self.get(id).next().into_iter().map(|id| heights[id.0]).max();
            let height = height.unwrap_or_default() + 1;
            if uses[id.0] > 1 || height == MAX_NESTED {
                separate.push(id);
            } else {
                heights[id.0] = height;
            }
        }
        separate
    }

    /// Returns all rules that values lead to, each after the rules that it leads to itself.
    pub fn in_order(&self) -> Vec<RuleId> {
        let mut order = Vec::new();
        let mut is_known = vec![false; self.all.len()];
        let mut open: Vec<(RuleId, bool)> =
            self.kinds.iter().rev().map(|(_, id)| (*id, false)).collect();
        while let Some((id, is_done)) = open.pop() {
            if is_done {
                order.push(id);
            } else if !std::mem::replace(&mut is_known[id.0], true) {
                open.push((id, true));
                open.extend(self.get(id).next().into_iter().rev().map(|id| (id, false)));
            }
        }
        order
    }
}

impl Rule {
    /// Returns the rules that this one leads to.
    pub fn next(&self) -> Vec<RuleId> {
        let (mut next, others) = match self {
            Self::Variant(_) | Self::Fit(_) => (Vec::new(), [None, None]),
            Self::Tag(tag) => (ids(&tag.values), [tag.otherwise, tag.missing]),
            Self::Required(properties, otherwise) => (ids(properties), [*otherwise, None]),
            Self::Property(_, kinds, missing) => (ids(kinds), [*missing, None]),
            Self::Items(items) => {
                let otherwise = items.otherwise.filter(|id| Some(*id) != items.empty);
                (ids(&items.kinds), [items.empty, otherwise])
            }
        };
        next.extend(others.into_iter().flatten());
        next
    }
}

fn ids<T>(parts: &[(T, RuleId)]) -> Vec<RuleId> {
    parts.iter().map(|(_, id)| *id).collect()
}
