//! What differs between two revisions of a crate, item by item; [`super::group`] groups it.

use super::causes::{Causes, is_unsent};
use super::change::{Difference, What};
use super::renames::{Renames, alias_at, route, wire_name};
use super::{ALIAS, Argument, FEATURES, Item, ItemKind, MemberKind, Part, PublicApi};

/// The differences between two revisions, while they are gathered.
pub(super) struct Differences<'a> {
    new: &'a PublicApi,
    renames: &'a Renames<'a>,
    causes: &'a Causes<'a>,
    /// The differences, each with the place in the spec that causes it.
    pub(super) found: Vec<(String, Difference)>,
    pub(super) respelled: usize,
    pub(super) documentation: usize,
}

impl<'a> Differences<'a> {
    /// Compares all items of the old revision with what has become of them.
    pub(super) fn between(
        old: &'a PublicApi,
        new: &'a PublicApi,
        renames: &'a Renames<'a>,
        causes: &'a Causes<'a>,
    ) -> Self {
        let (found, respelled, documentation) = (Vec::new(), 0, 0);
        let mut differences = Self { new, renames, causes, found, respelled, documentation };
        for (path, item) in &old.items {
            let before = differences.found.len();
            for part in item.parts(path) {
                differences.compare(part);
            }
            differences.compare_schemas(path, item, before);
        }
        differences
    }

    fn add(&mut self, cause: &str, what: What, part: Part<'a>, twin: Part<'a>) {
        self.found.push((cause.to_owned(), Difference::of(what, part, Some(twin))));
    }

    /// Adds details to the last difference.
    fn detail(&mut self, detail: String) {
        if let Some((_, difference)) = self.found.last_mut() {
            difference.detail = detail;
        }
    }

    /// Compares a part with what has become of it.
    fn compare(&mut self, part: Part<'a>) {
        let Part { path, item, kind, member, .. } = part;
        let (owner, name) = self.renames.part(part);
        let Some(twin) = self.new.part(owner, kind, name) else {
            return self.lose(part, self.new.items.get(self.renames.item(path)));
        };
        let after = twin.member;
        let cause = &self.causes.of_part(part, twin);
        self.documentation += usize::from(member.docs != after.docs && !member.docs.is_empty());
        let before = self.found.len();
        let is_renamed = name != part.name
            || owner != if kind == MemberKind::Whole { path } else { self.renames.item(path) };
        if is_renamed {
            let is_aliased = self.renames.is_aliased(path) && kind == MemberKind::Whole
                || alias_at(self.new, owner, part).is_some();
            let what = if is_aliased { What::Aliased } else { What::Renamed };
            let separator = if name.is_empty() { "" } else { "::" };
            self.add(cause, what, part, twin);
            self.detail([owner, separator, name].concat());
        }
        match kind {
            MemberKind::Whole if !is_renamed && item.kind != twin.item.kind => {
                self.add(cause, What::Kind, part, twin);
            }
            MemberKind::Operation if route(&member.facts) == route(&after.facts) => {}
            MemberKind::Operation => self.add(cause, What::Route, part, twin),
            MemberKind::Method => self.compare_method(part, twin, cause),
            _ if self.is_retyped(part, twin) => {
                let cause = &self.causes.types(&member.ty).unwrap_or_else(|| cause.clone());
                let what = match kind {
                    MemberKind::Body => What::Body,
                    MemberKind::Output => What::Output,
                    _ => What::Retyped,
                };
                self.add(cause, what, part, twin);
                if kind == MemberKind::Output {
                    let results =
                        item.parts(path).filter(|part| part.member.ty.contains("Self::Output"));
                    for part in results {
                        self.add(cause, What::Output, part, part);
                    }
                }
            }
            _ if member.facts != after.facts && !after.facts.starts_with(ALIAS) => {
                let same_name = wire_name(&member.facts) == wire_name(&after.facts);
                let is_required = |facts: &str| facts.ends_with(" required");
                let is_flipped = is_required(&member.facts) != is_required(&after.facts);
                let what = if same_name && is_flipped { What::Required } else { What::Wire };
                self.add(cause, what, part, twin);
            }
            _ => {}
        }
        if self.found.len() == before && after.deprecated && !member.deprecated {
            self.add(cause, What::Deprecated, part, twin);
        }
        // What names a type with another name has changed, too, whatever it is.
        let own = [path, part.name].into_iter().filter(|_| kind > MemberKind::Body);
        let types = own.chain(part.types().filter(|_| kind > MemberKind::Body));
        if let Some(cause) = self.causes.mention(types).filter(|_| self.found.len() == before) {
            self.add(&cause, What::Mentions, part, twin);
        }
    }

