//! The differences between two revisions of a crate, item by item.

use super::causes::{Causes, is_for_tests, is_setter, is_unsent};
use super::change::Difference;
use super::renames::{Renames, alias_at, are_alike};
use super::what::{Replacement, Retyping, What};
use crate::items::features::OPERATIONS;
use crate::items::{
    Body, Definition, Item, ItemKind, MemberKind, MemberRef, Path, PublicApi, Ty, Wire,
};

/// A difference with its cause: the place in the spec.
pub(super) type Found = (String, Difference);

/// The differences between two revisions, while they are collected.
pub(super) struct Differences<'a> {
    old: &'a PublicApi,
    pub(super) new: &'a PublicApi,
    pub(super) renames: &'a Renames<'a>,
    pub(super) causes: &'a Causes<'a>,
    /// The differences.
    pub(super) found: Vec<Found>,
    /// The number of types that are the same under another key of the spec.
    pub(super) respelled: usize,
    /// The number of items with other documentation.
    pub(super) documentation: usize,
    /// The methods that take more types than before, or that more programs have.
    pub(super) widened: Vec<MemberRef<'a>>,
}

/// A member of the old revision and its counterpart in the new one.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) old: MemberRef<'a>,
    pub(super) new: MemberRef<'a>,
}

impl<'a> Differences<'a> {
    /// Compares items of the old revision with their new counterparts.
    pub(super) fn new(
        items: impl IntoIterator<Item = (&'a Path, &'a Item)>,
        old: &'a PublicApi,
        new: &'a PublicApi,
        renames: &'a Renames<'a>,
        causes: &'a Causes<'a>,
    ) -> Self {
        let mut differences = Self {
            old,
            new,
            renames,
            causes,
            found: Vec::new(),
            respelled: 0,
            documentation: 0,
            widened: Vec::new(),
        };
        for (path, item) in items {
            let before = differences.found.len();
            for member in item.members(path) {
                differences.compare(member);
            }
            differences.compare_schemas(path, item, before);
        }
        differences
    }

    pub(super) fn add(&mut self, cause: &str, what: What, pair: Sides<'a>) {
        self.found.push((cause.to_owned(), Difference::new(what, pair.old, Some(pair.new))));
    }

    /// Adds a difference that the lines of `api.txt` do not show.
    pub(super) fn add_unlisted(
        &mut self,
        cause: &str,
        what: What,
        pair: Sides<'a>,
        [old, new]: [String; 2],
    ) {
        let difference = Difference::new(what, pair.old, Some(pair.new));
        self.found.push((cause.to_owned(), Difference { old, new, ..difference }));
    }

    /// Compares a member with its counterpart.
    fn compare(&mut self, old: MemberRef<'a>) {
        let (owner, name) = self.renames.member(old);
        let Some(new) = self.new.member(owner, old.kind, name) else {
            return self.lose(old, self.new.items.get(self.renames.item(old.path)));
        };
        let pair = Sides { old, new };
        let cause = self.causes.of_member(old, new);
        let has_other_docs = !old.about.docs.is_empty() && old.about.docs != new.about.docs;
        self.documentation += usize::from(has_other_docs);
        let before = self.found.len();
        let is_renamed = self.compare_names(pair, &cause);
        match (old.definition, new.definition) {
            (None, None) => {
                self.compare_items(pair, &cause, is_renamed);
                self.compare_parts(pair, &cause);
                self.compare_features(pair, &cause);
            }
            (Some(Definition::Operation(from)), Some(Definition::Operation(to))) => {
                self.compare_operations(pair, [from, to], &cause);
            }
            (Some(Definition::Body(from)), Some(Definition::Body(to))) => {
                self.compare_bodies(pair, [from, to], &cause);
            }
            (Some(Definition::Output(from)), Some(Definition::Output(to))) => {
                self.compare_outputs(pair, [from, to], &cause);
            }
            (
                Some(Definition::Failure(from, old_cases)),
                Some(Definition::Failure(to, new_cases)),
            ) => {
                self.compare_outputs(pair, [from, to], &cause);
                if self.found.len() == before {
                    self.compare_failures(pair, [old_cases, new_cases], &cause);
                }
            }
            (Some(Definition::Method(from)), Some(Definition::Method(to))) => {
                self.compare_methods(pair, [from, to], &cause);
            }
            (Some(Definition::Rule(from)), Some(Definition::Rule(to))) => {
                if from != to && has_variant(new.item, from) {
                    self.add(&cause, What::Recognized, pair);
                }
            }
            (Some(from), Some(to)) => self.compare_types(pair, [from, to], &cause),
            (None, Some(_)) | (Some(_), None) => {}
        }
        if self.found.len() > before {
            return;
        }
        if new.about.deprecated && !old.about.deprecated {
            self.add(&cause, What::Deprecated, pair);
        }
        // A definition that names a renamed type has changed, too.
        if old.kind > MemberKind::Body
            && let Some(cause) = self.causes.of_renamed(mentions(old))
            && self.found.len() == before
        {
            self.add(&cause, What::Mentions, pair);
            if old.kind == MemberKind::Output {
                self.add_results(&cause, &What::Mentions, old);
            }
        }
    }

