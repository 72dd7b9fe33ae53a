//! The items that have only changed their names: proven by a user, by an alias, the key of a schema or of credentials, the route of
//! an operation, the name on the wire, the same description of a property, or by the same shape in the same use.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase;

use super::shapes::{self, Shapes, sole_item};
use crate::items::{Item, ItemKind, MemberKind, MemberRef, Path, PublicApi, Ty, Wire};

/// The renames between two revisions, from old names to new ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Renames<'a> {
    items: BTreeMap<&'a Path, &'a Path>,
    /// By owner, kind and name; the new owner and the new name.
    members: BTreeMap<(&'a Path, MemberKind, &'a str), (&'a Path, &'a str)>,
    /// The new names in `members`.
    targets: BTreeSet<(&'a Path, MemberKind, &'a str)>,
    /// The old names of items that are aliases of the new ones.
    aliased: BTreeSet<&'a Path>,
    /// Types that replace another in its uses, but have another shape: the only one, if they are alike, or the forms of
    /// requests and responses, whose names begin with its own.
    pub(super) unproven: BTreeMap<&'a Path, Vec<&'a Path>>,
}

impl<'a> Renames<'a> {
    /// Finds the proven renames.
    pub(super) fn new(old: &'a PublicApi, new: &'a PublicApi) -> Self {
        let mut renames = Self::default();
        let accepted = accepted(old, new).filter(|[from, _]| from.kind == MemberKind::Whole);
        renames.items.extend(accepted.map(|[from, to]| (from.path, to.path)));
        renames.find_by_alias(old, new);
        renames.find_by_schema(old, new);
        renames.find_by_route(old, new);
        while renames.find_by_use(old, new) || renames.find_by_shape(old, new) {}
        renames.find_members(old, new);
        renames
    }

    fn find_members(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        for [from, to] in accepted(old, new).filter(|[from, _]| from.kind != MemberKind::Whole) {
            self.rename(from, to);
        }
        self.find_by_wire_name(old, new);
        self.find_by_description(old, new);
        let members = self.members.iter();
        self.targets = members.map(|((_, kind, _), (path, name))| (*path, *kind, *name)).collect();
        self.targets.extend(self.items.values().map(|path| (*path, MemberKind::Whole, "")));
    }

    /// Returns the new paths of all items with the old ones, apart from those that were items before.
    pub(super) fn origins(&self, old: &PublicApi) -> BTreeMap<Path, Path> {
        let renamed = self.items.iter().filter(|(_, to)| !old.items.contains_key(**to));
        renamed.map(|(from, to)| ((*to).clone(), (*from).clone())).collect()
    }

