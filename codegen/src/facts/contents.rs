//! The contents of lists and objects, to which several schemas can apply: the schemas that describe them are compared.

use std::collections::HashMap;

use super::containers::Containers;
use super::read::Read;
use super::values::{Scalar, Values};
use crate::document::{AdditionalProperties, Pointer, Schema};
use crate::ir::{JsonKind, Type};

/// Maximum nesting of lists and maps that are compared.
const MAX_DEPTH: usize = 16;

/// Maximum number of schemas that are compared for one.
const MAX_COMPARED: usize = 256;

/// Which of two schemas of the same values describe these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Describing {
    /// The first one: the second adds nothing.
    First,
    /// The second one: the first adds nothing.
    Second,
    /// Both.
    Both,
    /// The second one: no value is valid for both, or they cannot be merged.
    Replacing,
}

impl<'d> Containers<'d> {
    /// Returns the schemas of the elements of lists, and the keyword that has them.
    pub fn elements(&self) -> (&'static str, Vec<Schema<'d>>) {
        match self.parts.iter().find(|part| part.is_tuple()) {
            Some(tuple) => {
                let elements = tuple.first_items().into_iter().chain(tuple.items());
                (tuple.first_items_keyword(), elements.collect())
            }
            None => ("items", Comparison::default().items(self).into_iter().collect()),
        }
    }

    /// Returns the schemas of the properties of maps: the schemas of patterns, and the schema of all others. Without
    /// the latter, the patterns are taken for all properties.
    pub fn values(&self) -> Vec<Schema<'d>> {
        let others = Comparison::default().values(self);
        let allows_any = |part: &Schema<'d>| {
            matches!(part.additional_properties(), Some(AdditionalProperties::Any(true)))
        };
        if others.is_none() && self.parts.iter().any(allows_any) {
            return Vec::new();
        }
        self.parts.iter().flat_map(Schema::patterns).chain(others).collect()
    }

    /// Returns whether objects name their type in `@type`, and nothing else of them is described.
    pub fn is_typed(&self) -> bool {
        let [part] = self.parts.as_slice() else { return false };
        let mut properties = part.properties();
        let is_type = |(name, ty): (&str, Schema<'d>)| {
            name == "@type"
                && matches!(Values::of(&ty).scalar(), Some(Scalar::Simple(Type::String)))
        };
        properties.next().is_some_and(is_type)
            && properties.next().is_none()
            && matches!(part.additional_properties(), Some(AdditionalProperties::Any(true)))
    }
}

/// Returns which of two schemas describe values to which both apply.
pub fn describing<'d>(first: &Schema<'d>, second: &Schema<'d>) -> Describing {
    Comparison::default().compared(first, second)
}

/// Compares schemas of the same values, and the schemas of the items and properties in them.
#[derive(Default)]
struct Comparison {
    /// What is known of two schemas. While they are being compared, the second one is taken: it can contain itself.
    known: HashMap<[Vec<Pointer>; 2], Describing>,
    depth: usize,
}

impl Comparison {
    fn compared<'d>(&mut self, first: &Schema<'d>, second: &Schema<'d>) -> Describing {
        let key = [first.pointers(), second.pointers()];
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.depth == MAX_DEPTH || self.known.len() == MAX_COMPARED {
            return Describing::Replacing;
        }
        self.known.insert(key.clone(), Describing::Second);
        self.depth += 1;
        let describing = self.described(&Values::of(first), &Values::of(second));
        self.depth -= 1;
        self.known.insert(key, describing);
        describing
    }

    fn described(&mut self, values: &Values<'_>, others: &Values<'_>) -> Describing {
        let both = values.clone().meet(others.clone());
        if both.is_empty() {
            return Describing::Replacing;
        }
        if both.is_same(others) {
            return Describing::Second;
        }
        if both.is_same(values) {
            return Describing::First;
        }
        let kind = both.only_kind();
        let described = [values, others].map(|values| match kind {
            Some(JsonKind::Array) => values.lists.as_ref(),
            _ => values.objects.as_ref(),
        });
        match (kind, described) {
            (None, _) => Describing::Replacing,
            (Some(JsonKind::Array), [Some(lists), Some(others)]) => {
                let inner = (self.items(lists), self.items(others));
                self.of_inner(inner)
            }
            (Some(JsonKind::Object), [Some(objects), Some(others)]) => {
                self.of_objects(objects, others)
            }
            _ => Describing::Both,
        }
    }

    fn of_objects(&mut self, objects: &Containers<'_>, others: &Containers<'_>) -> Describing {
        let values = self.values(others);
        match () {
            () if others.is_map() && values.is_none() => Describing::First,
            () if objects.is_map() && others.is_map() => {
                let inner = (self.values(objects), values);
                self.of_inner(inner)
            }
            () if !objects.is_union() && !others.is_union() => Describing::Both,
            () => Describing::Replacing,
        }
    }

    /// Returns which of two lists or maps describe values, by the schemas in them.
    fn of_inner(&mut self, schemas: (Option<Schema<'_>>, Option<Schema<'_>>)) -> Describing {
        match schemas {
            (Some(first), Some(second)) => match self.compared(&first, &second) {
                Describing::Replacing => Describing::Second,
                describing => describing,
            },
            (Some(_), None) => Describing::First,
            (None, _) => Describing::Second,
        }
    }

    /// Returns the schema of the items of lists.
    fn items<'d>(&mut self, lists: &Containers<'d>) -> Option<Schema<'d>> {
        self.met(lists.parts.iter().filter_map(Schema::items))
    }

    /// Returns the schema of the values of maps.
    fn values<'d>(&mut self, objects: &Containers<'d>) -> Option<Schema<'d>> {
        self.met(objects.parts.iter().filter_map(|part| match part.additional_properties()? {
            AdditionalProperties::Schema(values) => Some(values),
            AdditionalProperties::Any(_) => None,
        }))
    }

    /// Returns the schema of values to which several apply, the last one first.
    fn met<'d>(&mut self, schemas: impl Iterator<Item = Schema<'d>>) -> Option<Schema<'d>> {
        schemas.reduce(|earlier, later| match self.compared(&earlier, &later) {
            Describing::First => earlier,
            Describing::Second | Describing::Replacing => later,
            Describing::Both => later.meet(earlier),
        })
    }
}