    /// Adds a difference for each method that returns the result of a request.
    fn add_results(&mut self, cause: &str, what: &What, output: MemberRef<'a>) {
        for member in output.item.members(output.path) {
            let is_result =
                member.method().is_some_and(|method| method.signature.output.names_output());
            if is_result {
                self.add(cause, what.clone(), Sides { old: member, new: member });
            }
        }
    }

    /// Compares the names of a member and of its counterpart, and returns whether they differ.
    fn compare_names(&mut self, Sides { old, new }: Sides<'a>, cause: &str) -> bool {
        let is_whole = old.kind == MemberKind::Whole;
        let expected = if is_whole { old.path } else { self.renames.item(old.path) };
        if new.name == old.name && new.path == expected {
            return false;
        }
        let to = new.full_path();
        let is_aliased = (is_whole && self.renames.is_aliased(old.path))
            || alias_at(self.new, new.path, old).is_some();
        let what = if is_aliased { What::Aliased(to) } else { What::Renamed(to) };
        self.add(cause, what, Sides { old, new });
        true
    }

    /// Compares items as wholes.
    fn compare_items(&mut self, pair: Sides<'a>, cause: &str, is_renamed: bool) {
        let old = &pair.old.item.kind;
        let new = &pair.new.item.kind;
        let from = old.keyword();
        let to = new.keyword();
        let what = match (old, new) {
            _ if from != to && !is_renamed => What::Kind([from, to]),
            (ItemKind::Feature(old), ItemKind::Feature(new)) => {
                // The content of the feature of all resources is reported by the features of the resources.
                let is_lost = old.iter().any(|name| self.has_feature(name) && !new.contains(name));
                if !is_lost {
                    return;
                }
                What::OTHER_TYPE
            }
            (ItemKind::Alias(old), ItemKind::Alias(new))
                if self.renames.translated(old) != *new =>
            {
                What::OTHER_TYPE
            }
            (ItemKind::Use(old), ItemKind::Use(new)) if old != new => What::OTHER_TYPE,
            _ => return,
        };
        let of_type = match old {
            ItemKind::Alias(ty) => self.causes.of_type(ty),
            _ => None,
        };
        self.add(of_type.as_deref().unwrap_or(cause), what, pair);
    }

    /// Compares the order of the parts that both bodies have.
    fn compare_parts(&mut self, pair: Sides<'a>, cause: &str) {
        let parts = |of: &Item, other: &Item| -> Vec<String> {
            of.parts.iter().filter(|part| other.parts.contains(part)).cloned().collect()
        };
        let old = parts(pair.old.item, pair.new.item);
        let new = parts(pair.new.item, pair.old.item);
        if old != new {
            let lines = [old, new].map(|parts| parts.join(" "));
            self.add_unlisted(cause, What::Parts, pair, lines);
        }
    }

    pub(super) fn has_feature(&self, name: &str) -> bool {
        self.new.items.contains_key(&Path::of_feature(name))
    }

