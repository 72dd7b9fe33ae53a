//! Which items have only changed their names: proven by an alias, the route of an operation, the key of a schema, the name
//! on the wire, or by the same shape in the same use.

use std::collections::{BTreeMap, BTreeSet};

use super::{ALIAS, ItemKind, Member, MemberKind, Part, PublicApi, paths, rename_paths};

/// The renames between two revisions, from old names to new ones.
#[derive(Debug, Default)]
pub(super) struct Renames<'a> {
    items: BTreeMap<&'a str, &'a str>,
    /// By owner, kind and name; the new owner and the new name.
    members: BTreeMap<(&'a str, MemberKind, &'a str), (&'a str, &'a str)>,
    /// The old names of items that are aliases of the new ones.
    aliased: BTreeSet<&'a str>,
    /// Types that are used where another was, but have another shape.
    unproven: BTreeMap<&'a str, &'a str>,
}

impl<'a> Renames<'a> {
    /// Finds the renames that can be proven.
    pub(super) fn between(old: &'a PublicApi, new: &'a PublicApi) -> Self {
        let mut renames = Self::default();
        renames.find_by_alias(old, new);
        renames.find_by_schema(old, new);
        renames.find_by_route(old, new);
        while renames.find_by_use(old, new) {}
        renames.find_by_wire_name(old, new);
        renames
    }

    /// Returns the new path of an item.
    pub(super) fn item<'p>(&self, path: &'p str) -> &'p str
    where
        'a: 'p,
    {
        self.items.get(path).copied().unwrap_or(path)
    }

    /// Returns the new path of the item, and the new name of the member.
    pub(super) fn part(&self, part: Part<'a>) -> (&'a str, &'a str) {
        let renamed = self.members.get(&(part.path, part.kind, part.name));
        renamed.copied().unwrap_or_else(|| (self.item(part.path), part.name))
    }

    /// Returns whether the old name of an item is an alias of its new one.
    pub(super) fn is_aliased(&self, path: &str) -> bool {
        self.aliased.contains(path)
    }

    /// Returns whether an item has another name, and the old one is no alias.
    pub(super) fn is_renamed(&self, path: &str) -> bool {
        self.items.contains_key(path) && !self.is_aliased(path)
    }

    /// Returns whether a part has its name because another was renamed.
    pub(super) fn is_target(&self, part: Part<'_>) -> bool {
        let target = (part.path, part.name);
        match part.kind {
            MemberKind::Whole => self.items.values().any(|path| *path == part.path),
            kind => self.members.iter().any(|((_, at, _), to)| *at == kind && *to == target),
        }
    }

    /// Returns a type that is used where a removed one was.
    pub(super) fn unproven(&self, path: &str) -> Option<&'a str> {
        self.unproven.get(path).copied()
    }

    /// Returns a type of the old revision as the new one writes it.
    pub(super) fn translated(&self, ty: &str) -> String {
        rename_paths(ty, |path| self.items.get(path))
    }

    fn find_by_alias(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        for (path, item) in &new.items {
            let was_alias = old.items.get(path).is_none_or(|old| old.kind == ItemKind::Alias);
            if item.kind == ItemKind::Alias && !was_alias && new.items.contains_key(&item.whole.ty)
            {
                self.items.insert(path, &item.whole.ty);
                self.aliased.insert(path);
            }
        }
    }

    fn find_by_schema(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        let schemas =
            new.items.iter().filter_map(|(path, item)| Some((item.schema.as_ref()?, path)));
        let schemas: BTreeMap<_, _> = schemas.collect();
        for (path, item) in old.items.iter().filter(|(path, _)| !new.items.contains_key(*path)) {
            let found = item.schema.as_ref().and_then(|schema| schemas.get(schema));
            if let Some(target) = found.filter(|target| !old.items.contains_key(**target)) {
                self.items.insert(path, target);
            }
        }
    }

    fn find_by_route(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        let by_route = |api: &'a PublicApi| -> BTreeMap<&'a str, Part<'a>> {
            let operations = operations(api).filter_map(|method| {
                let request = api.items.get(&method.member.ty)?;
                Some((route(&request.fact(MemberKind::Operation)?.facts), method))
            });
            operations.collect()
        };
        let (before, after) = (by_route(old), by_route(new));
        let mut moved: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (route, method) in &before {
            let Some(target) = after.get(route) else { continue };
            moved.entry(method.path).or_default().insert(target.path);
            let (from, to) = (&method.member.ty, &target.member.ty);
            if !new.items.contains_key(from) && !old.items.contains_key(to) {
                self.items.insert(from, to);
            }
            let (from, to) = ((method.path, method.name), (target.path, target.name));
            let at = new.part(from.0, MemberKind::Method, from.1);
            if from != to && at.is_none_or(|part| part.member.facts.starts_with(ALIAS)) {
                self.members.insert((from.0, MemberKind::Method, from.1), to);
            }
        }
        for (handle, targets) in moved {
            let sole = targets.first().copied().filter(|_| targets.len() == 1);
            let Some(target) = sole.filter(|target| !old.items.contains_key(*target)) else {
                continue;
            };
            let is_alias = self.is_aliased(handle);
            if !is_alias && new.items.contains_key(handle) {
                continue;
            }
            self.items.insert(handle, target);
            if let (Some(from), Some(to)) = (accessor(old, handle), accessor(new, target)) {
                self.members.insert(("Client", MemberKind::Method, from), ("Client", to));
            }
        }
    }

    /// Finds types that are used where a removed one of the same shape was; returns whether there are any.
    fn find_by_use(&mut self, old: &'a PublicApi, new: &'a PublicApi) -> bool {
        let is_only_in = |api: &PublicApi, other: &PublicApi, path: &str| {
            api.items.contains_key(path) && !other.items.contains_key(path)
        };
        let mut candidates: BTreeMap<&str, &str> = BTreeMap::new();
        for part in old.parts() {
            let Some(to) = new.part(self.item(part.path), part.kind, part.name) else { continue };
            let (before, after) = (&part.member.ty, &to.member.ty);
            if rename_paths(before, |_| Some("_")) != rename_paths(after, |_| Some("_")) {
                continue;
            }
            for (from, to) in paths(before).zip(paths(after)) {
                let is_lost = is_only_in(old, new, from) && !self.items.contains_key(from);
                if is_lost && is_only_in(new, old, to) {
                    candidates.insert(from, to);
                }
            }
        }
        let name = |path: &str| candidates.get(path).or_else(|| self.items.get(path));
        let is_same = |before: &Member, after: &Member| {
            let same = |old: &str, new: &str| rename_paths(old, name) == new;
            let mut arguments = before.arguments.iter().zip(&after.arguments);
            before.arguments.len() == after.arguments.len()
                && arguments.all(|(old, new)| same(&old.ty, &new.ty))
                && same(&before.ty, &after.ty)
                && before.facts == after.facts
        };
        let proven = candidates.iter().filter(|(from, to)| {
            let (before, after) = (&old.items[**from], &new.items[**to]);
            let mut members = before.parts(from).filter(|part| part.kind != MemberKind::Trait);
            before.kind == after.kind
                && members.all(|part| {
                    // The names of variants can come from that of their enum.
                    let mut twins = after.parts(to).filter(|twin| {
                        let is_value = part.kind == MemberKind::Variant
                            && wire_name(&part.member.facts).is_some();
                        twin.kind == part.kind && (twin.name == part.name || is_value)
                    });
                    twins.any(|twin| is_same(part.member, twin.member))
                })
        });
        let proven: Vec<_> = proven.map(|(from, to)| (*from, *to)).collect();
        let is_found = !proven.is_empty();
        self.items.extend(proven);
        self.unproven = candidates;
        is_found
    }

    /// Finds members with an alias, and fields, variants and setters with the same name on the wire.
    fn find_by_wire_name(&mut self, old: &'a PublicApi, new: &'a PublicApi) {
        for part in old.parts().filter(|part| !part.member.facts.starts_with(ALIAS)) {
            let target = self.item(part.path);
            let Some((target, after)) = new.items.get_key_value(target) else { continue };
            let key = (part.path, part.kind, part.name);
            if let Some(name) = alias_at(new, target, part) {
                self.members.insert(key, (target, name));
                continue;
            }
            let is_there = new.part(target, part.kind, part.name).is_some();
            let Some(wire) = wire_name(&part.member.facts).filter(|_| !is_there) else { continue };
            let twin = after.parts(target).find(|twin| {
                twin.kind == part.kind
                    && wire_name(&twin.member.facts) == Some(wire)
                    && !part.item.members.contains_key(&(twin.kind, twin.name.to_owned()))
            });
            let Some(twin) = twin else { continue };
            self.members.insert(key, (target, twin.name));
            let setter = new.part(target, MemberKind::Method, twin.name);
            if part.kind == MemberKind::Field && setter.is_some() {
                self.members
                    .insert((part.path, MemberKind::Method, part.name), (target, twin.name));
            }
        }
    }
}

