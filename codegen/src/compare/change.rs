//! The results of a comparison: changes by cause, each with the differences that follow from it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::uses::Uses;
use super::what::{ArgumentChange, Class, Remedy, Replacement, What};
use crate::items::{ItemKind, MemberKind, MemberRef, Path, PublicApi, fnv_1a};

/// A difference between two revisions at one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The item as Rust code refers to it, by its old name; by the new one if it is new.
    pub id: String,
    /// The kind of the difference.
    pub what: What,
    /// The line of the item in the old `api.txt`; empty if it is new.
    pub old: String,
    /// The line of the item in the new `api.txt`; empty if it is removed.
    pub new: String,
    /// The path of the item, or of the item with the member.
    pub owner: Path,
    /// The name of the member; empty for the item itself.
    pub name: String,
    /// The kind of the member.
    pub kind: MemberKind,
    /// The distance of the item from the definitions of the spec: the main difference of a change has the lowest rank.
    pub(super) rank: usize,
    /// The JSON pointer into the old spec, or empty.
    pub old_place: String,
    /// The JSON pointer into the new spec, or empty.
    pub new_place: String,
}

impl Difference {
    /// Returns the difference between a member and its counterpart; `None` if it has none.
    pub(super) fn new(
        what: What,
        member: MemberRef<'_>,
        counterpart: Option<MemberRef<'_>>,
    ) -> Self {
        Self {
            id: member.id(),
            rank: rank(&what, member),
            what,
            old: member.line(),
            new: counterpart.map(MemberRef::line).unwrap_or_default(),
            owner: member.path.clone(),
            name: member.name.to_owned(),
            kind: member.kind,
            old_place: member.place().to_owned(),
            new_place: counterpart.map_or("", MemberRef::place).to_owned(),
        }
    }

    /// Returns the difference of a new item or member.
    pub(super) fn added(what: What, member: MemberRef<'_>) -> Self {
        let removed = Self::new(what, member, None);
        Self {
            new: removed.old,
            new_place: removed.old_place,
            old: String::new(),
            old_place: String::new(),
            ..removed
        }
    }

    /// Returns the difference of what is not a member, such as a file.
    pub(super) fn of(id: &str, what: What, [old, new]: [String; 2]) -> Self {
        Self {
            id: id.to_owned(),
            what,
            old,
            new,
            owner: Path::default(),
            name: String::new(),
            kind: MemberKind::Whole,
            rank: 0,
            old_place: String::new(),
            new_place: String::new(),
        }
    }

    /// Returns whether code differs with it, other than in attributes.
    pub(super) fn is_in_code(&self) -> bool {
        !matches!(self.what, What::Gated { .. } | What::Deprecated | What::Mentions)
    }

    /// Returns the item that differs, or whose member does, under its old and its new name.
    pub(super) fn touched(&self) -> impl Iterator<Item = Path> {
        let to = match &self.what {
            What::Renamed(to) | What::Aliased(to) if self.name.is_empty() => Some(to.clone()),
            What::Renamed(to) | What::Aliased(to) => to.split().map(|(owner, _)| Path::new(owner)),
            _ => None,
        };
        [self.owner.clone()].into_iter().chain(to)
    }

    /// Returns the path of the item or the member.
    pub fn path(&self) -> Path {
        if self.name.is_empty() { self.owner.clone() } else { self.owner.join(&self.name) }
    }

    /// Returns whether the new revision has nothing in its place.
    pub fn is_lost(&self) -> bool {
        self.new.is_empty()
    }

    /// Returns whether a program that uses the item, with all features, no longer compiles.
    pub fn stops_compiling(&self) -> bool {
        let is_rust =
            !matches!(self.kind, MemberKind::Operation | MemberKind::Body | MemberKind::Setting);
        // With all features enabled, a method with a new condition exists. Of a property that is no longer null, the setter
        // of null is removed.
        let is_accepted = match &self.what {
            What::Gated { .. }
            | What::Schema
            | What::Kind(_)
            | What::Nullable { .. }
            | What::Required { .. } => true,
            What::Unsent => self.new.starts_with(&self.old),
            What::Arguments(changes) => ArgumentChange::are_accepted(changes),
            _ => false,
        };
        is_rust && !is_accepted && self.class() == Class::Breaking
    }

    /// Returns whether its uses need no more than a new name or a feature.
    fn is_mechanical(&self) -> bool {
        let verdict = self.verdict();
        match verdict.remedy {
            Remedy::Name(to) => !self.is_lost() && !self.is_of_other_handle(&to),
            Remedy::Features(_) | Remedy::Follows => true,
            _ => verdict.class < Class::Wire && !verdict.is_silent,
        }
    }