    /// Compares the features of types. Those that no longer exist are reported themselves. A type follows the handle that
    /// needs the same feature now.
    fn compare_features(&mut self, pair: Sides<'a>, cause: &str) {
        let old = &pair.old.item.features;
        let new = &pair.new.item.features;
        // The feature of all resources enables each of them.
        let is_lost =
            |name: &&String| *name != OPERATIONS && self.has_feature(name) && !new.contains(name);
        let lost = old.iter().find(is_lost);
        if (lost.is_some() || old.is_empty()) && !new.is_empty() {
            let of_handle = self.gated_accessor(new);
            let of_handle = of_handle.map(|it| self.causes.of_member(it.old, it.new));
            let what = What::Gated { lost: lost.cloned(), features: new.clone() };
            self.add(of_handle.as_deref().unwrap_or(cause), what, pair);
        }
    }

    /// Returns the client's method for the handle that alone needs a feature, and that needed none before.
    fn gated_accessor(&self, features: &[String]) -> Option<Sides<'a>> {
        let (path, client) = self.new.items.get_key_value(Path::CLIENT)?;
        let feature = |it: MemberRef<'a>| it.method()?.feature.as_deref();
        client.members(path).filter(|it| features == feature(*it).as_slice()).find_map(|new| {
            let old = self.old.member(path, new.kind, new.name)?;
            feature(old).is_none().then_some(Sides { old, new })
        })
    }

    fn compare_bodies(&mut self, pair: Sides<'a>, [old, new]: [&Body; 2], cause: &str) {
        let of_type = match (old, new) {
            (Body::Value(old), Body::Value(new)) if self.renames.translated(old) == *new => return,
            (old, new) if old == new => return,
            (Body::Value(ty), _) => self.causes.of_type(ty),
            _ => None,
        };
        // Required properties of a new body are arguments, which differ themselves.
        let what = match (old, new) {
            (Body::Value(_), _) | (_, Body::None | Body::EmptyObject) => What::Body,
            (Body::EmptyObject, Body::Value(_)) => What::BodyAdded { is_sent: false },
            (Body::None, Body::Value(_)) => {
                // A body of properties is sent even if none is set, and one that is passed as a whole is not.
                let mut members = pair.new.item.members(pair.new.path).filter_map(MemberRef::wire);
                let is_sent = members.any(|wire| matches!(wire, Wire::BodyProperty(..)));
                What::BodyAdded { is_sent }
            }
        };
        self.add(of_type.as_deref().unwrap_or(cause), what, pair);
    }

    /// Compares what methods return. Methods of the request return its result, too.
    pub(super) fn compare_outputs(&mut self, pair: Sides<'a>, [old, new]: [&Ty; 2], cause: &str) {
        let Some(mut retyping) = self.retyping(old, new) else { return };
        let result = new.as_item().and_then(|path| self.new.items.get(path));
        if result.is_some_and(|it| it.kind == ItemKind::Enum) {
            retyping = Retyping::Variants;
        }
        let of_type = self.causes.of_type(old);
        let cause = of_type.as_deref().unwrap_or(cause);
        self.add(cause, What::Output(retyping), pair);
        if pair.old.kind == MemberKind::Output {
            self.add_results(cause, &What::Output(Retyping::Other), pair.old);
        }
    }

    /// Compares fields, variants, constants, traits or the items of pages.
    fn compare_types(&mut self, pair: Sides<'a>, [old, new]: [&Definition; 2], cause: &str) {
        let before = old.types();
        let after = new.types();
        let retyping = match (&before[..], &after[..]) {
            ([], []) => None,
            ([old], [new]) => self.retyping(old, new),
            _ => Some(Retyping::Other),
        };
        if let Some(retyping) = retyping {
            let of_type = before.first().and_then(|ty| self.causes.of_type(ty));
            let retyping = match retyping.of_property(old.wire(), new.wire()) {
                Retyping::Required if is_argument(pair.new) => Retyping::Argument,
                Retyping::Optional if is_argument(pair.old) => Retyping::Setter,
                retyping => retyping,
            };
            let types = match (old, new) {
                (Definition::Field(from, wire), Definition::Field(to, _))
                    if wire.name().is_some() =>
                {
                    Some([from.to_string(), to.to_string()])
                }
                _ => None,
            };
            let what = What::Retyped { retyping, types };
            self.add(of_type.as_deref().unwrap_or(cause), what, pair);
            return;
        }
        let what = match (old, new) {
            (Definition::Items(old), Definition::Items(new)) => {
                if (&old.field, &old.next_token) == (&new.field, &new.next_token) {
                    return;
                }
                What::Wire
            }
            (Definition::Setting(setting, from), Definition::Setting(_, to)) => {
                if from == to {
                    return;
                }
                What::Setting { setting: *setting, from: from.clone(), to: Some(to.clone()) }
            }
            (
                Definition::Constant { value: Some(from), .. },
                Definition::Constant { value: Some(to), .. },
            ) if from != to => {
                let what = What::Value([from.clone(), to.clone()]);
                return self.add(cause, what, pair);
            }
            _ => match (old.wire(), new.wire()) {
                (old, new) if old == new => return,
                (Some(old), Some(new))
                    if old.name() == new.name() && old.is_required() != new.is_required() =>
                {
                    let now = pair.new.wire().is_some_and(Wire::is_required);
                    let is_sent = is_sent(pair.old) || is_sent(pair.new);
                    What::Required { now, is_sent, null_setter: self.lost_null_setter(pair) }
                }
                (Some(old), Some(new))
                    if old.name() == new.name() && old.is_nullable() != new.is_nullable() =>
                {
                    let null_setter = self.lost_null_setter(pair);
                    What::Nullable { now: new.is_nullable(), null_setter }
                }
                (Some(old), Some(new)) if old.differs_in_access(new) => What::Access,
                _ => What::Wire,
            },
        };
        self.add(cause, what, pair);
    }

    /// Returns the method that set a property to null, if it is removed.
    fn lost_null_setter(&self, Sides { old, .. }: Sides<'a>) -> Option<String> {
        let name = format!("set_{}_null", old.name.trim_end_matches('_'));
        let setter = old.item.member(old.path, MemberKind::Method, &name)?;
        let (owner, new_name) = self.renames.member(setter);
        self.new.member(owner, MemberKind::Method, new_name).is_none().then_some(name)
    }

    /// Returns the change of a type; `None` if it has not changed.
    fn retyping(&self, old: &Ty, new: &Ty) -> Option<Retyping> {
        Retyping::of(&self.renames.translated(old), new)
    }

    /// Reports that a member is removed; `to` is the new counterpart of its item.
    fn lose(&mut self, old: MemberRef<'a>, to: Option<&'a Item>) {
        if let (Some(Definition::Trait(ty)), Some(to)) = (old.definition, to) {
            let renamed = (MemberKind::Trait, self.renames.translated(ty).to_string());
            if to.members.contains_key(&renamed) {
                if let Some(cause) = self.causes.of_renamed(mentions(old)) {
                    self.found.push((cause, Difference::new(What::Mentions, old, None)));
                }
                return;
            }
        }
        let what = match old.definition {
            Some(Definition::Setting(setting, value)) => {
                // The settings of methods are removed with them.
                let method = setting.method().or(old.name.split(' ').nth(1));
                let key = method.map(|method| (MemberKind::Method, method.to_owned()));
                if !to.is_some_and(|to| key.is_none_or(|key| to.members.contains_key(&key))) {
                    return;
                }
                What::Setting { setting: *setting, from: value.clone(), to: None }
            }
            // A variant that is removed or renamed is reported itself.
            Some(Definition::Rule(variant)) if !to.is_some_and(|to| has_variant(to, variant)) => {
                return;
            }
            Some(Definition::Rule(_)) => What::Recognized,
            Some(Definition::Trait(_)) => What::Trait,
            _ if is_setter(old) && to.is_some_and(is_unsent) => What::Unsent,
            _ => What::Removed(self.replacement(old, to)),
        };
        let cause = self.causes.of_lost(old, to);
        self.found.push((cause, Difference::new(what, old, None)));
    }

    /// Returns the replacement of a removed member.
    fn replacement(&self, old: MemberRef<'a>, to: Option<&'a Item>) -> Replacement {
        let perhaps = match (&old.item.kind, old.definition) {
            (ItemKind::Alias(ty), None) => {
                return ty.as_item().cloned().map_or(Replacement::None, Replacement::Target);
            }
            (_, None) => self.renames.unproven(old.path).cloned(),
            (_, Some(_)) => {
                if let Some(new) = old.alias_of() {
                    return Replacement::Target(old.path.join(new));
                }
                if let Some(advice) = to.and_then(|to| self.without_convention(old, to)) {
                    return Replacement::Advice(advice);
                }
                to.and_then(|to| self.successor(old, to))
            }
        };
        match (perhaps, old.wire()) {
            (Some(to), _) => Replacement::Perhaps(to),
            (None, Some(Wire::Value(value))) => Replacement::Advice(format!(
                "if servers still send it, match `Unknown(value)` with `value.as_str() == {value:?}`"
            )),
            (None, _) => Replacement::None,
        }
    }

    /// Returns the possible replacement of a removed member: the only new member of its shape, if no other member of
    /// that shape is removed, if the names are alike, or both are methods that the same place of the spec defines.
    fn successor(&self, lost: MemberRef<'a>, to: &'a Item) -> Option<Path> {
        let shape = |member: &MemberRef<'_>| {
            let types = member.types().into_iter().map(|ty| self.renames.translated(ty));
            (member.kind, types.collect::<Vec<_>>())
        };
        let lost_shape = shape(&lost);
        let is_only_here = |member: &MemberRef<'_>, other: &Item| {
            let is_there = other.members.contains_key(&(member.kind, member.name.to_owned()));
            !is_there && shape(member) == lost_shape
        };
        let removed =
            lost.item.members(lost.path).filter(|member| is_only_here(member, to)).count();
        let mut new = to
            .members(self.renames.item(lost.path))
            .filter(|member| is_only_here(member, lost.item) && !self.renames.is_target(*member));
        let only = new.next()?;
        let is_method = lost.kind == MemberKind::Method && !lost.place().is_empty();
        let is_same_place = is_method && lost.place() == only.place();
        let is_likely = is_same_place || are_alike(lost.name, only.name);
        (is_likely && removed == 1 && new.next().is_none()).then(|| only.full_path())
    }

    /// Reports a path that now belongs to another schema, whose differences begin at an index.
    fn compare_schemas(&mut self, path: &'a Path, item: &'a Item, before: usize) {
        let Some(new) = self.new.whole(path) else { return };
        let is_other =
            item.schema.is_some() && new.item.schema.is_some() && item.schema != new.item.schema;
        if !is_other || self.renames.item(path) != path {
            return;
        }
        let mut of_members = self.found[before..]
            .iter()
            .map(|(_, difference)| difference)
            .filter(|difference| difference.kind != MemberKind::Whole);
        if of_members.any(Difference::stops_compiling) {
            let old = MemberRef::whole(path, item);
            let cause = self.causes.of_member(old, new);
            self.add(&cause, What::Schema, Sides { old, new });
        } else {
            self.respelled += 1;
        }
    }
}

/// Returns the items that a member consists of.
fn mentions(member: MemberRef<'_>) -> impl Iterator<Item = &Path> {
    std::iter::once(member.path).chain(member.named_items())
}

/// Returns whether requests can have a property: it has a setter, or is an argument.
fn is_sent(field: MemberRef<'_>) -> bool {
    let setter = field.item.member(field.path, MemberKind::Method, field.name);
    setter.is_some_and(|setter| !is_for_tests(setter)) || is_argument(field)
}

/// Returns whether a property is an argument of the constructor of its model.
fn is_argument(field: MemberRef<'_>) -> bool {
    let new = field.item.member(field.path, MemberKind::Method, "new");
    let arguments = new.and_then(MemberRef::method).map(|new| &new.signature.arguments);
    arguments.into_iter().flatten().any(|argument| argument.name == field.name)
}

/// Returns whether an enum has a variant.
fn has_variant(item: &Item, name: &str) -> bool {
    item.members.contains_key(&(MemberKind::Variant, name.to_owned()))
}
