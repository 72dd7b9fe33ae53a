//! Which place in the spec causes a difference: the one that defines what differs, in terms of the old spec where that has
//! it.

use std::collections::BTreeMap;

use super::renames::{Operation, Renames, operations};
use super::{Argument, Item, Member, MemberKind, PublicApi, paths};

/// The places of two revisions.
pub(super) struct Causes<'a> {
    old: &'a PublicApi,
    new: &'a PublicApi,
    renames: &'a Renames,
    /// New places with the old ones.
    places: BTreeMap<&'a str, &'a str>,
    /// The operations of the old revision by the paths of their requests.
    operations: BTreeMap<&'a str, Operation<'a>>,
}

impl<'a> Causes<'a> {
    /// Matches the places of two revisions.
    pub(super) fn of(old: &'a PublicApi, new: &'a PublicApi, renames: &'a Renames) -> Self {
        let mut places = BTreeMap::new();
        for (path, item) in &old.items {
            for ((kind, name), member) in &item.members {
                let (owner, name) = renames.member(path, *kind, name);
                let to = new.items.get(owner);
                if let Some(to) = to.and_then(|to| to.members.get(&(*kind, name.to_owned()))) {
                    places.insert(to.place.as_str(), member.place.as_str());
                }
            }
            if let Some(to) = new.items.get(renames.item(path)) {
                places.insert(&to.place, &item.place);
            }
        }
        let operations = operations(old).map(|operation| (operation.request, operation)).collect();
        Self { old, new, renames, places, operations }
    }

    /// Returns the first of some places that there is; a new one as the old spec has it.
    pub(super) fn first(&self, old_place: &str, new_place: &str, otherwise: &str) -> String {
        let new_place = self.places.get(new_place).copied().unwrap_or(new_place);
        let known = [old_place, new_place, otherwise].into_iter().find(|place| !place.is_empty());
        known.unwrap_or_default().to_owned()
    }

    /// Returns the cause of what becomes of an item as a whole.
    pub(super) fn item(&self, path: &str) -> String {
        let place = |path: &str| self.old.items.get(path).map_or("", |item| item.place.as_str());
        // A request follows its resource unless its own name has changed, too.
        let handle = self.operations.get(path).filter(|operation| {
            let (handle, method) =
                self.renames.member(operation.handle, MemberKind::Method, operation.method);
            handle != operation.handle && method == operation.method
        });
        self.first(place(handle.map_or(path, |operation| operation.handle)), "", path)
    }

    /// Returns the cause of what becomes of a member that is gone.
    pub(super) fn lost_member(
        &self,
        path: &str,
        item: &Item,
        to: Option<&Item>,
        kind: MemberKind,
        name: &str,
        member: &Member,
    ) -> String {
        let is_method = kind == MemberKind::Method;
        let follows_type = to.is_none_or(|to| to.kind != item.kind)
            || (is_method && path.starts_with("models::") && to.is_some_and(is_unsent));
        if follows_type && !self.has_operations(item) {
            return self.item(path);
        }
        let of_request = self.body(path, &member.facts).or_else(|| self.paging(item, kind, name));
        of_request.unwrap_or_else(|| self.first(&member.place, "", &format!("{path}::{name}")))
    }

    /// Returns whether an item is a handle, whose methods are defined by operations of their own.
    fn has_operations(&self, item: &Item) -> bool {
        item.members.values().any(|member| self.operations.contains_key(member.ty.as_str()))
    }

    /// Returns the cause of what a type names that is gone or of another kind, where it was a component of its own.
    pub(super) fn types(&self, ty: &str) -> Option<String> {
        self.old.named(ty).find_map(|path| {
            let item = self.old.items.get(path)?;
            let to = self.new.items.get(self.renames.item(path));
            let is_broken = to.is_none_or(|to| to.kind != item.kind);
            (is_broken && item.schema.is_some()).then(|| self.item(path))
        })
    }

    /// Returns the cause of a type that is written with another name, where the name has no alias.
    pub(super) fn mention<'t>(&self, types: impl Iterator<Item = &'t str>) -> Option<String> {
        let mentioned = types.flat_map(paths).filter(|path| self.renames.is_mentioned(path)).last();
        mentioned.map(|path| self.item(path))
    }

    /// Returns the operation as the cause of what a request sends in its body, if the body is another type.
    pub(super) fn body(&self, request: &str, facts: &str) -> Option<String> {
        let key = (MemberKind::Body, String::new());
        let before = self.old.items.get(request)?.members.get(&key)?;
        let after = self.new.items.get(self.renames.item(request))?.members.get(&key)?;
        let is_other = self.renames.translated(&before.ty) != after.ty;
        (is_other && facts.starts_with(" as body")).then(|| self.item(request))
    }

    /// Returns the field with the token of the next page as the cause of the loss of paging, if it is gone.
    fn paging(&self, item: &Item, kind: MemberKind, name: &str) -> Option<String> {
        let is_paging = kind == MemberKind::Items
            || (kind == MemberKind::Method
                && ["items", "items_blocking", "items_by", "pages", "pages_by"].contains(&name));
        let items = item.members.get(&(MemberKind::Items, String::new()))?;
        let output = item.members.get(&(MemberKind::Output, String::new()))?;
        let field = (MemberKind::Field, items.facts.rsplit(' ').next()?.to_owned());
        let to = self.new.items.get(self.renames.item(&output.ty))?;
        let is_lost = is_paging && !to.members.contains_key(&field);
        let member = self.old.items.get(&output.ty)?.members.get(&field).filter(|_| is_lost)?;
        Some(member.place.clone())
    }

    /// Returns the places that define the arguments which came, went or have another type.
    pub(super) fn arguments(
        &self,
        request: &str,
        old: &[Argument],
        new: &[Argument],
        otherwise: &str,
    ) -> Vec<String> {
        let twin = |list: &'_ [Argument], of: &Argument| {
            list.iter().find(|argument| argument.name == of.name).map(|found| found.ty.clone())
        };
        let fixed = |argument: &Argument| {
            let is_path = argument.facts.starts_with(" as path");
            self.body(request, &argument.facts).or_else(|| is_path.then(|| otherwise.to_owned()))
        };
        let gone = old.iter().filter(|argument| {
            twin(new, argument).is_none_or(|ty| self.renames.translated(&argument.ty) != ty)
        });
        let gone = gone.map(|argument| {
            let known = fixed(argument).or_else(|| self.types(&argument.ty));
            known.unwrap_or_else(|| self.first(&argument.place, "", otherwise))
        });
        let come = new.iter().filter(|argument| twin(old, argument).is_none());
        let come = come.map(|argument| {
            fixed(argument).unwrap_or_else(|| self.first("", &argument.place, otherwise))
        });
        let mut causes: Vec<String> = gone.chain(come).collect();
        causes.sort();
        causes.dedup();
        if causes.is_empty() {
            causes.push(otherwise.to_owned());
        }
        causes
    }
}

/// Returns whether a model cannot be built, because no request carries it.
pub(super) fn is_unsent(item: &Item) -> bool {
    !item.members.keys().any(|(kind, _)| *kind == MemberKind::Method)
}
