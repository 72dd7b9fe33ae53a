//! Schemas as written that apply to one value, and the choice of their branches.

use serde_json::Value;

use crate::document::{Document, PlaceId};
use crate::oneof;

/// Schemas that all apply to one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schema(Vec<Part>);

/// One schema as written, and which of its branches were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    pub place: PlaceId,
    pub one_of: Option<usize>,
    pub any_of: Option<usize>,
}

impl Schema {
    /// Returns the schema at a place.
    pub fn at(place: PlaceId) -> Self {
        Self(vec![Part { place, one_of: None, any_of: None }])
    }

    /// Returns where the schema is written, or the first of those that apply.
    pub fn place(&self) -> PlaceId {
        self.0.first().map(|part| part.place).unwrap_or_default()
    }

    /// Adds schemas that apply as well.
    pub fn and(&mut self, other: &Self) {
        for &part in &other.0 {
            if !self.0.iter().any(|known| known.place == part.place) {
                self.0.push(part);
            }
        }
    }

    /// Returns the schemas as written that apply together: those of `$ref`, `allOf` and the chosen branches as well.
    pub fn parts(&self, document: &Document<'_>) -> Vec<Part> {
        let mut parts = self.clone();
        let mut next = 0;
        while let Some(&part) = parts.0.get(next) {
            let value = document.value(part.place);
            let reference = value.get("$ref").and_then(Value::as_str);
            if let Some(target) = reference.and_then(|to| document.follow(to)) {
                parts.and(&Self::at(target));
            }
            if !document.is_reference_alone(value) {
                for inner in value.get("allOf").and_then(Value::as_array).into_iter().flatten() {
                    parts.and(&Self::at(document.place(inner)));
                }
                for (keyword, chosen) in [("oneOf", part.one_of), ("anyOf", part.any_of)] {
                    if let Some(branch) = chosen.and_then(|chosen| value.get(keyword)?.get(chosen))
                    {
                        parts.and(&Self::at(document.place(branch)));
                    }
                }
            }
            next += 1;
        }
        parts.0
    }
}

/// A choice between branches that is still open.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Where the list of branches is written.
    pub place: PlaceId,
    /// The schema for each branch, in the order of the list.
    pub branches: Vec<Schema>,
}

impl Choice {
    /// Returns the first choice that is open. Oneofs are none: they stay together in a form.
    pub fn open(document: &Document<'_>, parts: &[Part]) -> Option<Self> {
        parts.iter().enumerate().find_map(|(index, part)| {
            let value = document.value(part.place);
            if document.is_reference_alone(value) {
                return None;
            }
            let choose = |keyword: &str, choose: fn(&mut Part, usize)| {
                let list = value.get(keyword)?;
                let count = list.as_array().map(Vec::len).filter(|count| *count > 0)?;
                let branches = (0..count).map(|branch| {
                    let mut parts = parts.to_vec();
                    parts.get_mut(index).into_iter().for_each(|part| choose(part, branch));
                    Schema(parts)
                });
                Some(Self { place: document.place(list), branches: branches.collect() })
            };
            let is_open = part.one_of.is_none() && oneof::standard(value).is_none();
            let one_of =
                is_open.then(|| choose("oneOf", |part, branch| part.one_of = Some(branch)));
            let is_open = part.any_of.is_none();
            let any_of =
                is_open.then(|| choose("anyOf", |part, branch| part.any_of = Some(branch)));
            one_of.flatten().or_else(|| any_of.flatten())
        })
    }
}
