//! The rules by which a JSON value is recognized as a variant of a union.

use std::collections::BTreeMap;

/// How a value is recognized as one of the variants of a union.
#[derive(Clone, Debug)]
pub enum Decision {
    /// It is an object with exactly one of the properties of the variants.
    Property,
    /// By the rule for its kind.
    Kinds(Kinds),
}

/// The rules for the kinds of JSON values. A value of another kind is none of the variants.
pub type Kinds = BTreeMap<JsonKind, Rule>;

/// The kind of a JSON value other than null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonKind {
    /// `true` or `false`.
    Boolean,
    /// An integer or another number.
    Number,
    /// A string.
    String,
    /// A list.
    Array,
    /// An object.
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
    Required(Vec<(String, Self)>, Option<Box<Self>>),
    /// By the kind of the value of a property, where [`Items`](Self::Items) are those of the value. The last rule is for
    /// objects without the property.
    Property(String, Kinds, Option<Box<Self>>),
    /// By the kind of the first item of a list.
    Items(Kinds),
    /// By the best fit.
    Fit(Vec<Candidate>),
}

/// The property whose value names the variant.
#[derive(Clone, Debug)]
pub struct Tag {
    /// The name of the property.
    pub name: String,
    /// The rules for known values.
    pub values: Vec<(Constant, Rule)>,
    /// The rule for other values, if they do not mean an unknown variant.
    pub otherwise: Option<Box<Rule>>,
    /// The rule for objects without the property.
    pub missing: Option<Box<Rule>>,
}

/// A constant in a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constant {
    /// A string.
    Text(String),
    /// Another value, as JSON.
    Json(String),
}

/// A variant that is chosen if it fits best.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The index of the variant.
    pub variant: usize,
    /// The required properties.
    pub required: Vec<String>,
    /// The other properties.
    pub declared: Vec<String>,
    /// The kinds of the values of properties, where these differ between the candidates.
    pub kinds: Vec<(String, Vec<JsonKind>)>,
    /// The properties with constants.
    pub fixed: Vec<(String, Vec<Constant>)>,
    /// Whether other properties are not allowed.
    pub is_closed: bool,
}
