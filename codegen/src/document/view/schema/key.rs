//! The identity of a schema, which is read with its alternatives or without them.

use super::{Schema, SchemaType, View};

/// The identity of a schema: schemas with equal keys are the same value, read in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SchemaKey {
    /// The address of the value, which has one place.
    node: usize,
    is_reference: bool,
    is_base: bool,
    only_type: Option<SchemaType>,
    others: Vec<Self>,
}

impl Schema<'_> {
    /// Returns the schema without its alternatives, as it applies to each of them.
    #[must_use]
    pub fn base(&self) -> Self {
        Self { view: View { is_base: true, ..self.view.clone() }, ..self.clone() }
    }

    /// Returns the schema with its alternatives.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self { view: View { is_base: false, ..self.view.clone() }, ..self.clone() }
    }

    /// Returns the identity of the schema.
    pub fn key(&self) -> SchemaKey {
        SchemaKey {
            node: std::ptr::from_ref(self.node).addr(),
            is_reference: self.is_reference,
            is_base: self.is_base,
            only_type: self.only_type,
            others: self.others.iter().map(Self::key).collect(),
        }
    }
}
