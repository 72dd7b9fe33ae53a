//! Schemas as written that apply to one value, and the choice of their branches.

use serde_json::Value;

use crate::document::{Document, Place};
use crate::oneof;

/// Schemas that all apply to one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schema(pub Vec<Part>);

/// One schema as written, and which of its branches were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    pub place: Place,
    /// The numbers of those of the [`CHOICES`].
    pub chosen: [Option<usize>; 2],
}

const CHOICES: [&str; 2] = ["oneOf", "anyOf"];

impl Schema {
    /// Returns the schema at a place.
    pub fn at(place: Place) -> Self {
        Self(vec![Part { place, chosen: [None; 2] }])
    }

    /// Returns where the schema is written, or the first of those that apply.
    pub fn place(&self) -> Place {
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

    /// Adds the schemas of `$ref`, `allOf` and the chosen branches.
    pub fn closed(&self, document: &Document<'_>) -> Self {
        let mut all = self.clone();
        let mut next = 0;
        while let Some(&part) = all.0.get(next) {
            let value = document.value(part.place);
            let reference = value.get("$ref").and_then(Value::as_str);
            all.0.extend(reference.and_then(|to| document.follow(to)).and_then(|target| {
                let is_known = all.0.iter().any(|known| known.place == target);
                (!is_known).then_some(Part { place: target, chosen: [None; 2] })
            }));
            if !document.is_reference_alone(value) {
                let branch = |at: usize| value.get(CHOICES[at])?.get(part.chosen[at]?);
                let inner = value.get("allOf").and_then(Value::as_array).into_iter().flatten();
                for inner in inner.chain((0..2).filter_map(branch)) {
                    all.and(&Self::at(document.place(inner)));
                }
            }
            next += 1;
        }
        all
    }

    /// Returns the first list of branches without a choice, and the schema for each of them. Oneofs are no such list:
    /// their properties stay together.
    pub fn branches(&self, document: &Document<'_>) -> Option<(Place, Vec<Self>)> {
        for (index, part) in self.0.iter().enumerate() {
            let value = document.value(part.place);
            for (at, keyword) in CHOICES.into_iter().enumerate() {
                let is_open = part.chosen[at].is_none()
                    && !document.is_reference_alone(value)
                    && (at == 1 || oneof::standard(value).is_none());
                let list = value.get(keyword).filter(|_| is_open);
                let count = list.and_then(Value::as_array).map_or(0, Vec::len);
                if let Some(list) = list.filter(|_| count > 0) {
                    let branches = (0..count).map(|branch| {
                        let mut chosen = self.clone();
                        chosen.0[index].chosen[at] = Some(branch);
                        chosen
                    });
                    return Some((document.place(list), branches.collect()));
                }
            }
        }
        None
    }
}

impl Part {
    /// Returns the property, and its value, that names the chosen branch according to the `discriminator`.
    pub fn tag<'d>(&self, document: &Document<'d>) -> Option<(&'d str, String)> {
        let value = document.value(self.place);
        let discriminator = value.get("discriminator")?;
        let name = discriminator.get("propertyName")?.as_str()?;
        let at = usize::from(self.chosen[0].is_none());
        let branch = value.get(CHOICES[at])?.get(self.chosen[at]?)?;
        let reference = branch.get("$ref")?.as_str()?;
        let own = reference.rsplit('/').next()?;
        let target = document.follow(reference);
        let mapping = discriminator.get("mapping").and_then(Value::as_object).into_iter().flatten();
        let mut mapped = mapping.filter_map(|(value, to)| Some((value, to.as_str()?)));
        let is_branch = |to: &str| to == own || (target.is_some() && document.follow(to) == target);
        let value = mapped.find(|(_, to)| is_branch(to)).map_or(own, |(value, _)| value);
        Some((name, value.to_owned()))
    }
}