    fn is_retyped(&self, part: Part<'_>, twin: Part<'_>) -> bool {
        if part.item.kind != ItemKind::Feature {
            return self.renames.translated(&part.member.ty) != twin.member.ty;
        }
        // What a feature of all resources enables is reported by the features of the resources.
        let is_enabled = |name| twin.member.ty.split(", ").any(|enabled| enabled == name);
        let is_there = |name: &str| self.new.items.contains_key(&[FEATURES, name].concat());
        part.member.ty.split(", ").any(|name| is_there(name) && !is_enabled(name))
    }

    /// Reports that a part is removed; `to` is what has become of its item.
    fn lose(&mut self, part: Part<'a>, to: Option<&'a Item>) {
        let Part { path, item, kind, name, member } = part;
        let renamed = (kind, self.renames.translated(name));
        if kind == MemberKind::Trait && to.is_some_and(|to| to.members.contains_key(&renamed)) {
            let cause = self.causes.mention([path, name].into_iter());
            let mention = |cause| (cause, Difference::of(What::Mentions, part, None));
            return self.found.extend(cause.map(mention));
        }
        let is_setter = kind == MemberKind::Method && path.starts_with("models::");
        let is_setter = is_setter && item.kind == ItemKind::Struct;
        let what = match kind {
            MemberKind::Trait => What::Trait,
            _ if is_setter && to.is_some_and(is_unsent) => What::Unsent,
            _ => What::Lost,
        };
        let cause = self.causes.of_lost(part, to);
        let alias = member.facts.strip_prefix(ALIAS).map(|new| format!("{path}::{new}"));
        let successor = match kind {
            MemberKind::Whole if item.kind == ItemKind::Alias => Some(member.ty.clone()),
            MemberKind::Whole => self.renames.unproven(path).map(str::to_owned),
            _ => alias.or_else(|| self.successor(part, to?)),
        };
        let detail = successor.unwrap_or_default();
        self.found.push((cause, Difference { detail, ..Difference::of(what, part, None) }));
    }

    /// Returns the member that perhaps replaces one that is removed: the only new one of its shape, where no other of that
    /// shape is removed.
    fn successor(&self, lost: Part<'a>, to: &'a Item) -> Option<String> {
        let shape = |part: &Part<'_>| {
            let types = part.types().map(|ty| self.renames.translated(ty));
            (part.kind, types.collect::<Vec<_>>())
        };
        let is_like = |part: &Part<'_>, twins: &Item| {
            let is_known = twins.members.contains_key(&(part.kind, part.name.to_owned()));
            !is_known && shape(part) == shape(&lost)
        };
        let is_new = |part: &Part<'_>| is_like(part, lost.item) && !self.renames.is_target(*part);
        let mut new = to.parts(self.renames.item(lost.path)).filter(is_new);
        let removed = lost.item.parts(lost.path).filter(|part| is_like(part, to));
        let sole = new.next().filter(|_| new.next().is_none() && removed.count() == 1)?;
        Some(sole.id())
    }

    /// Reports a path that means another schema, whose differences begin at an index.
    fn compare_schemas(&mut self, path: &'a str, item: &'a Item, before: usize) {
        let Some(twin) = self.new.part(path, MemberKind::Whole, "") else { return };
        let is_other =
            item.schema.is_some() && twin.item.schema.is_some() && item.schema != twin.item.schema;
        if !is_other || self.renames.item(path) != path {
            return;
        }
        let mut found =
            self.found[before..].iter().filter(|(_, found)| found.kind != MemberKind::Whole);
        if found.any(|(_, difference)| difference.stops_compiling()) {
            let part = Part { path, item, kind: MemberKind::Whole, name: "", member: &item.whole };
            let cause = self.causes.of_part(part, twin);
            self.add(&cause, What::Schema, part, twin);
        } else {
            self.respelled += 1;
        }
    }

    fn compare_method(&mut self, part: Part<'a>, twin: Part<'a>, cause: &str) {
        let (before, now) = (&part.member.arguments, &twin.member.arguments);
        let accepts = |(old, new): (&Argument, &Argument)| {
            let ty = self.renames.translated(&old.ty);
            let is_parameter = ["bool", "f32", "f64", "Timestamp"].contains(&ty.as_str());
            ty == new.ty
                || format!("impl Into<{ty}>") == new.ty
                || (is_parameter && new.ty == "impl runtime::Param")
        };
        let mut pairs = before.iter().zip(now);
        if before.len() != now.len() || !pairs.clone().all(accepts) {
            let cause = self.causes.arguments(part, twin, cause);
            self.add(&cause, What::Arguments, part, twin);
            self.detail(remarks(before, now));
        } else if is_reordered(before, now) {
            self.add(cause, What::Reordered, part, twin);
        } else {
            let is_sent = |argument: &Argument| !argument.facts.starts_with(" as path");
            let is_other =
                pairs.any(|(old, new)| old.facts != new.facts && (is_sent(old) || is_sent(new)));
            let facts = &twin.member.facts;
            let is_sent = !facts.contains("feature") && !facts.starts_with(ALIAS);
            if is_other || (part.member.facts != *facts && is_sent) {
                self.add(cause, What::Wire, part, twin);
            }
        }
        if self.renames.translated(&part.member.ty) != twin.member.ty {
            let cause = &self.causes.types(&part.member.ty).unwrap_or_else(|| cause.to_owned());
            self.add(cause, What::Output, part, twin);
        }
    }
}

