//! Which items have only changed their names: proven by the route of an operation, the key of a schema, the name on the
//! wire, or by the same shape in the same use.

use std::collections::{BTreeMap, BTreeSet};

use super::{ALIAS, ItemKind, MemberKind, PublicApi, paths, rename_paths};

/// A member of an item.
type MemberPath = (String, MemberKind, String);

/// The renames between two revisions, from old names to new ones.
#[derive(Debug, Default)]
pub(super) struct Renames {
    items: BTreeMap<String, String>,
    members: BTreeMap<MemberPath, (String, String)>,
    /// The old names that are aliases of the new ones.
    aliased: BTreeSet<String>,
    /// Types that are used where another was, but have another shape.
    unproven: BTreeMap<String, String>,
}

impl Renames {
    /// Finds the renames that can be proven.
    pub(super) fn between(old: &PublicApi, new: &PublicApi) -> Self {
        let mut renames = Self::default();
        renames.find_aliases(old, new);
        renames.find_by_schema(old, new);
        renames.find_by_route(old, new);
        while renames.find_by_use(old, new) {}
        renames.find_by_wire_name(old, new);
        renames
    }

    /// Returns the new path of an item.
    pub(super) fn item<'a>(&'a self, path: &'a str) -> &'a str {
        self.items.get(path).map_or(path, String::as_str)
    }

    /// Returns the new owner and the new name of a member.
    pub(super) fn member<'a>(
        &'a self,
        owner: &'a str,
        kind: MemberKind,
        name: &'a str,
    ) -> (&'a str, &'a str) {
        match self.members.get(&(owner.to_owned(), kind, name.to_owned())) {
            Some((owner, name)) => (owner, name),
            None => (self.item(owner), name),
        }
    }

    /// Returns whether the old name of an item is an alias of its new one.
    pub(super) fn is_aliased(&self, path: &str) -> bool {
        self.aliased.contains(path)
    }

    /// Returns whether a type names an item that has another name, and no alias.
    pub(super) fn is_mentioned(&self, ty: &str) -> bool {
        paths(ty).any(|path| self.items.contains_key(path) && !self.is_aliased(path))
    }

    /// Returns whether an item has its name because another was renamed.
    pub(super) fn is_target(&self, path: &str) -> bool {
        self.items.values().any(|target| target == path)
    }

    /// Returns whether a member has its name because another was renamed.
    pub(super) fn is_member_target(&self, owner: &str, kind: MemberKind, name: &str) -> bool {
        self.members
            .iter()
            .any(|((_, at, _), target)| *at == kind && target.0 == owner && target.1 == name)
    }

    /// Returns a type that is used where a lost one was.
    pub(super) fn unproven(&self, path: &str) -> Option<&str> {
        self.unproven.get(path).map(String::as_str)
    }

    /// Returns a type of the old revision as the new one writes it.
    pub(super) fn translated(&self, ty: &str) -> String {
        rename_paths(ty, |path| self.items.get(path).map(String::as_str))
    }

    fn find_aliases(&mut self, old: &PublicApi, new: &PublicApi) {
        for (path, item) in &new.items {
            let was_alias = old.items.get(path).is_none_or(|old| old.kind == ItemKind::Alias);
            if item.kind == ItemKind::Alias && !was_alias && new.items.contains_key(&item.target) {
                self.items.insert(path.clone(), item.target.clone());
                self.aliased.insert(path.clone());
            }
        }
    }

    fn find_by_schema(&mut self, old: &PublicApi, new: &PublicApi) {
        let schemas: BTreeMap<&str, &str> = new
            .items
            .iter()
            .filter_map(|(path, item)| Some((item.schema.as_deref()?, path.as_str())))
            .collect();
        for (path, item) in old.items.iter().filter(|(path, _)| !new.items.contains_key(*path)) {
            let found = item.schema.as_deref().and_then(|schema| schemas.get(schema));
            if let Some(target) = found.filter(|target| !old.items.contains_key(**target)) {
                self.items.insert(path.clone(), (*target).to_owned());
            }
        }
    }

    fn find_by_route(&mut self, old: &PublicApi, new: &PublicApi) {
        let (before, after) = (routes(old), routes(new));
        let mut moved: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (route, operation) in &before {
            let Some(target) = after.get(route) else { continue };
            moved.entry(operation.handle).or_default().insert(target.handle);
            let is_free = !new.items.contains_key(operation.request);
            if is_free && !old.items.contains_key(target.request) {
                self.items.insert(operation.request.to_owned(), target.request.to_owned());
            }
            let is_lost = new.items.get(operation.handle).is_none_or(|handle| {
                !handle.members.contains_key(&(MemberKind::Method, operation.method.to_owned()))
            });
            let renamed = (operation.handle, operation.method) != (target.handle, target.method);
            if renamed && is_lost {
                let from = member_path(operation.handle, MemberKind::Method, operation.method);
                self.members.insert(from, (target.handle.to_owned(), target.method.to_owned()));
            }
        }
        for (handle, targets) in moved {
            let sole = targets.first().filter(|_| targets.len() == 1);
            let Some(target) = sole.filter(|target| !old.items.contains_key(**target)) else {
                continue;
            };
            if new.items.contains_key(handle) {
                continue;
            }
            self.items.insert(handle.to_owned(), (*target).to_owned());
            if let (Some(from), Some(to)) = (accessor(old, handle), accessor(new, target)) {
                let from = member_path("Client", MemberKind::Method, from);
                self.members.insert(from, ("Client".to_owned(), to.to_owned()));
            }
        }
    }

    /// Finds types that are used where a lost one of the same shape was; returns whether there are any.
    fn find_by_use(&mut self, old: &PublicApi, new: &PublicApi) -> bool {
        let mut candidates: BTreeMap<&str, &str> = BTreeMap::new();
        for (path, item) in &old.items {
            let Some(after) = new.items.get(self.item(path)) else { continue };
            for (key, member) in &item.members {
                let Some(to) = after.members.get(key) else { continue };
                if blank(&member.ty) != blank(&to.ty) {
                    continue;
                }
                for (from, to) in paths(&member.ty).zip(paths(&to.ty)) {
                    let is_lost = old.items.contains_key(from) && !new.items.contains_key(from);
                    let is_new = new.items.contains_key(to) && !old.items.contains_key(to);
                    if is_lost && is_new && !self.items.contains_key(from) {
                        candidates.insert(from, to);
                    }
                }
            }
        }
        let proven: Vec<_> = candidates
            .iter()
            .filter(|(from, to)| self.has_all_of(old, new, from, to, &candidates))
            .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()))
            .collect();
        self.unproven =
            candidates.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        let found = !proven.is_empty();
        self.items.extend(proven);
        found
    }

    /// Returns whether a type has everything that another had.
    fn has_all_of(
        &self,
        old: &PublicApi,
        new: &PublicApi,
        from: &str,
        to: &str,
        candidates: &BTreeMap<&str, &str>,
    ) -> bool {
        let (before, after) = (&old.items[from], &new.items[to]);
        let name = |path: &str| {
            candidates.get(path).copied().or_else(|| self.items.get(path).map(String::as_str))
        };
        let same_members = before.members.iter().all(|(key, member)| {
            after.members.get(key).is_some_and(|found| {
                let same_arguments = member.arguments.len() == found.arguments.len()
                    && member.arguments.iter().zip(&found.arguments).all(|(old, new)| {
                        rename_paths(&old.ty, |path| name(path).map(|path| path as &str)) == new.ty
                    });
                same_arguments
                    && rename_paths(&member.ty, name) == found.ty
                    && member.facts == found.facts
            })
        });
        before.kind == after.kind && same_members
    }

    /// Finds fields, variants and setters with the same name on the wire.
    fn find_by_wire_name(&mut self, old: &PublicApi, new: &PublicApi) {
        let mut found = Vec::new();
        for (path, item) in &old.items {
            let target = self.item(path);
            let Some(after) = new.items.get(target) else { continue };
            for ((kind, name), member) in &item.members {
                let key = (*kind, name.clone());
                let Some(wire) =
                    wire_name(&member.facts).filter(|_| !after.members.contains_key(&key))
                else {
                    continue;
                };
                let twin = after.members.iter().find(|((at, twin), to)| {
                    at == kind
                        && wire_name(&to.facts) == Some(wire)
                        && !item.members.contains_key(&(*at, twin.clone()))
                });
                let Some(((_, twin), _)) = twin else { continue };
                found.push((member_path(path, *kind, name), (target.to_owned(), twin.clone())));
                let setter = (MemberKind::Method, twin.clone());
                if *kind == MemberKind::Field && after.members.contains_key(&setter) {
                    let from = member_path(path, MemberKind::Method, name);
                    found.push((from, (target.to_owned(), twin.clone())));
                }
            }
        }
        self.members.extend(found);
    }
}