    /// Returns whether another handle has a method now: its receivers are others.
    pub fn is_of_other_handle(&self, to: &Path) -> bool {
        let name = to.split().map_or(to.as_str(), |(_, name)| name);
        let is_method = self.kind == MemberKind::Method && name == self.name;
        is_method && self.class() == Class::Breaking
    }

    /// Returns whether the whole item can no longer be referred to by its old name.
    fn is_whole(&self) -> bool {
        let is_gone = matches!(
            self.what,
            What::Removed(_) | What::Service { .. } | What::Renamed(_) | What::Aliased(_)
        );
        self.kind == MemberKind::Whole && is_gone
    }
}

/// Returns the distance of a member from the definitions of the spec.
fn rank(what: &What, member: MemberRef<'_>) -> usize {
    let is_resource = member.path.is_resource();
    let is_feature = member.path.feature().is_some();
    let is_module = member.item.kind == ItemKind::Module;
    let is_new_argument =
        matches!(what, What::Arguments(changes) if changes.iter().any(|(it, _)| it.is_new()));
    match member.kind {
        MemberKind::Operation if matches!(what, What::Moved { .. }) => 0,
        MemberKind::Method if matches!(what, What::Gated { .. }) => 0,
        MemberKind::Trait => 6,
        MemberKind::Setting => 5,
        MemberKind::Const if member.path.is_model() => 4,
        _ if *what == What::Mentions => 6,
        _ if matches!(what, What::OperationId(_) | What::PathNames(_)) => 5,
        MemberKind::Whole if is_module => 5,
        MemberKind::Whole if is_feature && matches!(what, What::Added(_)) => 5,
        MemberKind::Whole if is_resource => 4,
        MemberKind::Body if matches!(what, What::Removed(_)) => 3,
        MemberKind::Operation | MemberKind::Output | MemberKind::Failure => 2,
        MemberKind::Whole | MemberKind::Field | MemberKind::Variant | MemberKind::Body => 1,
        // A property that became required is primarily an argument.
        MemberKind::Method if is_resource && !member.item.is_request() => {
            usize::from(!is_new_argument && !matches!(what, What::Removed(_)))
        }
        MemberKind::Method if member.name.starts_with("set_") && member.name.ends_with("_null") => {
            4
        }
        _ => 3,
    }
}

/// A change: a place in the spec with all differences that it causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The most serious class.
    pub class: Class,
    /// The difference at the item that the place defines.
    pub main: Difference,
    /// The differences that follow from it.
    pub others: Vec<Difference>,
    /// The methods of the old revision that use the item, such as `tasks().get`, each with the members that lead from
    /// it to the item.
    pub used_by: Vec<Vec<String>>,
}

impl Change {
    /// Returns a change of one item.
    pub fn single(main: Difference) -> Self {
        let class = main.class();
        Self { class, main, others: Vec::new(), used_by: Vec::new() }
    }

    /// Returns the change of an item whose old name is still an alias.
    pub fn of_alias(alias: MemberRef<'_>, to: Path) -> Self {
        Self::single(Difference::new(What::Aliased(to), alias, Some(alias)))
    }

    /// Returns the change of differences with the same cause.
    pub(super) fn new(mut group: Vec<Difference>, uses: &Uses<'_>) -> Option<Self> {
        group.sort_by_cached_key(|difference| {
            (Reverse(difference.class()), difference.rank, difference.id.clone())
        });
        let class = group.first()?.class();
        let mut group = group.into_iter();
        let main = group.next()?;
        let others =
            group.filter(|other| other.id != main.id || other.class() == Class::Breaking).collect();
        let used_by = uses.methods(&main.owner);
        Some(Self { class, main, others, used_by })
    }

    /// Returns the change of a type's name at the names that differ: the places of types have the same below them.
    pub(super) fn at_name(mut self) -> Self {
        let main = &self.main;
        let is_name = matches!(main.what, What::Renamed(_) | What::Aliased(_));
        let mut places = [main.old_place.as_str(), main.new_place.as_str()];
        while let [Some((old, name)), Some((new, other))] = places.map(|it| it.rsplit_once('/'))
            && is_name
            && main.kind == MemberKind::Whole
            && name == other
            && (old != new || (old.starts_with("/paths/") && old.matches('/').count() > 2))
        {
            places = [old, new];
        }
        [self.main.old_place, self.main.new_place] = places.map(str::to_owned);
        self
    }

    /// Notes that what is removed without a replacement is only no longer chosen.
    pub fn leave_out(&mut self) {
        if let What::Removed(it) | What::Service { replacement: it, .. } = &mut self.main.what
            && *it == Replacement::None
        {
            *it = Replacement::Choice;
        }
    }

    /// Returns whether a new name or a feature is all that uses need, so that `migrate` edits them.
    pub fn is_mechanical(&self) -> bool {
        let is_edited = self.main.verdict().remedy != Remedy::Hands;
        is_edited && self.differences().all(Difference::is_mechanical)
    }