impl Difference {
    /// Returns the difference at a part.
    pub(super) fn of(what: What, part: Part<'_>, twin: Option<Part<'_>>) -> Self {
        Self {
            id: part.id(),
            what,
            old: part.line(),
            new: twin.map(|twin| twin.line()).unwrap_or_default(),
            detail: String::new(),
            owner: part.path.to_owned(),
            kind: part.kind,
            rank: rank(what, part),
            old_place: part.member.place.clone(),
            new_place: twin.map(|twin| twin.member.place.clone()).unwrap_or_default(),
        }
    }
}

/// Returns how far a part is from what the spec defines.
fn rank(what: What, part: Part<'_>) -> usize {
    let is_resource = part.path.starts_with("resources::");
    let is_added = what == What::Added;
    match (part.kind, part.item.kind) {
        (MemberKind::Trait, _) => 6,
        _ if what == What::Mentions => 6,
        (MemberKind::Whole, ItemKind::Module) => 5,
        (MemberKind::Whole, ItemKind::Feature) if is_added => 5,
        (MemberKind::Whole, _) if is_resource => 4,
        (MemberKind::Body, _) if what == What::Lost => 3,
        (MemberKind::Operation | MemberKind::Output, _) => 1,
        (MemberKind::Whole | MemberKind::Field | MemberKind::Variant | MemberKind::Body, _) => 0,
        (MemberKind::Method, _) if is_resource && !part.item.is_request() => 0,
        _ => 3,
    }
}

/// Returns what has become of arguments.
fn remarks(old: &[Argument], new: &[Argument]) -> String {
    let twin = |list: &[Argument], of: &Argument| {
        list.iter().find(|argument| argument.name == of.name).map(|found| found.ty.clone())
    };
    let removed = old.iter().filter_map(|argument| match twin(new, argument) {
        None => Some(format!("`{}` is removed", argument.name)),
        Some(ty) if ty != argument.ty => {
            Some(format!("`{}` is `{ty}`, no longer `{}`", argument.name, argument.ty))
        }
        Some(_) => None,
    });
    let added = new.iter().filter(|argument| twin(old, argument).is_none());
    let added = added.map(|argument| format!("`{}` is new", argument.name));
    let remarks: Vec<String> = removed.chain(added).collect();
    if remarks.is_empty() { "the same in another order".to_owned() } else { remarks.join(", ") }
}

/// Returns whether arguments that look alike have changed places.
fn is_reordered(old: &[Argument], new: &[Argument]) -> bool {
    let names = |list: &[Argument]| list.iter().map(|argument| argument.name.clone()).collect();
    let (mut old, mut new): (Vec<_>, Vec<_>) = (names(old), names(new));
    let differs = old != new;
    old.sort();
    new.sort();
    differs && old == new
}