fn member_path(owner: &str, kind: MemberKind, name: &str) -> MemberPath {
    (owner.to_owned(), kind, name.to_owned())
}

/// An operation in the words of a program.
pub(super) struct Operation<'a> {
    /// The path of the resource's handle.
    pub(super) handle: &'a str,
    /// The method of the handle.
    pub(super) method: &'a str,
    /// The path of the request.
    pub(super) request: &'a str,
}

/// Returns the operations with their handles.
pub(super) fn operations(api: &PublicApi) -> impl Iterator<Item = Operation<'_>> {
    api.items.iter().flat_map(move |(handle, item)| {
        item.members.iter().filter_map(move |((kind, method), member)| {
            let is_request = api.items.get(&member.ty).is_some_and(|request| {
                request.members.contains_key(&(MemberKind::Operation, String::new()))
            });
            (*kind == MemberKind::Method && is_request && member.facts != ALIAS)
                .then_some(Operation { handle, method, request: &member.ty })
        })
    })
}

/// Returns the operations by verb and path.
fn routes(api: &PublicApi) -> BTreeMap<&str, Operation<'_>> {
    let key = (MemberKind::Operation, String::new());
    operations(api)
        .filter_map(|operation| {
            let facts = &api.items.get(operation.request)?.members.get(&key)?.facts;
            Some((route(facts), operation))
        })
        .collect()
}

/// Returns the verb and the path of the facts of an operation.
pub(super) fn route(facts: &str) -> &str {
    facts.split_once(" \"").map_or(facts, |(route, _)| route).trim_start()
}

/// Returns the client's method for a handle.
pub(super) fn accessor<'a>(api: &'a PublicApi, handle: &str) -> Option<&'a str> {
    let client = api.items.get("Client")?;
    let found = client.members.iter().find(|(_, member)| member.ty == handle);
    found.map(|((_, name), _)| name.as_str())
}

/// Returns the name on the wire, in quotes.
pub(super) fn wire_name(facts: &str) -> Option<&str> {
    let start = facts.find('"')?;
    let end = facts.rfind('"')?;
    facts.get(start..=end)
}

/// Returns a type without its paths.
fn blank(ty: &str) -> String {
    rename_paths(ty, |_| Some("_"))
}