    pub(super) fn item<'p>(&self, path: &'p Path) -> &'p Path
    where
        'a: 'p,
    {
        self.items.get(path).copied().unwrap_or(path)
    }

    /// Returns the new path of the item, and the new name of the member.
    pub(super) fn member(&self, member: MemberRef<'a>) -> (&'a Path, &'a str) {
        let renamed = self.members.get(&(member.path, member.kind, member.name));
        renamed.copied().unwrap_or_else(|| (self.item(member.path), member.name))
    }

    /// Returns whether the old name of an item is an alias of its new one.
    pub(super) fn is_aliased(&self, path: &Path) -> bool {
        self.aliased.contains(path)
    }

    /// Returns whether an item is renamed, and its old name is not an alias.
    pub(super) fn is_renamed(&self, path: &Path) -> bool {
        self.items.contains_key(path) && !self.is_aliased(path)
    }

    /// Returns whether a member has its name because another was renamed.
    pub(super) fn is_target(&self, member: MemberRef<'_>) -> bool {
        self.targets.contains(&(member.path, member.kind, member.name))
    }

    /// Returns a type of the old revision as the new one names it.
    pub(super) fn translated(&self, ty: &Ty) -> Ty {
        if self.items.is_empty() {
            return ty.clone();
        }
        ty.with_items(&|path| self.item(path).clone())
    }

    fn find_by_alias(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        for (path, item) in &new.items {
            let ItemKind::Alias(Ty::Item(target)) = &item.kind else { continue };
            let was_type =
                old.items.get(path).is_some_and(|old| !matches!(old.kind, ItemKind::Alias(_)));
            if was_type && new.items.contains_key(target) {
                self.items.insert(path, target);
                self.aliased.insert(path);
            }
        }
    }

    fn find_by_schema(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        let schemas: BTreeMap<_, _> = new
            .items
            .iter()
            .filter_map(|(path, item)| Some((item.schema.as_ref()?, path)))
            .collect();
        for (path, item) in old.items.iter().filter(|(path, _)| !new.items.contains_key(*path)) {
            let found = item.schema.as_ref().and_then(|schema| schemas.get(schema));
            if let Some(target) = found.filter(|target| !old.items.contains_key(**target)) {
                self.items.insert(path, target);
            }
        }
    }

    fn find_by_route(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        let before = by_route(old);
        let after = by_route(new);
        let mut moved: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (route, (method, request)) in &before {
            let Some((target, to)) = after.get(route) else { continue };
            moved.entry(method.path).or_default().insert(target.path);
            // The new name can be that of another request before.
            if !new.items.contains_key(*request) {
                self.items.insert(request, to);
            }
            let is_other = (method.path, method.name) != (target.path, target.name);
            let at = new.member(method.path, MemberKind::Method, method.name);
            if is_other && at.is_none_or(|member| member.alias_of().is_some()) {
                let key = (method.path, MemberKind::Method, method.name);
                self.members.insert(key, (target.path, target.name));
            }
        }
        for (handle, targets) in moved {
            let only = targets.first().copied().filter(|_| targets.len() == 1);
            let Some(target) = only.filter(|target| !old.items.contains_key(*target)) else {
                continue;
            };
            if !self.is_aliased(handle) && new.items.contains_key(handle) {
                continue;
            }
            self.items.insert(handle, target);
            if let (Some(from), Some(to)) = (old.accessor(handle), new.accessor(target)) {
                self.members.insert((from.path, from.kind, from.name), (to.path, to.name));
            }
        }
    }

    /// Finds types that replace a removed type of the same shape in its uses; returns whether there are any.
    fn find_by_use(&mut self, old: &'a PublicApi, new: &'a PublicApi) -> bool {
        let mut candidates: BTreeSet<(&Path, &Path)> = BTreeSet::new();
        for member in old.members() {
            let item = self.item(member.path);
            let Some(to) = new.member(item, member.kind, member.name) else { continue };
            let before = member.types();
            let after = to.types();
            if before.len() != after.len() {
                continue;
            }
            for (from, to) in before.into_iter().zip(after) {
                let (Some(from), Some(to)) = (sole_item(from, to), sole_item(to, from)) else {
                    continue;
                };
                let is_lost = !new.items.contains_key(from) && !self.items.contains_key(from);
                let is_new = new.items.contains_key(to) && !old.items.contains_key(to);
                if is_lost && is_new && old.items.contains_key(from) {
                    candidates.insert((from, to));
                }
            }
        }
        let mut successors: BTreeMap<&Path, Vec<&Path>> = BTreeMap::new();
        let mut uses: BTreeMap<&Path, usize> = BTreeMap::new();
        for &(from, to) in &candidates {
            successors.entry(from).or_default().push(to);
            *uses.entry(to).or_default() += 1;
        }
        let is_split = |from: &Path, to: &[&Path]| {
            to.len() > 1 && to.iter().all(|to| to.name().starts_with(from.name()))
        };
        let whole =
            candidates.iter().copied().filter(|(from, _)| !is_split(from, &successors[from]));
        let is_found = self.prove([old, new], whole);
        let is_likely = |from: &Path, to: &Path| {
            let items = old.whole(from).zip(new.whole(to));
            let has_shape = || items.is_some_and(|(from, to)| shapes::are_alike([from, to]));
            uses[to] == 1 && (are_alike(from.name(), to.name()) || has_shape())
        };
        successors.retain(|from, to| match to[..] {
            [to] => is_likely(from, to),
            _ => is_split(from, to),
        });
        self.unproven = successors;
        is_found
    }

    /// Finds removed types whose shape only one new type has; returns whether there are any.
    fn find_by_shape(&mut self, old: &'a PublicApi, new: &'a PublicApi) -> bool {
        let mut found = Shapes { old, new, known: &self.items }.sole_counterparts();
        found.retain(|(from, _)| self.unproven.get(from).is_none_or(|to| to.len() == 1));
        self.prove([old, new], found.into_iter())
    }

    /// Adds the proven ones of possible renames; returns whether there are any.
    fn prove(
        &mut self,
        [old, new]: [&'a PublicApi; 2],
        pairs: impl Iterator<Item = (&'a Path, &'a Path)>,
    ) -> bool {
        let before = self.items.len();
        for (from, to) in pairs {
            let known = &self.items;
            let proven = Shapes { old, new, known }.prove(from, to);
            self.items.extend(proven.into_iter().flatten());
        }
        self.items.len() > before
    }

    /// Finds members with an alias, and fields, variants and setters with the same name on the wire.
    fn find_by_wire_name(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        let is_sent = |it: &MemberRef<'_>| it.alias_of().is_none() && it.wire_name().is_some();
        for (path, item) in &old.items {
            let Some((target, after)) = new.items.get_key_value(self.item(path)) else { continue };
            for member in item.members(path) {
                if let (None, Some(name)) = (member.alias_of(), alias_at(new, target, member)) {
                    self.members.insert((path, member.kind, member.name), (target, name));
                }
            }
            let mut added = BTreeMap::new();
            for to in after.only(target, item).filter(is_sent) {
                added.entry((to.kind, to.wire_name())).or_insert(to);
            }
            for from in item.only(path, after).filter(is_sent) {
                if let Some(to) = added.get(&(from.kind, from.wire_name())) {
                    self.rename(from, *to);
                }
            }
        }
    }

    /// Finds the properties whose description, type and form only one new property of their item has, and the methods of the
    /// builder for the credentials of one place. If others are accepted than before, one of them is another scheme.
    fn find_by_description(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        let taken: BTreeSet<_> = self.members.values().copied().collect();
        let has_schemes = places(old).is_subset(&places(new));
        for (path, item) in &old.items {
            let Some((target, after)) = new.items.get_key_value(self.item(path)) else { continue };
            let lost = item.only(path, after);
            let lost = lost.filter(|it| !self.members.contains_key(&(it.path, it.kind, it.name)));
            let added = after.only(target, item).filter(|it| !taken.contains(&(it.path, it.name)));
            let [lost, added]: [Vec<_>; 2] = [lost.collect(), added.collect()];
            let is_same = |from: MemberRef<'a>, to: MemberRef<'a>| {
                self.is_described_alike(from, to) || has_schemes && is_of_scheme(from, to)
            };
            let pairs = lost.iter().filter_map(|from| {
                let mut same = added.iter().filter(|to| is_same(*from, **to));
                let to = same.next().filter(|_| same.next().is_none())?;
                let is_only = lost.iter().filter(|it| is_same(**it, *to)).count() == 1;
                is_only.then_some((*from, *to))
            });
            for (from, to) in pairs.collect::<Vec<_>>() {
                self.rename(from, to);
            }
        }
    }

    /// Adds a member under its new name, and of a property the methods that set it.
    fn rename(&mut self, from: MemberRef<'a>, to: MemberRef<'a>) {
        let names = |it: MemberRef<'_>| [it.name.to_owned(), format!("set_{}_null", it.name)];
        let setters = names(from).into_iter().zip(names(to)).filter_map(|(old, new)| {
            let setter = from.item.member(from.path, MemberKind::Method, &old);
            setter.zip(to.item.member(to.path, MemberKind::Method, &new))
        });
        let renamed = [(from, to)].into_iter().chain(setters);
        let renamed =
            renamed.map(|(from, to)| ((from.path, from.kind, from.name), (to.path, to.name)));
        self.members.extend(renamed);
    }

    /// Returns whether two properties have the same description, type and form.
    fn is_described_alike(&self, old: MemberRef<'_>, new: MemberRef<'_>) -> bool {
        let property = |it: MemberRef<'_>| it.wire().and_then(Wire::unnamed_property);
        let types = old.types().into_iter().map(|ty| self.translated(ty));
        old.kind == new.kind
            && !old.about.docs.is_empty()
            && old.about.docs == new.about.docs
            && property(old).is_some_and(|old| property(new) == Some(old))
            && types.eq(new.types().into_iter().cloned())
    }
}

