//! The alternatives of a schema, before they are lowered.

use std::fmt;

use crate::document::{Document, Pointer, Schema};
use crate::ir::JsonKind;

/// An alternative that becomes a variant of a union.
#[derive(Clone, Debug)]
pub enum Alternative<'d> {
    /// A schema.
    Schema(Schema<'d>),
    /// Schemas of values of the same shape; the first, and the others.
    Alike(ValueShape, Schema<'d>, Vec<Schema<'d>>),
    /// The component of this key, which extends the schema of the union.
    Extension(String, Schema<'d>),
}

impl<'d> Alternative<'d> {
    /// Returns the schema, or the first one.
    pub fn schema(&self) -> &Schema<'d> {
        match self {
            Self::Schema(schema) | Self::Alike(_, schema, _) | Self::Extension(_, schema) => schema,
        }
    }

    /// Returns the key of the component that this is.
    pub fn component_key(&self) -> Option<String> {
        match self {
            Self::Schema(schema) => Document::key_of(schema.reference()?),
            Self::Extension(key, _) => Some(key.clone()),
            Self::Alike(..) => None,
        }
    }

    /// Returns the schemas whose names are that of the alternative: scalars are named after their kind.
    pub fn named(&self) -> Vec<&Schema<'d>> {
        match self {
            Self::Schema(schema) => vec![schema],
            Self::Alike(shape, first, others) if !shape.is_scalar() => {
                std::iter::once(first).chain(others).collect()
            }
            Self::Alike(..) | Self::Extension(..) => Vec::new(),
        }
    }

    /// Returns a component that extends the schema whose discriminator distinguishes it.
    pub fn as_extension(&self) -> Self {
        match self.component_key() {
            Some(key) => Self::Extension(key, self.schema().clone()),
            None => self.clone(),
        }
    }

    /// Returns the place of the schema, or of the first one.
    pub fn pointer(&self) -> &Pointer {
        &self.schema().pointer
    }
}

/// The shape of values. Branches of the same shape are one variant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueShape {
    /// Scalars of one kind.
    Scalar(JsonKind),
    /// Any values.
    Any,
    /// Lists of one shape.
    List(Box<Self>),
    /// Maps.
    Map,
}

impl ValueShape {
    pub fn is_scalar(&self) -> bool {
        matches!(self, Self::Scalar(_))
    }

    /// Returns a name for the values: `Text`, `TextList`, `Map`.
    pub fn name(&self) -> String {
        match self {
            Self::Scalar(JsonKind::Boolean) => "Boolean".to_owned(),
            Self::Scalar(JsonKind::Number) => "Number".to_owned(),
            Self::Scalar(_) => "Text".to_owned(),
            Self::Any => "Value".to_owned(),
            Self::List(items) => items.name() + "List",
            Self::Map => "Map".to_owned(),
        }
    }
}

impl fmt::Display for ValueShape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(kind) => formatter.write_str(kind.name()),
            Self::Any => formatter.write_str("value"),
            Self::List(items) => write!(formatter, "array of {items}"),
            Self::Map => formatter.write_str("map"),
        }
    }
}
