//! How values were written where encoding would write them otherwise.
//!
//! One Rust value has many spellings in JSON: `2024-01-01T02:00:00+02:00` is an instant that is written as
//! `2024-01-01T00:00:00Z`, and `["a", null]` reads as one string. The object around a value retains what came, and
//! encoding writes it back for as long as the field has the value that was read.
//!
//! The size is bounded by that of the body: an entry for each value that is written otherwise, and one for a run of
//! elements that are written otherwise in the same way.

use std::collections::BTreeMap;

use serde_json::Number;

/// What came instead of the canonical spelling of a value.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wire) enum Original {
    /// Nothing came for a required property.
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

/// What came instead of the elements of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::wire) struct List {
    runs: Vec<Run>,
    /// The number of nulls, which the list does not hold.
    pub nulls: usize,
    /// The fingerprint of the list, if there were nulls.
    pub fingerprint: u64,
}

/// Adjacent elements that came in the same way, by their position in JSON.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    start: usize,
    end: usize,
    original: Original,
}

/// What came instead of the entries of a dictionary.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::wire) struct Dictionary {
    /// By name. A null stands for an entry that the dictionary does not hold.
    pub entries: BTreeMap<String, Original>,
    /// The fingerprint of the dictionary, if there were nulls.
    pub fingerprint: u64,
}

impl List {
    /// Adds the element at `position`, which is beyond all others.
    pub(in crate::wire) fn push(&mut self, position: usize, original: Original) {
        self.nulls += usize::from(original == Original::Null);
        match self.runs.last_mut() {
            Some(run) if run.end == position && run.original == original => run.end += 1,
            _ => self.runs.push(Run { start: position, end: position + 1, original }),
        }
    }

    pub(in crate::wire) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns what came for the element at `position`.
    pub(in crate::wire) fn get(&self, position: usize) -> Option<&Original> {
        let run = self.runs.get(self.runs.partition_point(|run| run.end <= position))?;
        (run.start <= position).then_some(&run.original)
    }
}

impl Dictionary {
    /// Returns whether an entry was null.
    pub(in crate::wire) fn has_nulls(&self) -> bool {
        self.entries.values().any(|original| *original == Original::Null)
    }
}
