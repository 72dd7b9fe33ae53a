//! What instances must have been, and which of it they were.
//!
//! Whoever makes an instance reports the options at each of its decisions. So what a document describes becomes known
//! while it is explored: each option is a target until an instance took it, and that instance may meet new ones.

use std::collections::HashSet;

use crate::document::{Document, PlaceId};
use crate::form::Kind;

/// One option of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// An optional property is absent.
    Absent,
    /// A property is null.
    Null,
    /// A property is present.
    Present,
    /// No property of a oneof is present.
    Vacant,
    /// This branch of `oneOf` or `anyOf`.
    Branch(usize),
    /// This kind of value, where several are allowed.
    Kind(Kind),
    /// This value of those that are listed.
    Value,
    /// This boundary value of a kind.
    Sample(Kind, usize),
    /// This value of those that must be tried where anything may stand.
    Free(usize),
    /// A list or a map with this many elements.
    Length(usize),
}

/// An option, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    pub place: PlaceId,
    pub way: Way,
}

impl Item {
    /// Returns an option of the decision at a place.
    pub fn new(place: PlaceId, way: Way) -> Self {
        Self { place, way }
    }

    /// Returns what the item is counted as.
    fn class(self) -> &'static str {
        match self.way {
            Way::Present => CLASSES[0],
            Way::Absent | Way::Vacant => CLASSES[1],
            Way::Null => CLASSES[2],
            Way::Branch(_) | Way::Kind(_) => CLASSES[3],
            Way::Value => CLASSES[4],
            Way::Sample(..) | Way::Free(_) | Way::Length(_) => CLASSES[5],
        }
    }

    /// Returns the item as people read it.
    pub fn describe(self, document: &Document<'_>) -> String {
        format!("{:?} at {}", self.way, document.pointer(self.place))
    }
}

/// What items are counted as.
const CLASSES: [&str; 6] = [
    "properties present",
    "properties absent",
    "properties null",
    "branches",
    "enum values",
    "boundary values",
];

/// An item to be met, and the decisions on the way to it.
#[derive(Clone, Debug)]
pub struct Target {
    /// The number of the type that it is reached from.
    pub root: usize,
    pub path: Vec<Item>,
    pub item: Item,
}

/// The items that are known, and which of them were met.
#[derive(Debug, Default)]
pub struct Coverage {
    pub targets: Vec<Target>,
    known: HashSet<Item>,
    met: HashSet<Item>,
}

impl Coverage {
    /// Adds the options of a decision as targets, unless they are known.
    pub fn offer(&mut self, root: usize, path: &[Item], options: &[Item]) {
        for &item in options {
            if self.known.insert(item) {
                self.targets.push(Target { root, path: path.to_vec(), item });
            }
        }
    }

    /// Marks items as met.
    pub fn meet(&mut self, items: &[Item]) {
        self.met.extend(items);
    }

    /// Returns whether an item is still to be met.
    pub fn lacks(&self, item: Item) -> bool {
        !self.met.contains(&item)
    }

    /// Returns the items that were not met.
    pub fn missing(&self) -> impl Iterator<Item = Item> {
        self.targets.iter().map(|target| target.item).filter(|item| self.lacks(*item))
    }

    /// Returns for each class how many items were met, and how many there are.
    pub fn tally(&self) -> [(&'static str, usize, usize); CLASSES.len()] {
        CLASSES.map(|class| {
            let items = || self.known.iter().filter(|item| item.class() == class);
            (class, items().filter(|item| !self.lacks(**item)).count(), items().count())
        })
    }
}
