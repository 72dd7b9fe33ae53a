//! What a model keeps that its description does not know.

use std::fmt;
use std::sync::LazyLock;

use super::kept::{self, Kept, Step, Was};
use super::{Map, Value};

/// The members of an object that its description does not name, and whatever else encoding needs to give back the JSON
/// that was decoded.
///
/// It is one pointer, null when there is nothing to keep. Two are equal when they hold the same members.
#[derive(Clone, Default)]
pub struct UnknownMembers(Option<Box<Beside>>);

/// What stands beside the fields of an object.
#[derive(Clone, Default)]
struct Beside {
    /// The members that the description does not name.
    members: Map,
    /// The members of the union that the object was chosen from, other than the object.
    siblings: Map,
    /// How values were spelled, sorted by place.
    kept: Vec<Kept>,
}

impl UnknownMembers {
    /// Returns the members with their values.
    pub fn members(&self) -> &Map {
        self.0.as_ref().map_or_else(no_members, |beside| &beside.members)
    }

    /// Returns the value of a member.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members().get(name)
    }

    /// Returns an iterator over the members, in the order of their names.
    pub fn iter(&self) -> serde_json::map::Iter<'_> {
        self.members().iter()
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.members().len()
    }

    /// Tells whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members().is_empty()
    }

    pub(super) fn holds_nothing(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn siblings(&self) -> &Map {
        self.0.as_ref().map_or_else(no_members, |beside| &beside.siblings)
    }

    pub(super) fn kept(&self) -> &[Kept] {
        self.0.as_ref().map_or(&[], |beside| &beside.kept)
    }

    pub(super) fn clear(&mut self) {
        self.0 = None;
    }

    pub(super) fn insert(&mut self, name: String, value: Value) {
        self.beside().members.insert(name, value);
    }

    pub(super) fn remove(&mut self, name: &str) {
        if let Some(beside) = &mut self.0 {
            beside.members.remove(name);
        }
    }

    /// Takes all members out if one of them has a value.
    pub(super) fn take_valued(&mut self) -> Option<Map> {
        let beside = self.0.as_mut()?;
        beside
            .members
            .values()
            .any(|value| !value.is_null())
            .then(|| std::mem::take(&mut beside.members))
    }

    pub(super) fn set_siblings(&mut self, siblings: Map) {
        self.beside().siblings = siblings;
    }

    /// Keeps how a value of field `slot` was spelled. `steps` lead to the value, the innermost first.
    pub(super) fn keep(&mut self, slot: usize, steps: Vec<Step>, was: Was) {
        self.beside().kept.push(Kept::new(slot, steps, was));
    }

    /// Forgets how the values of field `slot` were spelled, and returns it.
    pub(super) fn release(&mut self, slot: usize) -> Vec<Kept> {
        match &mut self.0 {
            Some(beside) => beside.kept.extract_if(.., |kept| kept.slot == slot).collect(),
            None => Vec::new(),
        }
    }

    /// Forgets how the values of field `slot` behind `step` were spelled.
    pub(super) fn forget(&mut self, slot: usize, step: &Step) {
        if let Some(beside) = &mut self.0 {
            beside.kept.retain(|kept| kept.slot != slot || kept.steps.first() != Some(step));
        }
    }

    /// Puts what was kept in order, once the object is complete.
    pub(super) fn settle(&mut self) {
        if let Some(beside) = &mut self.0 {
            kept::sort(&mut beside.kept);
            if beside.members.is_empty() && beside.siblings.is_empty() && beside.kept.is_empty() {
                self.0 = None;
            }
        }
    }

    fn beside(&mut self) -> &mut Beside {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for UnknownMembers {
    fn eq(&self, other: &Self) -> bool {
        self.members() == other.members() && self.siblings() == other.siblings()
    }
}

impl Eq for UnknownMembers {}

impl fmt::Debug for UnknownMembers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.members().fmt(f)
    }
}

impl<'a> IntoIterator for &'a UnknownMembers {
    type Item = (&'a String, &'a Value);
    type IntoIter = serde_json::map::Iter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The text of an enum value that its description does not list.
///
/// It cannot be made by hand, so it never equals a value that is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnknownValue(Box<str>);

impl UnknownValue {
    /// Returns the text as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The members of a union of which the description knows none, or of which several came at once.
///
/// It cannot be made by hand, except empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownUnion(Map);

impl UnknownUnion {
    /// Returns the members as they came.
    pub fn members(&self) -> &Map {
        &self.0
    }
}

/// Returns a text that is not listed, for the macros alone: what makes it unlisted is that they have looked.
pub fn unknown_value(text: &str) -> UnknownValue {
    UnknownValue(text.into())
}

/// Returns the members for writing, for the macros alone.
pub fn unknown_members(union: &mut UnknownUnion) -> &mut Map {
    &mut union.0
}

/// Returns an object without members.
pub(super) fn no_members<'a>() -> &'a Map {
    static NO_MEMBERS: LazyLock<Map> = LazyLock::new(Map::new);
    &NO_MEMBERS
}
