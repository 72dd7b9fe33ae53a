//! What differs between two revisions of a crate, item by item; [`super::causes`] groups it.

use std::collections::BTreeMap;

use super::change::{Difference, ItemId, Side, What};
use super::renames::{self, Renames, wire_name};
use super::{Argument, Item, ItemKind, Member, MemberKind, PublicApi};

/// A difference and the place in the spec that causes it.
pub(super) struct Found {
    pub(super) cause: String,
    pub(super) difference: Difference,
}

/// The differences between two revisions, while they are gathered.
pub(super) struct Differences<'a> {
    old: &'a PublicApi,
    new: &'a PublicApi,
    renames: &'a Renames,
    pub(super) found: Vec<Found>,
    /// New places of the spec with the old ones.
    pub(super) places: BTreeMap<&'a str, &'a str>,
    pub(super) respelled: usize,
    pub(super) documentation: usize,
}

impl<'a> Differences<'a> {
    /// Compares all items of the old revision with what has become of them.
    pub(super) fn between(old: &'a PublicApi, new: &'a PublicApi, renames: &'a Renames) -> Self {
        let mut differences = Self {
            old,
            new,
            renames,
            found: Vec::new(),
            places: BTreeMap::new(),
            respelled: 0,
            documentation: 0,
        };
        differences.match_places();
        for (path, item) in &old.items {
            differences.compare_item(path, item);
        }
        differences
    }

    fn match_places(&mut self) {
        for (path, item) in &self.old.items {
            for ((kind, name), member) in &item.members {
                let (owner, name) = self.renames.member(path, *kind, name);
                let to = self.new.items.get(owner);
                if let Some(to) = to.and_then(|to| to.members.get(&(*kind, name.to_owned()))) {
                    self.places.insert(&to.place, &member.place);
                }
            }
            if let Some(to) = self.new.items.get(self.renames.item(path)) {
                self.places.insert(&to.place, &item.place);
            }
        }
    }

    /// Returns the cause of what differs at a place, in terms of the old spec where that has the place.
    pub(super) fn cause(&self, old_place: &str, new_place: &str, otherwise: &str) -> String {
        let new_place = self.places.get(new_place).copied().unwrap_or(new_place);
        let known = [old_place, new_place, otherwise].into_iter().find(|place| !place.is_empty());
        known.unwrap_or_default().to_owned()
    }

    fn add(
        &mut self,
        cause: String,
        id: ItemId,
        what: What,
        owner: &str,
        old: Side<'a>,
        new: Option<Side<'a>>,
    ) {
        let kind = match old {
            Side::Item(..) => None,
            Side::Member(kind, ..) => Some(kind),
        };
        let difference = Difference {
            id,
            what,
            old: old.line(),
            new: new.map(Side::line).unwrap_or_default(),
            owner: owner.to_owned(),
            kind,
            old_place: old.place().to_owned(),
            new_place: new.map(|new| new.place().to_owned()).unwrap_or_default(),
        };
        self.found.push(Found { cause, difference });
    }

    fn compare_item(&mut self, path: &'a str, item: &'a Item) {
        let target = self.renames.item(path);
        let side = Side::Item(path, item);
        let Some((target, to)) = self.new.items.get_key_value(target) else {
            let cause = self.cause(&item.place, "", path);
            self.add(cause.clone(), ItemId::of(path), What::Lost, path, side, None);
            for ((kind, name), member) in &item.members {
                // A method may have moved to another handle.
                let (owner, _) = self.renames.member(path, *kind, name);
                if owner == path {
                    let id = ItemId::member(path, *kind, name);
                    let cause = if self.owns_causes(item) {
                        self.cause(&member.place, "", path)
                    } else {
                        cause.clone()
                    };
                    self.add(cause, id, What::Lost, path, Side::Member(*kind, name, member), None);
                } else {
                    self.compare_member(path, item, (*kind, name), member, None);
                }
            }
            return self.lose_traits(path, item, &[], &cause, side);
        };
        let new_side = Side::Item(target, to);
        let cause = self.cause(&item.place, &to.place, path);
        let is_aliased = self.renames.is_aliased(path);
        self.documentation += usize::from(item.docs != to.docs && !item.docs.is_empty());
        if target != path {
            let what = if is_aliased { What::Aliased } else { What::Renamed };
            self.add(cause.clone(), ItemId::of(path), what, path, side, Some(new_side));
        } else if item.kind != to.kind {
            self.add(cause.clone(), ItemId::of(path), What::Kind, path, side, Some(new_side));
        } else if to.deprecated && !item.deprecated {
            self.add(cause.clone(), ItemId::of(path), What::Deprecated, path, side, Some(new_side));
        }
        if self.loses_target(item, to) {
            self.add(cause.clone(), ItemId::of(path), What::Retyped, path, side, Some(new_side));
        }
        let before = self.found.len();
        self.lose_traits(path, item, &to.traits, &cause, side);
        for ((kind, name), member) in &item.members {
            self.compare_member(path, item, (*kind, name), member, Some(to));
        }
        if item.schema.is_some() && to.schema.is_some() && item.schema != to.schema {
            let is_other =
                self.found[before..].iter().any(|found| found.difference.what.stops_compiling());
            if is_other && target == path {
                self.add(cause, ItemId::of(path), What::Schema, path, side, Some(new_side));
            } else {
                self.respelled += 1;
            }
        }
    }

