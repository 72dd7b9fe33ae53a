//! The differences between two revisions of a crate, item by item.

use std::collections::BTreeMap;

use super::causes::{Causes, is_for_tests, is_setter, is_unsent};
use super::change::Difference;
use super::renames::{Renames, alias_at};
use super::what::{Retyping, What};
use crate::items::features::OPERATIONS;
use crate::items::{
    Body, Definition, Item, ItemKind, MemberKind, MemberRef, Path, PublicApi, Ty, Wire,
};

/// A difference with its cause: the place in the spec.
pub(super) type Found = (String, Difference);

/// The differences between two revisions, while they are collected.
pub(super) struct Differences<'a> {
    pub(super) old: &'a PublicApi,
    pub(super) new: &'a PublicApi,
    pub(super) renames: &'a Renames<'a>,
    pub(super) causes: &'a Causes<'a>,
    /// The differences.
    pub(super) found: Vec<Found>,
    /// The number of items with other documentation.
    pub(super) documentation: usize,
    /// The client's methods for handles that need a feature, and that needed none before, by the features.
    gated: BTreeMap<&'a str, Sides<'a>>,
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
            documentation: 0,
            gated: gated_accessors(old, new),
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
            // The handle that alone needs the feature.
            let handle = self.gated.get(new[0].as_str()).filter(|_| new.len() == 1);
            let of_handle = handle.map(|it| self.causes.of_member(it.old, it.new));
            let what = What::Gated { lost: lost.cloned(), features: new.clone() };
            self.add(of_handle.as_deref().unwrap_or(cause), what, pair);
        }
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
        let result = new.as_item().and_then(|path| self.new.whole(path));
        if let Some(result) = result.filter(|it| it.item.kind == ItemKind::Enum) {
            let members = result.item.members(result.path);
            let variants = members.filter(|it| it.kind == MemberKind::Variant);
            retyping = Retyping::Variants(variants.map(|it| it.name.to_owned()).collect());
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
        let is_listed = |path: &Path| {
            let item = self.new.items.get(path).or_else(|| self.old.items.get(path));
            let mut members = item.into_iter().flat_map(|it| it.members(path));
            members.any(|it| matches!(it.wire(), Some(Wire::Value(_))))
        };
        Retyping::of(&self.renames.translated(old), new, &is_listed)
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
        }
    }
}

/// Returns the client's methods for handles that need a feature, and that needed none before, by the features.
fn gated_accessors<'a>(old: &'a PublicApi, new: &'a PublicApi) -> BTreeMap<&'a str, Sides<'a>> {
    let client = new.items.get_key_value(Path::CLIENT).into_iter();
    let methods = client.flat_map(|(path, client)| client.members(path));
    let gated = methods.filter_map(|new| {
        let before = old.member(new.path, new.kind, new.name)?;
        let is_open = before.method()?.feature.is_none();
        Some((new.method()?.feature.as_deref().filter(|_| is_open)?, Sides { old: before, new }))
    });
    gated.collect()
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
