//! The lists and objects that a schema allows, by the schemas that describe them.

use std::collections::HashSet;

use crate::document::{AdditionalProperties, Pointer, Schema};

/// The lists or the objects that a schema allows, of all parts.
#[derive(Clone, Debug, Default)]
pub struct Containers<'d> {
    /// The schemas that describe them, each once.
    pub parts: Vec<Schema<'d>>,
    /// The schema of the items of lists; of alternatives, the first schema of items.
    pub items: Option<Schema<'d>>,
    /// Whether one of the parts is described by alternatives.
    pub has_alternatives: bool,
}

impl<'d> Containers<'d> {
    pub const ANY: Self = Self { parts: Vec::new(), items: None, has_alternatives: false };

    pub fn of(schema: &Schema<'d>) -> Self {
        Self { parts: vec![schema.clone()], items: schema.items(), has_alternatives: false }
    }

    /// Returns the containers that both describe.
    pub fn meet(mut self, other: Self) -> Self {
        // Other parts differ from each other.
        let own = self.parts.len();
        for part in other.parts {
            if self.parts[..own].iter().all(|known| known.pointer != part.pointer) {
                self.parts.push(part);
            }
        }
        let items = self.items.take().or(other.items);
        Self { items, has_alternatives: self.has_alternatives || other.has_alternatives, ..self }
    }

    /// Returns the containers that one or the other describes.
    pub fn join(self, other: Self) -> Self {
        let is_same = self.form() == other.form();
        let either = self.meet(other);
        Self { has_alternatives: either.has_alternatives || !is_same, ..either }
    }

    /// Replaces the parts by the schema of alternatives that differ, or by none if the alternatives only constrain.
    pub fn describe_alternatives(&mut self, schema: &Schema<'d>, has_alternatives: bool) {
        if !has_alternatives {
            *self = Self::ANY;
        } else if self.has_alternatives {
            self.parts = vec![schema.clone()];
        }
    }

    /// Returns the places of the parts, and whether there are alternatives: containers with the same form are equal.
    pub fn form(&self) -> (HashSet<&Pointer>, bool) {
        (self.parts.iter().map(|part| &part.pointer).collect(), self.has_alternatives)
    }

    /// Returns whether objects have no property that is described by its name.
    pub fn is_map(&self) -> bool {
        let is_named = |part: &Schema<'d>| {
            part.has_properties()
                || part.required().next().is_some()
                || part.has("patternProperties")
                || matches!(part.additional_properties(), Some(AdditionalProperties::Any(false)))
        };
        !self.has_alternatives && !self.parts.iter().any(is_named)
    }

    /// Returns whether objects have one of several schemas, and no property is in all of them.
    pub fn is_union(&self) -> bool {
        self.has_alternatives && !self.parts.iter().any(Schema::has_properties)
    }
}