    /// Returns whether the members of an item are defined at places of their own rather than with the item.
    fn owns_causes(&self, item: &Item) -> bool {
        item.members.values().any(|member| self.old.items.get(&member.ty).is_some_and(is_request))
            && item.kind == ItemKind::Struct
            && !is_request(item)
    }

    fn loses_target(&self, item: &Item, to: &Item) -> bool {
        match item.kind {
            ItemKind::Feature => {
                item.target.split(", ").any(|name| !to.target.split(", ").any(|to| to == name))
                    && to.target.split(", ").count() < item.target.split(", ").count()
                    && item.target.starts_with("reqwest")
            }
            ItemKind::Alias | ItemKind::Use => self.renames.translated(&item.target) != to.target,
            _ => false,
        }
    }

    fn lose_traits(
        &mut self,
        path: &'a str,
        item: &'a Item,
        kept: &[String],
        cause: &str,
        side: Side<'a>,
    ) {
        let is_renamed = self.renames.item(path) != path && !self.renames.is_aliased(path);
        for name in item.traits.iter().filter(|name| is_renamed || !kept.contains(name)) {
            let what = if kept.contains(name) { What::Mentions } else { What::Trait };
            let id = ItemId::implementation(path, name);
            self.add(cause.to_owned(), id, what, path, side, None);
        }
    }

