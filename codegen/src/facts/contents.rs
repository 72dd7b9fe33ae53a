//! The contents of lists and objects, to which several schemas can apply: the schemas that describe them are compared.

use super::containers::Containers;
use super::reader::Known;
use super::values::Values;
use crate::document::{AdditionalProperties, Schema};
use crate::ir::{JsonKind, Type};

/// Maximum nesting of lists and maps that are compared.
const MAX_DEPTH: usize = 16;

/// Maximum number of schemas that are compared for one.
const MAX_COMPARED: usize = 256;

/// Which of two schemas that apply to the same values decides their type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Describing {
    /// The first one: the second adds nothing.
    First,
    /// The second one: the first adds nothing.
    Second,
    Both,
    /// The second one: no value is valid for both, or they cannot be merged.
    Replacing,
}

impl<'d> Containers<'d> {
    /// Returns the schemas of the elements of lists, and the keyword that has them.
    pub fn elements(&self, known: &Known<'d>) -> (&'static str, Vec<Schema<'d>>) {
        match self.parts.iter().find(|part| part.is_tuple()) {
            Some(tuple) => {
                let keyword = if tuple.has("prefixItems") { "prefixItems" } else { "items" };
                let first = tuple.list(keyword).map(Schema::from);
                (keyword, first.chain(tuple.items()).collect())
            }
            None => {
                ("items", schema_of_all(self.all_items().collect(), known).into_iter().collect())
            }
        }
    }

    /// Returns the schemas of the properties of maps: the schemas of patterns, and the schema of all others. Without
    /// the latter, the patterns are taken for all properties.
    pub fn values(&self, known: &Known<'d>) -> Vec<Schema<'d>> {
        let others = schema_of_all(self.all_values().collect(), known);
        let allows_any = |part: &Schema<'d>| {
            matches!(part.additional_properties(), Some(AdditionalProperties::Any(true)))
        };
        if others.is_none() && self.parts.iter().any(allows_any) {
            return Vec::new();
        }
        self.parts.iter().flat_map(Schema::patterns).chain(others).collect()
    }

    fn all_items(&self) -> impl Iterator<Item = Schema<'d>> {
        self.parts.iter().filter_map(Schema::items)
    }

    fn all_values(&self) -> impl Iterator<Item = Schema<'d>> {
        self.parts.iter().filter_map(|part| match part.additional_properties()? {
            AdditionalProperties::Schema(values) => Some(values),
            AdditionalProperties::Any(_) => None,
        })
    }

    /// Returns whether objects name their type in `@type`, and nothing else of them is described.
    pub fn is_typed(&self, known: &Known<'d>) -> bool {
        let [part] = self.parts.as_slice() else { return false };
        let mut properties = part.properties();
        let is_type = |(name, ty): (&str, Schema<'d>)| {
            name == "@type" && known.values(&ty).simple() == Some(Type::String)
        };
        properties.next().is_some_and(is_type)
            && properties.next().is_none()
            && matches!(part.additional_properties(), Some(AdditionalProperties::Any(true)))
    }
}

/// What several schemas that apply to the same values say together. Each of them is read once.
#[derive(Clone, Debug)]
pub struct Merged<'d> {
    pub schema: Schema<'d>,
    values: Values<'d>,
    /// The same for the items of lists or the values of maps, if several schemas apply to these.
    inner: Inner<'d>,
}

type Inner<'d> = Option<Box<Merged<'d>>>;

impl<'d> Merged<'d> {
    pub fn of(schema: Schema<'d>, known: &Known<'d>) -> Self {
        Self { values: known.values(&schema), schema, inner: None }
    }

    /// Adds another schema of the same values, and returns which of the two decides their type.
    pub fn meet(self, other: Self, known: &Known<'d>) -> (Describing, Self) {
        ContentsComparison::new(known).met(self, other)
    }
}

