//! What differs between two revisions of a crate, item by item; [`super::group`] groups it.

use super::causes::{self, Causes};
use super::change::{Difference, ItemId, Side, What};
use super::renames::{self, Renames, wire_name};
use super::{ALIAS, Argument, FEATURES, Item, ItemKind, Member, MemberKind, PublicApi};

/// A difference and the place in the spec that causes it.
pub(super) struct Found {
    pub(super) cause: String,
    pub(super) difference: Difference,
}

/// The differences between two revisions, while they are gathered.
pub(super) struct Differences<'a> {
    new: &'a PublicApi,
    renames: &'a Renames,
    pub(super) causes: Causes<'a>,
    pub(super) found: Vec<Found>,
    pub(super) respelled: usize,
    pub(super) documentation: usize,
}

impl<'a> Differences<'a> {
    /// Compares all items of the old revision with what has become of them.
    pub(super) fn between(old: &'a PublicApi, new: &'a PublicApi, renames: &'a Renames) -> Self {
        let mut differences = Self {
            new,
            renames,
            causes: Causes::of(old, new, renames),
            found: Vec::new(),
            respelled: 0,
            documentation: 0,
        };
        for (path, item) in &old.items {
            differences.compare_item(path, item);
        }
        differences
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
            details: Vec::new(),
            owner: owner.to_owned(),
            kind,
            old_place: old.place().to_owned(),
            new_place: new.map(|new| new.place().to_owned()).unwrap_or_default(),
        };
        self.found.push(Found { cause, difference });
    }

    /// Adds details to the last difference.
    fn detail(&mut self, details: Vec<String>) {
        if let Some(Found { difference, .. }) = self.found.last_mut() {
            difference.details = details;
        }
    }

    fn compare_item(&mut self, path: &'a str, item: &'a Item) {
        let target = self.renames.item(path);
        let side = Side::Item(path, item);
        let Some((target, to)) = self.new.items.get_key_value(target) else {
            let cause = self.causes.item(path);
            self.add(cause.clone(), ItemId::of(path), What::Lost, path, side, None);
            for ((kind, name), member) in &item.members {
                self.compare_member(path, item, (*kind, name), member, None);
            }
            return self.lose_traits(path, item, &[], &cause, side);
        };
        let new_side = Side::Item(target, to);
        let cause = self.causes.item(path);
        let cause = if cause == *path { self.causes.first("", &to.place, path) } else { cause };
        let is_aliased = self.renames.is_aliased(path);
        self.documentation += usize::from(item.docs != to.docs && !item.docs.is_empty());
        if target != path {
            let what = if is_aliased { What::Aliased } else { What::Renamed };
            self.add(cause.clone(), ItemId::of(path), what, path, side, Some(new_side));
            self.detail(vec![target.clone()]);
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
        if target == path
            && item.schema.is_some()
            && to.schema.is_some()
            && item.schema != to.schema
        {
            let is_other =
                self.found[before..].iter().any(|found| found.difference.stops_compiling());
            if is_other {
                self.add(cause, ItemId::of(path), What::Schema, path, side, Some(new_side));
            } else {
                self.respelled += 1;
            }
        }
    }

    fn loses_target(&self, item: &Item, to: &Item) -> bool {
        match item.kind {
            // What a feature of all resources enables is told by the features of the resources.
            ItemKind::Feature => {
                let enables =
                    |to: &Item, name| to.target.split(", ").any(|enabled| enabled == name);
                let mut names = item.target.split(", ");
                names.any(|name| {
                    let is_kept = self.new.items.contains_key(&[FEATURES, name].concat());
                    is_kept && !enables(to, name)
                })
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
            let cause = self.causes.lost_member(path, item, to, kind, name, member);
            let is_unsent = kind == MemberKind::Method && to.is_some_and(causes::is_unsent);
            let is_unsent =
                is_unsent && path.starts_with("models::") && item.kind == ItemKind::Struct;
            let what = if is_unsent { What::Unsent } else { What::Lost };
            return self.add(cause, id, what, path, side, None);
        };
        let new_side = Some(Side::Member(kind, new_name, after));
        let own = || self.causes.first(&member.place, &after.place, &format!("{path}::{name}"));
        let cause = self.causes.body(path, &member.facts).unwrap_or_else(own);
        self.documentation += usize::from(member.docs != after.docs && !member.docs.is_empty());
        let found = self.found.len();
        if new_name != name || owner != self.renames.item(path) {
            self.add(cause.clone(), id.clone(), What::Renamed, path, side, new_side);
            self.detail(vec![format!("{owner}::{new_name}")]);
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
                let cause = self.causes.types(&member.ty).unwrap_or(cause);
                let what = match kind {
                    MemberKind::Body => What::Body,
                    MemberKind::Output => What::Output,
                    _ => What::Retyped,
                };
                self.add(cause.clone(), id, what, path, side, new_side);
                if kind == MemberKind::Output {
                    self.change_results(path, item, &cause);
                }
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
            self.mention(path, kind, name, member, new_side);
        }
    }

    /// Adds the methods that return what a request returns.
    fn change_results(&mut self, path: &'a str, item: &'a Item, cause: &str) {
        for ((kind, name), member) in &item.members {
            if member.ty.contains("Self::Output") {
                let id = ItemId::member(path, *kind, name);
                let side = Side::Member(*kind, name, member);
                self.add(cause.to_owned(), id, What::Output, path, side, Some(side));
            }
        }
    }

    /// Adds a member that differs only in naming a type that has another name.
    fn mention(
        &mut self,
        path: &'a str,
        kind: MemberKind,
        name: &'a str,
        member: &'a Member,
        new: Option<Side<'a>>,
    ) {
        let types = member.arguments.iter().map(|argument| argument.ty.as_str());
        let types = std::iter::once(path).chain(types).chain([member.ty.as_str()]);
        let Some(cause) = self.causes.mention(types) else { return };
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
            let is_parameter = ["bool", "f32", "f64", "Timestamp"].contains(&ty.as_str());
            ty == new.ty
                || format!("impl Into<{ty}>") == new.ty
                || (is_parameter && new.ty == "impl runtime::Param")
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
                (differs
                    || (member.facts != after.facts
                        && after.facts != ALIAS
                        && !after.facts.contains("feature")))
                .then_some(What::Wire)
            };
            if let Some(what) = what {
                self.add(cause.to_owned(), id.clone(), what, path, side, new_side);
            }
        } else {
            for cause in self.causes.arguments(&member.ty, before, now, cause) {
                self.add(cause, id.clone(), What::Arguments, path, side, new_side);
                self.detail(remarks(before, now));
            }
        }
        if self.renames.translated(&member.ty) != after.ty {
            let cause = self.causes.types(&member.ty).unwrap_or_else(|| cause.to_owned());
            self.add(cause, id.clone(), What::Output, path, side, new_side);
        } else if after.deprecated && !member.deprecated {
            self.add(cause.to_owned(), id.clone(), What::Deprecated, path, side, new_side);
        }
    }
}

/// Returns what has become of arguments.
fn remarks(old: &[Argument], new: &[Argument]) -> Vec<String> {
    let twin = |list: &[Argument], of: &Argument| {
        list.iter().find(|argument| argument.name == of.name).map(|found| found.ty.clone())
    };
    let gone = old.iter().filter_map(|argument| match twin(new, argument) {
        None => Some(format!("`{}` is gone", argument.name)),
        Some(ty) if ty != argument.ty => {
            Some(format!("`{}` is `{ty}`, no longer `{}`", argument.name, argument.ty))
        }
        Some(_) => None,
    });
    let come = new.iter().filter(|argument| twin(old, argument).is_none());
    gone.chain(come.map(|argument| format!("`{}` is new", argument.name))).collect()
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
