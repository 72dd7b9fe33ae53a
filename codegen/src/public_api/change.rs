//! What a comparison finds: changes by cause, each with what it means for programs.

use std::collections::BTreeSet;

use super::MemberKind;

/// How a change affects the programs that use the crate, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Only documentation differs.
    Documentation,
    /// Programs go on compiling and working.
    Compatible,
    /// Programs go on compiling, but send or expect something else.
    Wire,
    /// Programs that use the item no longer compile, or mean something else.
    Breaking,
}

impl Class {
    /// Returns the name of the class.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Documentation => "documentation",
            Self::Compatible => "compatible",
            Self::Wire => "wire-breaking",
            Self::Breaking => "breaking",
        }
    }
}

/// What has become of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The same path is another schema, of another shape.
    Schema,
    /// It is a struct instead of an enum, or the other way round.
    Kind,
    /// It is removed.
    Lost,
    /// It builds a type that no request carries any more, and is removed.
    Unsent,
    /// It has another name, or another place.
    Renamed,
    /// It has another type.
    Retyped,
    /// It takes other arguments.
    Arguments,
    /// It returns something else.
    Output,
    /// It no longer implements a trait.
    Trait,
    /// It names a type that has another name.
    Mentions,
    /// It is sent with another verb, or to another path.
    Route,
    /// It has another body.
    Body,
    /// It has another name or form on the wire.
    Wire,
    /// The spec requires it now, or no longer; its Rust type has not changed.
    Required,
    /// Arguments of the same type have changed places.
    Reordered,
    /// Its old name is a deprecated alias.
    Aliased,
    /// It is deprecated.
    Deprecated,
    /// It is new.
    Added,
}

impl What {
    /// Returns the class of such a change.
    pub fn class(self) -> Class {
        match self {
            Self::Route | Self::Wire | Self::Required | Self::Reordered => Class::Wire,
            Self::Aliased | Self::Deprecated | Self::Added => Class::Compatible,
            _ => Class::Breaking,
        }
    }
}

/// A difference between two revisions at one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The item in the words of a program, as the old revision names it; the new one if it is new.
    pub id: String,
    /// What has become of it.
    pub what: What,
    /// The line of the item in the old `api.txt`; empty if it is new.
    pub old: String,
    /// The line of the item in the new `api.txt`; empty if it is removed.
    pub new: String,
    /// What has become of the arguments of a method, such as "`id` is new"; the new path of what is renamed; what perhaps
    /// replaces what is removed; what an alias was that is removed; what kind of item is new.
    pub detail: String,
    /// The path of the item that has the member, or of the item itself.
    pub owner: String,
    /// The kind of the member.
    pub kind: MemberKind,
    /// How far the item is from what the spec defines: the main difference of a change has the lowest rank.
    pub(super) rank: usize,
    /// The JSON pointer into the old spec; empty if there is none.
    pub old_place: String,
    /// The JSON pointer into the new spec; empty if there is none.
    pub new_place: String,
}

impl Difference {
    /// Returns whether a program that uses the item no longer compiles.
    pub fn stops_compiling(&self) -> bool {
        let is_rust = !matches!(self.kind, MemberKind::Operation | MemberKind::Body);
        let is_seen = !matches!(self.what, What::Schema | What::Kind);
        is_rust && is_seen && self.what.class() == Class::Breaking
    }

    /// Returns whether an item as a whole can no longer be named as before.
    fn is_whole(&self) -> bool {
        self.kind == MemberKind::Whole
            && matches!(self.what, What::Lost | What::Renamed | What::Aliased)
    }
}

/// A change: a place in the spec, and everything that differs because of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The most serious of the classes.
    pub class: Class,
    /// The difference at the item that the place defines.
    pub main: Difference,
    /// The differences that follow from it.
    pub others: Vec<Difference>,
    /// The methods of the old revision that use the item, such as `tasks().get`, each with the way from it to the item.
    pub used_by: Vec<Vec<String>>,
}

impl Change {
    /// Returns a change of one item.
    pub(super) fn of(main: Difference) -> Self {
        Self { class: main.what.class(), main, others: Vec::new(), used_by: Vec::new() }
    }

    /// Returns all differences.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        std::iter::once(&self.main).chain(&self.others)
    }

    /// Returns the differences that the main one does not imply: others than at members of a type that is removed.
    pub fn consequences(&self) -> impl Iterator<Item = &Difference> {
        let whole = self.differences().filter(|difference| difference.is_whole());
        let whole: BTreeSet<&str> = whole.map(|whole| whole.owner.as_str()).collect();
        self.others.iter().filter(move |other| {
            !whole.contains(other.owner.as_str())
                || (other.is_whole() && other.owner != self.main.owner)
        })
    }

    /// Returns a name of the change that stays the same as long as what changes does.
    pub fn fingerprint(&self) -> String {
        let Difference { id, what, old, new, .. } = &self.main;
        let text = format!("{id}\n{what:?}\n{old}\n{new}");
        // FNV-1a.
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }
}

/// What differs between two revisions of a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The changes, the most serious first.
    pub changes: Vec<Change>,
    /// What is new.
    pub additions: Vec<Change>,
    /// How many types are the same under another key of the spec.
    pub respelled: usize,
    /// How many items have other documentation.
    pub documentation: usize,
}

impl Comparison {
    /// Returns the most serious class; `None` if nothing differs.
    pub fn class(&self) -> Option<Class> {
        let documented = (self.documentation > 0).then_some(Class::Documentation);
        let added = (!self.additions.is_empty()).then_some(Class::Compatible);
        self.changes.iter().map(|change| change.class).chain(documented).chain(added).max()
    }

    /// Groups changes that are the same change of several items: what a generator does to all items of a kind.
    #[must_use]
    pub fn by_what_differs(mut self) -> Self {
        let key = |Change { main, .. }: &Change| {
            (main.what, main.kind, main.old.clone(), main.new.clone())
        };
        let mut grouped: Vec<Change> = Vec::new();
        for change in self.changes {
            let is_same = |other: &&mut Change| {
                other.main.kind != MemberKind::Whole && key(other) == key(&change)
            };
            match grouped.iter_mut().find(is_same) {
                Some(first) => {
                    first.others.push(change.main);
                    first.others.extend(change.others);
                }
                None => grouped.push(change),
            }
        }
        self.changes = grouped;
        self
    }

    /// Returns the items that programs can no longer use as they did.
    pub fn broken(&self) -> BTreeSet<String> {
        let differences = self.changes.iter().flat_map(Change::differences);
        let broken = differences.filter(|difference| difference.stops_compiling());
        broken.map(|difference| difference.id.clone()).collect()
    }
}