    /// Returns the old and the new path of what perhaps has another name, as `--accept` takes them.
    pub fn acceptable(&self) -> Option<String> {
        match &self.main.what {
            What::Removed(Replacement::Perhaps(to)) => Some(format!("{}={to}", self.main.path())),
            _ => None,
        }
    }

    /// Returns all differences.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        std::iter::once(&self.main).chain(&self.others)
    }

    /// Returns the differences that the main one does not imply. It implies those at members of a removed type.
    pub fn consequences(&self) -> impl Iterator<Item = &Difference> {
        let whole: BTreeSet<&Path> = self
            .differences()
            .filter(|difference| difference.is_whole())
            .map(|whole| &whole.owner)
            .collect();
        self.others.iter().filter(move |other| {
            !whole.contains(&other.owner) || (other.is_whole() && other.owner != self.main.owner)
        })
    }

    /// Returns an identifier of the change that is stable as long as the change is the same.
    pub fn fingerprint(&self) -> String {
        let Difference { id, old, new, .. } = &self.main;
        let text = format!("{id}\n{}\n{old}\n{new}", self.main.verdict().word);
        format!("{:016x}", fnv_1a(&text))
    }
}

/// The differences between two revisions of a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The changes, the most serious first.
    pub changes: Vec<Change>,
    /// The new items.
    pub additions: Vec<Change>,
    /// The number of items with other documentation.
    pub documentation: usize,
    /// The items that differ.
    pub(super) touched: BTreeSet<Path>,
    /// The new paths of renamed items with the old ones.
    pub origins: BTreeMap<Path, Path>,
    /// The old places of the spec with the new ones, and the reverse; nothing if all are the same.
    pub(super) places: [BTreeMap<String, String>; 2],
}

impl Comparison {
    /// Returns the most serious class; `None` if nothing differs.
    pub fn class(&self) -> Option<Class> {
        let documented = (self.documentation > 0).then_some(Class::Documentation);
        let added = (!self.additions.is_empty()).then_some(Class::Compatible);
        self.changes.iter().map(|change| change.class).chain(documented).chain(added).max()
    }

    /// Divides the changes between the ends of two steps, `old` and `last`: the first step keeps those that it has, too, and
    /// its others unless the last crate has the same again.
    pub fn divide(self, [first, second]: [&mut Self; 2], [old, last]: [&PublicApi; 2]) {
        let key = |it: &Difference| (it.id.clone(), it.verdict().word);
        let keys = |of: &Self| -> BTreeSet<_> {
            of.changes.iter().flat_map(Change::differences).map(key).collect()
        };
        let [of_first, of_ends] = [&*first, &self].map(keys);
        let moved: BTreeMap<_, _> = self.origins.iter().map(|(new, old)| (old, new)).collect();
        let in_last = |it: &Difference| {
            last.member(moved.get(&it.owner).copied().unwrap_or(&it.owner), it.kind, &it.name)
        };
        let in_old = |it: &Difference| {
            old.member(self.origins.get(&it.owner).unwrap_or(&it.owner), it.kind, &it.name)
        };
        first.additions.retain(|it| in_last(&it.main).is_some());
        second.additions.retain(|it| in_old(&it.main).is_none());
        first.changes.retain(|Change { main: it, .. }| {
            let differs = match it.what {
                // Code has no line, and is not compared where items differ.
                What::Code => self.touched.contains(&it.owner),
                _ => in_last(it).map(MemberRef::line).unwrap_or_default() != it.old,
            };
            differs && !of_ends.contains(&key(it))
        });
        let (kept, rest): (Vec<_>, _) =
            self.changes.into_iter().partition(|it| of_first.contains(&key(&it.main)));
        first.changes.extend(kept);
        first.sort();
        second.changes = rest;
        (first.documentation, second.documentation) = (0, self.documentation);
    }

    /// Sorts the changes: the most serious are first.
    pub(super) fn sort(&mut self) {
        self.changes.sort_by_cached_key(|change| {
            (Reverse(change.class), change.main.owner.clone(), change.main.id.clone())
        });
    }

    /// Returns the items that need other features now, with the features that compile them.
    pub fn gated(&self) -> impl Iterator<Item = (&Path, &[String])> {
        let differences = self.changes.iter().flat_map(Change::differences);
        differences.filter_map(|difference| match &difference.what {
            What::Gated { features, .. } if difference.name.is_empty() => {
                Some((&difference.owner, features.as_slice()))
            }
            _ => None,
        })
    }

    /// Returns the items that programs can no longer use in the same way.
    pub fn broken(&self) -> BTreeSet<String> {
        let differences = self.changes.iter().flat_map(Change::differences);
        let broken = differences.filter(|difference| difference.stops_compiling());
        broken.map(|difference| difference.id.clone()).collect()
    }
}