/// Returns the new name of a part whose old name the new revision has as an alias, in an item.
pub(super) fn alias_at<'a>(new: &'a PublicApi, path: &str, old: Part<'_>) -> Option<&'a str> {
    let kind = match old.kind {
        MemberKind::Variant => MemberKind::Const,
        kind => kind,
    };
    new.part(path, kind, old.name)?.member.facts.strip_prefix(ALIAS)
}

/// Returns the methods of handles that begin a request, whose type is the request's path.
pub(super) fn operations(api: &PublicApi) -> impl Iterator<Item = Part<'_>> {
    let methods = api.parts().filter(|part| part.kind == MemberKind::Method);
    methods.filter(|part| {
        let is_request = api.items.get(&part.member.ty).is_some_and(super::Item::is_request);
        is_request && !part.member.facts.starts_with(ALIAS)
    })
}

/// Returns the verb and the path of the facts of an operation.
pub(super) fn route(facts: &str) -> &str {
    facts.split_once(" \"").map_or(facts, |(route, _)| route).trim_start()
}

/// Returns the client's method for a handle.
pub(super) fn accessor<'a>(api: &'a PublicApi, handle: &str) -> Option<&'a str> {
    let (path, client) = api.items.get_key_value("Client")?;
    let mut methods = client.parts(path).filter(|part| !part.member.facts.starts_with(ALIAS));
    methods.find(|part| part.member.ty == handle).map(|part| part.name)
}

/// Returns the name on the wire, in quotes.
pub(super) fn wire_name(facts: &str) -> Option<&str> {
    let (start, end) = (facts.find('"')?, facts.rfind('"')?);
    facts.get(start..=end)
}