    /// Compares a member with what has become of it; `to` is what has become of its owner.
    fn compare_member(
        &mut self,
        path: &'a str,
        item: &'a Item,
        (kind, name): (MemberKind, &'a String),
        member: &'a Member,
        to: Option<&'a Item>,
    ) {
        let (owner, new_name) = self.renames.member(path, kind, name);
        let key = (kind, new_name.to_owned());
        let id = ItemId::member(path, kind, name);
        let side = Side::Member(kind, name, member);
        let found = self.new.items.get(owner).and_then(|owner| owner.members.get_key_value(&key));
        let Some(((_, new_name), after)) = found else {
            let setters_left = to.is_some_and(|to| {
                to.members.keys().any(|(kind, _)| *kind == MemberKind::Method) || is_request(to)
            });
            let is_model = item.schema.is_some() || path.starts_with("models::");
            let cause = if kind == MemberKind::Method && is_model && !setters_left {
                self.cause(&item.place, "", path)
            } else {
                self.cause_of_types(&member.ty)
                    .filter(|_| kind != MemberKind::Method)
                    .unwrap_or_else(|| self.cause(&member.place, "", &format!("{path}::{name}")))
            };
            return self.add(cause, id, What::Lost, path, side, None);
        };
        let new_side = Some(Side::Member(kind, new_name, after));
        let cause = self.cause(&member.place, &after.place, &format!("{path}::{name}"));
        self.documentation += usize::from(member.docs != after.docs && !member.docs.is_empty());
        let found = self.found.len();
        if new_name != name || owner != self.renames.item(path) {
            self.add(cause.clone(), id.clone(), What::Renamed, path, side, new_side);
        }
        match kind {
            MemberKind::Operation
                if renames::route(&member.facts) != renames::route(&after.facts) =>
            {
                self.add(cause, id, What::Route, path, side, new_side);
            }
            MemberKind::Operation => {}
            MemberKind::Method => {
                self.compare_method(path, &id, side, member, after, new_side, &cause);
            }
            _ if self.renames.translated(&member.ty) != after.ty => {
                let what = match kind {
                    MemberKind::Body => What::Body,
                    MemberKind::Output => What::Output,
                    _ => What::Retyped,
                };
                let cause = self.cause_of_types(&member.ty).unwrap_or(cause);
                self.add(cause, id, what, path, side, new_side);
            }
            _ if member.facts != after.facts => {
                let same_name = wire_name(&member.facts) == wire_name(&after.facts);
                let is_required = |facts: &str| facts.ends_with(" required");
                let is_flipped = is_required(&member.facts) != is_required(&after.facts);
                let what = if same_name && is_flipped { What::Required } else { What::Wire };
                self.add(cause, id, what, path, side, new_side);
            }
            _ if after.deprecated && !member.deprecated => {
                self.add(cause, id, What::Deprecated, path, side, new_side);
            }
            _ => {}
        }
        if self.found.len() == found && kind > MemberKind::Body {
            self.mention(path, item, kind, name, member, new_side);
        }
    }

    /// Adds a member that differs only in naming a type that has another name.
    fn mention(
        &mut self,
        path: &'a str,
        item: &'a Item,
        kind: MemberKind,
        name: &'a str,
        member: &'a Member,
        new: Option<Side<'a>>,
    ) {
        let named = std::iter::once(path)
            .chain(super::paths(&member.ty))
            .chain(member.arguments.iter().flat_map(|argument| super::paths(&argument.ty)));
        let Some(renamed) = named.filter(|named| self.renames.is_mentioned(named)).last() else {
            return;
        };
        let place = self.old.items.get(renamed).map_or(item.place.as_str(), |item| &item.place);
        let cause = self.cause(place, "", renamed);
        let id = ItemId::member(path, kind, name);
        self.add(cause, id, What::Mentions, path, Side::Member(kind, name, member), new);
    }

    #[expect(clippy::too_many_arguments, reason = "both sides of a difference, taken apart once")]
    fn compare_method(
        &mut self,
        path: &'a str,
        id: &ItemId,
        side: Side<'a>,
        member: &'a Member,
        after: &'a Member,
        new_side: Option<Side<'a>>,
        cause: &str,
    ) {
        let (before, now) = (&member.arguments, &after.arguments);
        let accepts = |(old, new): (&Argument, &Argument)| {
            let ty = self.renames.translated(&old.ty);
            ty == new.ty || format!("impl Into<{ty}>") == new.ty
        };
        if before.len() == now.len() && before.iter().zip(now).all(accepts) {
            let what = if is_reordered(before, now) {
                Some(What::Reordered)
            } else {
                let is_sent = |argument: &Argument| !argument.facts.starts_with(" as path");
                let differs = before
                    .iter()
                    .zip(now)
                    .any(|(old, new)| old.facts != new.facts && (is_sent(old) || is_sent(new)));
                (differs || (member.facts != after.facts && !after.facts.contains("feature")))
                    .then_some(What::Wire)
            };
            if let Some(what) = what {
                self.add(cause.to_owned(), id.clone(), what, path, side, new_side);
            }
        } else {
            for cause in self.causes_of_arguments(before, now, cause) {
                self.add(cause, id.clone(), What::Arguments, path, side, new_side);
            }
        }
        if self.renames.translated(&member.ty) != after.ty {
            let cause = self.cause_of_types(&member.ty).unwrap_or_else(|| cause.to_owned());
            self.add(cause, id.clone(), What::Output, path, side, new_side);
        } else if after.deprecated && !member.deprecated {
            self.add(cause.to_owned(), id.clone(), What::Deprecated, path, side, new_side);
        }
    }

    /// Returns the places that define the arguments which came, went or have another type.
    fn causes_of_arguments(
        &self,
        old: &[Argument],
        new: &[Argument],
        otherwise: &str,
    ) -> Vec<String> {
        let twin = |list: &[Argument], of: &Argument| {
            list.iter().find(|argument| argument.name == of.name).map(|found| found.ty.clone())
        };
        let is_path = |argument: &Argument| argument.facts.starts_with(" as path");
        let gone = old.iter().filter(|argument| {
            twin(new, argument).is_none_or(|ty| self.renames.translated(&argument.ty) != ty)
        });
        let gone = gone.map(|argument| {
            if is_path(argument) {
                return otherwise.to_owned();
            }
            let lost = self.cause_of_types(&argument.ty);
            lost.unwrap_or_else(|| self.cause(&argument.place, "", otherwise))
        });
        let come = new.iter().filter(|argument| twin(old, argument).is_none());
        let come = come.map(|argument| {
            let place = if is_path(argument) { "" } else { &argument.place };
            self.cause("", place, otherwise)
        });
        let mut causes: Vec<String> = gone.chain(come).collect();
        causes.sort();
        causes.dedup();
        if causes.is_empty() {
            causes.push(otherwise.to_owned());
        }
        causes
    }

    /// Returns the cause of what a type names that is lost, where the type was a component of its own.
    fn cause_of_types(&self, ty: &str) -> Option<String> {
        self.old.named(ty).find_map(|path| {
            let item = self.old.items.get(path)?;
            let is_lost = !self.new.items.contains_key(self.renames.item(path));
            (is_lost && item.schema.is_some()).then(|| self.cause(&item.place, "", path))
        })
    }
}

/// Returns whether arguments that look alike have changed places.
fn is_reordered(old: &[Argument], new: &[Argument]) -> bool {
    let names = |list: &[Argument]| -> Vec<String> {
        list.iter().map(|argument| argument.name.clone()).collect()
    };
    let (old, new) = (names(old), names(new));
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    old != new && sorted(old) == sorted(new)
}

/// Returns whether an item is a request.
pub(super) fn is_request(item: &Item) -> bool {
    item.members.contains_key(&(MemberKind::Operation, String::new()))
}
