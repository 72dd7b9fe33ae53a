//! What decoding notes on the way, for whoever is responsible for it further up.
//!
//! A value is decoded far below the object that can keep how it was spelled, and below the members that its path is
//! made of. Nothing is carried down for that: each level on the way up adds its step to what was noted below it, and
//! compares two numbers when nothing was.

use super::drift::DriftKind;
use super::kept::{Step, Was};

/// What decoding noted so far.
#[derive(Default)]
pub(super) struct Notes {
    /// Spellings that no object has taken yet, with their steps, the innermost first.
    spellings: Vec<(Vec<Step>, Was)>,
    /// What is not described, if anyone wants to know.
    drift: Option<Vec<Unknown>>,
    /// The way to the failure, the innermost step first.
    pub trail: Vec<Step>,
    /// The failure, if it is that a value has the wrong type.
    pub mismatch: Option<Mismatch>,
}

/// Something that is not described.
pub(super) struct Unknown {
    /// The way to it, the innermost step first.
    pub trail: Vec<Step>,
    pub kind: DriftKind,
    pub name: String,
}

/// A value of the wrong type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mismatch {
    pub expected: &'static str,
    pub found: &'static str,
}

/// How much had been noted at some point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    spellings: usize,
    drift: usize,
}

impl Notes {
    /// Returns notes that also tell what is not described, if `drift`.
    pub(super) fn new(drift: bool) -> Self {
        Self { drift: drift.then(Vec::new), ..Self::default() }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { spellings: self.spellings.len(), drift: self.drift.as_ref().map_or(0, Vec::len) }
    }

    /// Notes how the value at hand was spelled.
    pub(super) fn spelled(&mut self, was: Was) {
        self.spellings.push((Vec::new(), was));
    }

    /// Notes that the value at hand, or a member of it, is not described.
    pub(super) fn unknown(&mut self, kind: DriftKind, name: &str) {
        if let Some(drift) = &mut self.drift {
            drift.push(Unknown { trail: Vec::new(), kind, name: name.to_owned() });
        }
    }

    /// Forgets the spellings since `mark` that lie behind `step`.
    pub(super) fn forget(&mut self, mark: Mark, step: &Step) {
        let mut index = 0;
        self.spellings.retain(|(steps, _)| {
            index += 1;
            index <= mark.spellings || steps.last() != Some(step)
        });
    }

    /// Adds a step to all that was noted since `mark`.
    pub(super) fn step(&mut self, mark: Mark, step: &Step) {
        for (steps, _) in self.spellings.iter_mut().skip(mark.spellings) {
            steps.push(step.clone());
        }
        self.step_drift(mark, step);
    }

    /// Adds a step to what is not described since `mark`.
    pub(super) fn step_drift(&mut self, mark: Mark, step: &Step) {
        for unknown in self.drift.iter_mut().flatten().skip(mark.drift) {
            unknown.trail.push(step.clone());
        }
    }

    /// Takes the spellings since `mark`.
    pub(super) fn take_spellings(&mut self, mark: Mark) -> impl Iterator<Item = (Vec<Step>, Was)> {
        self.spellings.drain(mark.spellings.min(self.spellings.len())..)
    }

    /// Returns all that is not described.
    pub(super) fn into_drift(self) -> Vec<Unknown> {
        self.drift.unwrap_or_default()
    }
}
