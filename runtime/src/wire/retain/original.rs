//! Values as they were written, where encoding would write them differently.
//!
//! One Rust value has many spellings in JSON: `2024-01-01T02:00:00+02:00` is written as `2024-01-01T00:00:00Z`, and
//! `["a", null]` is a list of one string. The object around a value retains the original, and encoding writes that as
//! long as the field is unchanged.
//!
//! The size is bounded by that of the body: one entry per value, or per run of elements with the same original.

use std::collections::BTreeMap;

use serde_json::Number;

/// A value as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wire) enum Original {
    /// A required property was missing.
    Missing,
    /// A null that the type does not have.
    Null,
    /// A whole number with a fraction, such as `1.0`.
    Fraction,
    Number(Number),
    Text(Box<str>),
    /// The value of the union's property at this index.
    Variant(usize, Box<Self>),
    List(Box<List>),
    Dictionary(Box<Dictionary>),
}

/// The originals of a list's elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::wire) struct List {
    runs: Vec<Run>,
    /// The fingerprint of the list if there were nulls, which are not in the list.
    pub fingerprint: Option<u64>,
}

/// Adjacent elements with the same original, by their position in JSON.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    start: usize,
    end: usize,
    original: Original,
}

/// The originals of a dictionary's entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::wire) struct Dictionary {
    /// By name. A null is not in the dictionary.
    pub entries: BTreeMap<String, Original>,
    /// The fingerprint of the dictionary if there were nulls.
    pub fingerprint: Option<u64>,
}

impl List {
    /// Adds the element at `position`, which is after all others.
    pub(in crate::wire) fn push(&mut self, position: usize, original: Original) {
        match self.runs.last_mut() {
            Some(run) if run.end == position && run.original == original => run.end += 1,
            _ => self.runs.push(Run { start: position, end: position + 1, original }),
        }
    }

    pub(in crate::wire) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns the original of the element at `position`.
    pub(in crate::wire) fn get(&self, position: usize) -> Option<&Original> {
        let run = self.runs.get(self.runs.partition_point(|run| run.end <= position))?;
        (run.start <= position).then_some(&run.original)
    }
}
