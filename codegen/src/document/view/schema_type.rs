//! The types of JSON Schema.

use crate::document::Node;

/// A primitive type of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SchemaType {
    /// `null`.
    Null,
    /// `boolean`.
    Boolean,
    /// `integer`.
    Integer,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `array`.
    Array,
    /// `object`.
    Object,
}

impl SchemaType {
    pub(super) const ALL: [Self; 7] = [
        Self::Null,
        Self::Boolean,
        Self::Integer,
        Self::Number,
        Self::String,
        Self::Array,
        Self::Object,
    ];

    pub(in crate::document) fn allows(self, value: &Node) -> bool {
        match (self, Self::of_value(value)) {
            (Self::Number, Self::Integer) => true,
            (Self::Integer, Self::Number) => matches!(value, Node::Float(it) if it.fract() == 0.0),
            (ty, of_value) => ty == of_value,
        }
    }

    /// Returns whether a value has the type, or would have it with or without quotes.
    pub(in crate::document) fn is_meant_by(self, value: &Node) -> bool {
        let text = value.as_str().unwrap_or_default();
        self.allows(value)
            || match self {
                Self::String => value.scalar().is_some(),
                Self::Integer | Self::Number => text.parse::<f64>().is_ok(),
                Self::Boolean => text.parse::<bool>().is_ok(),
                Self::Null | Self::Array | Self::Object => false,
            }
    }

    /// Returns the type that a schema names; YAML reads `null` without quotes as no text.
    pub(super) fn read(name: &Node) -> Option<Self> {
        match name {
            Node::Null => Some(Self::Null),
            name => Self::from_name(name.as_str()?),
        }
    }

    pub(in crate::document) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// Returns the name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// Returns the type of a value.
    pub fn of_value(value: &Node) -> Self {
        match value {
            Node::Null => Self::Null,
            Node::Bool(_) => Self::Boolean,
            Node::Integer(_) => Self::Integer,
            Node::Float(_) => Self::Number,
            Node::String(_) => Self::String,
            Node::Array(_) => Self::Array,
            Node::Object(_) => Self::Object,
        }
    }
}
