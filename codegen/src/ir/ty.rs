//! The types of fields, parameters, elements and bodies, which refer to named types.

use super::{JsonKind, Scalar};

/// The index of a named type in [`Api::types`](super::Api::types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(usize);

impl TypeId {
    pub(crate) fn new(index: usize) -> Self {
        Self(index)
    }

    /// Returns the index into [`Api::types`](super::Api::types).
    pub fn index(self) -> usize {
        self.0
    }
}

/// The index of a struct in [`Api::types`](super::Api::types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructId(TypeId);

impl StructId {
    /// Wraps the id of a type that is known to be a struct.
    pub(crate) fn new(id: TypeId) -> Self {
        Self(id)
    }

    /// Returns the id among all types.
    pub fn type_id(self) -> TypeId {
        self.0
    }
}

/// The type of a field, a parameter, an element or a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Scalar(Scalar),
    String,
    /// `String`: bytes, as far as JSON can carry them. A form in parts has [`Upload`](Self::Upload) instead.
    Binary,
    /// Content that is sent as it is: a file of a form, or a body.
    Upload,
    /// Any JSON value.
    Value,
    /// A free-form JSON object.
    Map,
    /// An object with nothing but `@type` and other properties.
    TypedObject,
    List(Box<Type>),
    /// An object with values of this type.
    Dictionary(Box<Type>),
    /// A response body, an element of a list or a value of a map that may be null.
    Nullable(Box<Type>),
    Named(TypeId),
    /// An enum of strings, at a place that allows any other string.
    AnyText(TypeId),
    /// A value that is redacted in logs.
    Secret(Box<Type>),
    /// A type of another crate, which reads and writes itself.
    Own(OwnType),
}

/// A type of another crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnType {
    /// The path of the type, which begins with the name of its crate.
    pub path: String,
    /// The only kind of its JSON values.
    pub kind: Option<JsonKind>,
}

impl Type {
    pub(crate) const BOOL: Self = Self::Scalar(Scalar::Bool);
    pub(crate) const FLOAT64: Self = Self::Scalar(Scalar::Float64);

    /// Returns whether this is content that is sent as it is, or a list or a map of that.
    pub fn is_upload(&self) -> bool {
        match self {
            Self::List(inner) | Self::Dictionary(inner) => inner.is_upload(),
            ty => *ty == Self::Upload,
        }
    }

    /// Returns whether values are integers in Rust, which JSON can carry as strings, and which may be secrets.
    pub fn is_integer(&self) -> bool {
        match self {
            Self::Secret(inner) => inner.is_integer(),
            Self::Scalar(scalar) => scalar.is_integer(),
            _ => false,
        }
    }

    /// Returns whether values are strings of any content, in a type of the standard library or another crate.
    pub fn is_string(&self) -> bool {
        matches!(self, Self::String)
            || matches!(self, Self::Own(own) if own.kind == Some(JsonKind::String))
    }

    /// Returns whether JSON has integers of the type as strings, or any text in place of values of an enum.
    pub fn is_text(&self) -> bool {
        match self.innermost() {
            Self::Secret(inner) => inner.is_text(),
            Self::Scalar(it) => it.is_integer() && it.row().kind == JsonKind::String,
            ty => matches!(ty, Self::AnyText(_)),
        }
    }

    /// Returns the only kind of the JSON values; `None` for any JSON, and for named types.
    pub fn kind(&self) -> Option<JsonKind> {
        Some(match self {
            Self::Scalar(scalar) => scalar.row().kind,
            Self::String | Self::Binary | Self::AnyText(_) => JsonKind::String,
            Self::List(_) => JsonKind::Array,
            Self::Map | Self::TypedObject | Self::Dictionary(_) => JsonKind::Object,
            Self::Secret(inner) => return inner.kind(),
            Self::Own(own) => return own.kind,
            Self::Upload | Self::Value | Self::Nullable(_) | Self::Named(_) => return None,
        })
    }

    /// Returns the type of the values other than null.
    pub fn not_null(&self) -> &Self {
        if let Self::Nullable(inner) = self { inner } else { self }
    }

    /// Returns what lists and maps contain in the end, other than null.
    pub fn innermost(&self) -> &Self {
        match self {
            Self::List(inner) | Self::Dictionary(inner) | Self::Nullable(inner) => {
                inner.innermost()
            }
            innermost => innermost,
        }
    }

    /// Returns the type with other ones for what lists and maps contain in the end.
    #[must_use]
    pub fn map_innermost(self, change: &mut dyn FnMut(Self) -> Self) -> Self {
        match self {
            Self::List(item) => Self::List(Box::new(item.map_innermost(change))),
            Self::Dictionary(value) => Self::Dictionary(Box::new(value.map_innermost(change))),
            Self::Nullable(inner) => Self::Nullable(Box::new(inner.map_innermost(change))),
            innermost => change(innermost),
        }
    }

    /// Returns the named type of this type or its innermost element.
    pub fn named(&self) -> Option<TypeId> {
        match self.innermost() {
            Self::Named(id) | Self::AnyText(id) => Some(*id),
            Self::Secret(inner) => inner.named(),
            _ => None,
        }
    }
}
