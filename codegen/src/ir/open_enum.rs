//! Enums of strings or integers.

use super::{JsonKind, VariantName};

/// An enum of strings or integers with a variant for unknown values.
#[derive(Clone, Debug)]
pub struct OpenEnum {
    /// The JSON type of the values.
    pub kind: EnumKind,
    /// The known values, in the order of the document.
    pub variants: Vec<EnumVariant>,
    /// Whether the document also allows other values.
    pub takes_any: bool,
}

impl OpenEnum {
    /// Returns the only value that the document allows.
    pub fn constant(&self) -> Option<&EnumVariant> {
        match self.variants.as_slice() {
            [only] if !self.takes_any => Some(only),
            _ => None,
        }
    }
}

/// The JSON type of the values of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumKind {
    /// Strings.
    Text,
    Integer,
}

impl EnumKind {
    /// Returns the kind of the values in JSON.
    pub fn json(self) -> JsonKind {
        match self {
            Self::Text => JsonKind::String,
            Self::Integer => JsonKind::Number,
        }
    }
}

/// A known value of an [`OpenEnum`].
#[derive(Clone, Debug)]
pub struct EnumVariant {
    pub name: VariantName,
    /// The value on the wire; of an integer, its digits.
    pub value: String,
    /// The description, in CommonMark, as written.
    pub description: Option<String>,
    /// The JSON pointer to the value.
    pub pointer: String,
}
