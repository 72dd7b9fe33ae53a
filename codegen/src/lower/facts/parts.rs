//! The schemas that describe the same values, of which each can have only a part of the keywords.

use std::collections::HashSet;

use super::constraints::{describes, has_alternatives, is_null};
use super::read::Read;
use super::values::Values;
use crate::document::{AdditionalProperties, Pointer, Schema};
use crate::ir::JsonKind;

/// Maximum number of schemas that are read for one value.
const MAX_PARTS: usize = 64;

/// Maximum nesting of lists and maps that are compared.
const MAX_DEPTH: usize = 16;

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

/// The parts of a schema: itself, the targets of references, and the schemas of `allOf`, through any number of steps.
#[derive(Default)]
pub struct Parts<'d> {
    all: Vec<Schema<'d>>,
    seen: HashSet<Pointer>,
    /// The places of the parts that describe values.
    describing: HashSet<Pointer>,
    has_alternatives: bool,
}

impl<'d> Parts<'d> {
    /// Collects the parts of a schema.
    pub fn of(schema: &Schema<'d>) -> Self {
        let mut parts = Self::default();
        parts.add(schema, 0);
        parts
    }

    fn add(&mut self, schema: &Schema<'d>, depth: usize) {
        if depth == MAX_PARTS || self.all.len() == MAX_PARTS {
            return;
        }
        if let Some(target) = schema.target() {
            return self.add(&target, depth + 1);
        }
        if !self.seen.insert(schema.pointer.clone()) {
            return;
        }
        schema.all_of().iter().for_each(|part| self.add(part, depth + 1));
        let mut branches: Vec<_> = schema.one_of().into_iter().chain(schema.any_of()).collect();
        let is_union = has_alternatives(&branches, schema);
        branches.retain(|branch| !is_null(branch));
        if let [sole] = branches.as_slice() {
            self.add(sole, depth + 1);
        } else if is_union {
            self.has_alternatives = true;
        }
        if is_union && branches.len() > 1 || describes(schema) {
            self.describing.insert(schema.pointer.clone());
        }
        self.all.push(schema.clone());
    }

    /// Returns the schema of the items of lists.
    pub fn items(&self) -> Option<Schema<'d>> {
        met(self.all.iter().filter_map(Schema::items))
    }

    /// Returns the schema of the values of maps.
    pub fn values(&self) -> Option<Schema<'d>> {
        met(self.all.iter().filter_map(|part| match part.additional_properties()? {
            AdditionalProperties::Schema(values) => Some(values),
            AdditionalProperties::Any(_) => None,
        }))
    }

    /// Returns whether objects have no property that is described by its name.
    pub fn is_map(&self) -> bool {
        let is_named = |part: &Schema<'d>| {
            part.has_properties()
                || part.required().next().is_some()
                || part.has("patternProperties")
                || matches!(part.additional_properties(), Some(AdditionalProperties::Any(false)))
        };
        !self.has_alternatives && !self.all.iter().any(is_named)
    }

    /// Returns whether nothing is described of objects.
    fn is_silent_object(&self) -> bool {
        self.is_map() && self.all.iter().all(|part| part.additional_properties().is_none())
    }

    /// Returns whether the first elements of lists are described one by one.
    pub fn is_tuple(&self) -> bool {
        self.all.iter().any(Schema::is_tuple)
    }

    /// Returns whether values have one of several schemas, and no property that all have.
    fn is_union(&self) -> bool {
        self.has_alternatives && !self.all.iter().any(Schema::has_properties)
    }
}

/// Returns which of two schemas describe values to which both apply.
pub fn describing<'d>(first: &Schema<'d>, second: &Schema<'d>) -> Describing {
    compared(first, second, 0)
}

fn compared<'d>(first: &Schema<'d>, second: &Schema<'d>, depth: usize) -> Describing {
    let (parts, other_parts) = (Parts::of(first), Parts::of(second));
    let (values, others) = (Values::of(first), Values::of(second));
    let both = values.clone().meet(others.clone());
    let kinds = both.kinds();
    match kinds.first().filter(|_| kinds.len() == 1) {
        Some(JsonKind::Array | JsonKind::Object) | None => {}
        Some(_) if both.is_empty() => return Describing::Replacing,
        Some(_) if both.is_same(&others) => return Describing::Second,
        Some(_) if both.is_same(&values) => return Describing::First,
        Some(_) => return Describing::Both,
    }
    if parts.describing.is_subset(&other_parts.describing) {
        return Describing::Second;
    }
    if other_parts.describing.is_subset(&parts.describing) {
        return Describing::First;
    }
    match kinds.first().filter(|_| kinds.len() == 1 && depth < MAX_DEPTH) {
        Some(JsonKind::Array) => of_inner(parts.items(), other_parts.items(), depth),
        Some(_) if other_parts.is_map() && other_parts.values().is_none() => Describing::First,
        Some(_) if parts.is_silent_object() => Describing::Second,
        Some(_) if parts.is_map() && other_parts.is_map() => {
            of_inner(parts.values(), other_parts.values(), depth)
        }
        Some(_) if !parts.is_union() && !other_parts.is_union() => Describing::Both,
        _ => Describing::Replacing,
    }
}

/// Returns which of two lists or maps describe values, by the schemas in them.
fn of_inner<'d>(first: Option<Schema<'d>>, second: Option<Schema<'d>>, depth: usize) -> Describing {
    match (first, second) {
        (Some(first), Some(second)) => match compared(&first, &second, depth + 1) {
            Describing::Replacing => Describing::Second,
            describing => describing,
        },
        (Some(_), None) => Describing::First,
        (None, _) => Describing::Second,
    }
}

/// Returns the schema of values to which several apply, the last one first.
fn met<'d>(schemas: impl Iterator<Item = Schema<'d>>) -> Option<Schema<'d>> {
    schemas.reduce(|earlier, later| match describing(&earlier, &later) {
        Describing::First => earlier,
        Describing::Second | Describing::Replacing => later,
        Describing::Both => later.meet(earlier),
    })
}
