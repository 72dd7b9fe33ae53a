//! The items that instances must cover, and the items that they have covered.
//!
//! The maker of an instance reports the options at each of its decisions. The targets thus become known while the document
//! is explored: each option is a target until an instance takes it, and that instance may report new ones.

use std::collections::HashSet;

use crate::document::{Document, Place};

/// The classes of items.
const CLASSES: [&str; 5] =
    ["properties present", "properties absent", "branches", "enum values", "boundary values"];
pub const PRESENT: usize = 0;
pub const ABSENT: usize = 1;
/// Of `oneOf` or `anyOf`, or one of several kinds of value.
pub const BRANCH: usize = 2;
pub const VALUE: usize = 3;
/// Also the lengths of lists and maps.
pub const BOUNDARY: usize = 4;

/// One option of a decision: where, of which class, and which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    pub place: Place,
    class: usize,
    number: usize,
}

impl Item {
    pub fn new(place: Place, class: usize, number: usize) -> Self {
        Self { place, class, number }
    }

    /// Returns the item as people read it.
    pub fn describe(self, document: &Document<'_>) -> String {
        let Self { place, class, number } = self;
        format!("{} at {}, option {number}", CLASSES[class], document.pointer(place))
    }
}

/// The items that are known, and which of them were seen.
#[derive(Debug, Default)]
pub struct Coverage {
    /// The number of the type that each item was first reached from, and the decisions on the way; it is the last of
    /// them.
    pub targets: Vec<(usize, Vec<Item>)>,
    known: HashSet<Item>,
    seen: HashSet<Item>,
}

impl Coverage {
    /// Adds the options of a decision as targets, unless they are known.
    pub fn offer(&mut self, root: usize, path: &[Item], options: &[Item]) {
        for &item in options {
            if self.known.insert(item) {
                self.targets.push((root, [path, &[item]].concat()));
            }
        }
    }

    /// Marks items as seen.
    pub fn meet(&mut self, items: &[Item]) {
        self.seen.extend(items);
    }

    /// Returns whether the last of some decisions is still to be seen.
    pub fn lacks(&self, path: &[Item]) -> bool {
        path.last().is_some_and(|item| !self.seen.contains(item))
    }

    /// Returns the items that were not seen.
    pub fn missing(&self) -> impl Iterator<Item = Item> {
        let lacking = self.targets.iter().filter(|(_, path)| self.lacks(path));
        lacking.filter_map(|(_, path)| path.last().copied())
    }

    /// Returns for each class how many items were seen, and how many there are.
    pub fn tally(&self) -> [(&'static str, usize, usize); CLASSES.len()] {
        let mut tally = CLASSES.map(|class| (class, 0, 0));
        for item in &self.known {
            tally[item.class].1 += usize::from(self.seen.contains(item));
            tally[item.class].2 += 1;
        }
        tally
    }
}