/// Compares schemas of the same values, and the schemas of the items and properties in them, which can contain these.
struct ContentsComparison<'k, 'd> {
    known: &'k Known<'d>,
    compared: usize,
    depth: usize,
}

impl<'k, 'd> ContentsComparison<'k, 'd> {
    fn new(known: &'k Known<'d>) -> Self {
        Self { known, compared: 0, depth: 0 }
    }

    fn met(&mut self, first: Merged<'d>, second: Merged<'d>) -> (Describing, Merged<'d>) {
        if self.depth == MAX_DEPTH || self.compared == MAX_COMPARED {
            return (Describing::Replacing, second);
        }
        self.compared += 1;
        self.depth += 1;
        let (describing, inner) = self.described([&first, &second]);
        self.depth -= 1;
        let all = match describing {
            Describing::First => first,
            Describing::Second | Describing::Replacing => second,
            Describing::Both => Merged {
                schema: second.schema.meet(first.schema),
                values: second.values.meet(first.values),
                inner,
            },
        };
        (describing, all)
    }

    /// Returns which of two schemas describe values, and what describes the contents of these if both do.
    fn described(&mut self, pair: [&Merged<'d>; 2]) -> (Describing, Inner<'d>) {
        let [values, others] = pair.map(|described| &described.values);
        let both = values.clone().meet(others.clone());
        let describing = match (both.only_kind(), &values.objects, &others.objects) {
            _ if both.is_empty() => Describing::Replacing,
            _ if both.is_same(others) => Describing::Second,
            _ if both.is_same(values) => Describing::First,
            (None, ..) => Describing::Replacing,
            (Some(kind @ JsonKind::Array), ..) => return self.of_inner(pair, kind),
            (Some(kind @ JsonKind::Object), Some(objects), Some(others)) => match () {
                () if others.is_map() && others.all_values().next().is_none() => Describing::First,
                () if objects.is_map() && others.is_map() => return self.of_inner(pair, kind),
                () if !objects.is_union() && !others.is_union() => Describing::Both,
                () => Describing::Replacing,
            },
            _ => Describing::Both,
        };
        (describing, None)
    }

    /// Returns which of two lists or maps describe values, by the schemas in them.
    fn of_inner(&mut self, pair: [&Merged<'d>; 2], kind: JsonKind) -> (Describing, Inner<'d>) {
        let inner = pair.map(|Merged { values, inner, .. }| match (inner, kind) {
            (Some(inner), _) => Some((**inner).clone()),
            (None, JsonKind::Array) => {
                self.all(values.lists.iter().flat_map(Containers::all_items))
            }
            (None, _) => self.all(values.objects.iter().flat_map(Containers::all_values)),
        });
        match inner {
            [Some(first), Some(second)] => match self.met(first, second) {
                (Describing::Replacing, _) => (Describing::Second, None),
                (describing, inner) => (describing, Some(Box::new(inner))),
            },
            [Some(_), None] => (Describing::First, None),
            [None, _] => (Describing::Second, None),
        }
    }

    /// Returns the schema of values to which several apply, the last one first.
    fn all(&mut self, mut schemas: impl Iterator<Item = Schema<'d>>) -> Option<Merged<'d>> {
        let mut all = Merged::of(schemas.next()?, self.known);
        while let Some(schema) = schemas.next() {
            if self.depth == MAX_DEPTH || self.compared == MAX_COMPARED {
                let last = schemas.last().unwrap_or(schema);
                return Some(Merged::of(last, self.known));
            }
            all = self.met(all, Merged::of(schema, self.known)).1;
        }
        Some(all)
    }
}

/// Returns the schema of values to which several apply, the last one first.
fn schema_of_all<'d>(mut schemas: Vec<Schema<'d>>, known: &Known<'d>) -> Option<Schema<'d>> {
    if schemas.len() < 2 {
        return schemas.pop();
    }
    ContentsComparison::new(known).all(schemas.into_iter()).map(|all| all.schema)
}