/// Returns the renames that a user is certain of.
fn accepted<'a>(
    old: &'a PublicApi,
    new: &'a PublicApi,
) -> impl Iterator<Item = [MemberRef<'a>; 2]> {
    new.accepted.iter().filter_map(|(from, to)| Some([old.find(from)?, new.find(to)?]))
}

/// Returns the first accepted rename that is not from a removed item to a new one of the same kind.
pub fn unmatched<'a>(old: &PublicApi, new: &'a PublicApi) -> Option<(&'a String, &'a String)> {
    new.accepted.iter().find(|(from, to)| {
        let kinds = old.find(from).zip(new.find(to)).map(|(from, to)| from.kind == to.kind);
        kinds != Some(true) || new.find(from).is_some() || old.find(to).is_some()
    })
}

/// The methods that begin requests, with the paths of the requests, by verb, path and media type.
type Routes<'a> = BTreeMap<(&'a str, String, Option<&'a str>), (MemberRef<'a>, &'a Path)>;

fn by_route(api: &PublicApi) -> Routes<'_> {
    let operations = api.operations().filter_map(|(method, request)| {
        let operation = api.items.get(request)?.operation()?;
        let route = (operation.verb.as_str(), operation.sent_path(), operation.media.as_deref());
        Some((route, (method, request)))
    });
    operations.collect()
}

