//! The alternatives of a schema, before they are lowered.

use crate::document::{Document, Pointer, Schema};
use crate::ir::JsonKind;

/// An alternative that becomes a variant of a union.
#[derive(Clone, Debug)]
pub enum Alternative<'d> {
    /// A schema.
    Schema(Schema<'d>),
    /// Schemas of scalars of one kind; the first, and the others.
    Scalars(JsonKind, Schema<'d>, Vec<Schema<'d>>),
    /// The component of this key, which extends the schema of the union.
    Extension(String, Schema<'d>),
}

impl<'d> Alternative<'d> {
    /// Returns the schema, or the first one.
    pub fn schema(&self) -> &Schema<'d> {
        match self {
            Self::Schema(schema) | Self::Scalars(_, schema, _) | Self::Extension(_, schema) => {
                schema
            }
        }
    }

    /// Returns the key of the component that this is.
    pub fn component_key(&self) -> Option<String> {
        match self {
            Self::Schema(schema) => Document::key_of(schema.reference()?),
            Self::Extension(key, _) => Some(key.clone()),
            Self::Scalars(..) => None,
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