/// Returns whether two methods of the builder set the credentials that one place of the spec declares.
fn is_of_scheme(old: MemberRef<'_>, new: MemberRef<'_>) -> bool {
    let is_declared = old.path.as_str() == Path::BUILDER && !old.place().is_empty();
    is_declared && old.place() == new.place() && old.types() == new.types()
}

/// Returns where the operations accept credentials.
fn places(api: &PublicApi) -> BTreeSet<impl Ord> {
    let operations = api.items.values().filter_map(Item::operation);
    let sets = operations.flat_map(|operation| &operation.security).flat_map(|it| &it.alternatives);
    sets.flatten().map(|credential| &credential.place).collect()
}

/// Returns the new name of a member whose old name the new revision has as an alias, in an item.
pub(super) fn alias_at<'a>(new: &'a PublicApi, path: &Path, old: MemberRef<'_>) -> Option<&'a str> {
    let kind = match old.kind {
        MemberKind::Variant => MemberKind::Const,
        kind => kind,
    };
    new.member(path, kind, old.name)?.alias_of()
}

/// Returns whether names may mean the same: they share a word, one begins with the other, or most letters are equal.
pub(super) fn are_alike(old: &str, new: &str) -> bool {
    let old = old.to_snake_case();
    let new = new.to_snake_case();
    let shares_word =
        old.split('_').any(|word| word.len() > 2 && new.split('_').any(|other| other == word));
    let is_longer = old.starts_with(&new) || new.starts_with(&old);
    shares_word || is_longer || strsim::normalized_damerau_levenshtein(&old, &new) >= LIKENESS
}

/// Minimum similarity of names, from 0 to 1, for one to be a spelling of the other.
const LIKENESS: f64 = 0.5;
