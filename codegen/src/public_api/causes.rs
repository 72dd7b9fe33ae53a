//! Which place in the spec causes a difference: the one that defines what differs, in terms of the old spec where that has
//! it.

use std::collections::BTreeMap;

use super::renames::{Renames, operations};
use super::{Argument, Item, MemberKind, Part, PublicApi, paths};

/// The places of two revisions.
pub(super) struct Causes<'a> {
    old: &'a PublicApi,
    new: &'a PublicApi,
    renames: &'a Renames<'a>,
    /// New places with the old ones.
    places: BTreeMap<&'a str, &'a str>,
    /// The methods of the old revision by the paths of the requests that they begin.
    operations: BTreeMap<&'a str, Part<'a>>,
}

impl<'a> Causes<'a> {
    /// Matches the places of two revisions.
    pub(super) fn of(old: &'a PublicApi, new: &'a PublicApi, renames: &'a Renames<'a>) -> Self {
        let mut places = BTreeMap::new();
        for part in old.parts() {
            let (owner, name) = renames.part(part);
            if let Some(twin) = new.part(owner, part.kind, name) {
                places.insert(twin.member.place.as_str(), part.member.place.as_str());
            }
        }
        let operations =
            operations(old).map(|method| (method.member.ty.as_str(), method)).collect();
        Self { old, new, renames, places, operations }
    }

    /// Returns the first of some places that there is; a new one as the old spec has it.
    pub(super) fn first(&self, old_place: &str, new_place: &str, otherwise: &str) -> String {
        let new_place = self.places.get(new_place).copied().unwrap_or(new_place);
        let known = [old_place, new_place, otherwise].into_iter().find(|place| !place.is_empty());
        known.unwrap_or_default().to_owned()
    }

    /// Returns the cause of what becomes of an item as a whole.
    fn item(&self, path: &str, new_place: &str) -> String {
        // A request follows its resource unless its own name has changed, too.
        let handle = self.operations.get(path).and_then(|method| {
            let (handle, name) = self.renames.part(*method);
            (handle != method.path && name == method.name).then_some(method.path)
        });
        let item = self.old.items.get(handle.unwrap_or(path));
        self.first(item.map_or("", |item| &item.whole.place), new_place, path)
    }

    /// Returns the cause of what becomes of a part.
    pub(super) fn of_part(&self, part: Part<'_>, twin: Part<'_>) -> String {
        match part.kind {
            MemberKind::Whole | MemberKind::Trait => self.item(part.path, &twin.item.whole.place),
            _ => self.body(part).unwrap_or_else(|| {
                self.first(&part.member.place, &twin.member.place, &own_id(part))
            }),
        }
    }

    /// Returns the cause of the loss of a part; `to` is what has become of its item.
    pub(super) fn of_lost(&self, part: Part<'_>, to: Option<&Item>) -> String {
        let is_method = part.kind == MemberKind::Method && part.path.starts_with("models::");
        let follows_type =
            to.is_none_or(|to| to.kind != part.item.kind || (is_method && is_unsent(to)));
        let is_whole = part.kind == MemberKind::Whole
            || (part.kind == MemberKind::Trait && part.member.place.is_empty());
        if is_whole || (follows_type && !self.has_operations(part.item)) {
            return self.item(part.path, to.map_or("", |to| &to.whole.place));
        }
        let of_request = self.body(part).or_else(|| self.paging(part));
        of_request.unwrap_or_else(|| self.first(&part.member.place, "", &own_id(part)))
    }

    /// Returns whether an item is a handle, whose methods are defined by operations of their own.
    fn has_operations(&self, item: &Item) -> bool {
        item.members.values().any(|member| self.operations.contains_key(member.ty.as_str()))
    }

    /// Returns the cause of what a type names that is removed or of another kind, where it was a component of its own.
    pub(super) fn types(&self, ty: &str) -> Option<String> {
        self.old.named(ty).find_map(|path| {
            let item = self.old.items.get(path)?;
            let to = self.new.items.get(self.renames.item(path));
            let is_broken = to.is_none_or(|to| to.kind != item.kind);
            (is_broken && item.schema.is_some()).then(|| self.item(path, ""))
        })
    }

    /// Returns the cause of a type that is written with another name, where the name has no alias.
    pub(super) fn mention<'t>(&self, types: impl Iterator<Item = &'t str>) -> Option<String> {
        let renamed = types.flat_map(paths).filter(|path| self.renames.is_renamed(path)).last();
        renamed.map(|path| self.item(path, ""))
    }

    /// Returns the operation as the cause of what a request sends in its body, if the body is another type.
    fn body(&self, part: Part<'_>) -> Option<String> {
        let is_sent = part.member.facts.starts_with(" as body");
        self.changed_body(part.path).filter(|_| is_sent)
    }

    /// Returns the operation of a request whose body is another type.
    fn changed_body(&self, request: &str) -> Option<String> {
        let before = self.old.items.get(request)?.fact(MemberKind::Body)?;
        let after = self.new.items.get(self.renames.item(request))?.fact(MemberKind::Body)?;
        let is_other = self.renames.translated(&before.ty) != after.ty;
        is_other.then(|| self.item(request, ""))
    }

    /// Returns the field with the token of the next page as the cause of the loss of paging, if it is removed.
    fn paging(&self, part: Part<'_>) -> Option<String> {
        let is_paging = part.kind == MemberKind::Items
            || ["items", "items_blocking", "items_by", "pages", "pages_by"].contains(&part.name);
        let items = part.item.fact(MemberKind::Items).filter(|_| is_paging)?;
        let output = part.item.fact(MemberKind::Output)?;
        let field = (MemberKind::Field, items.facts.rsplit(' ').next()?.to_owned());
        let to = self.new.items.get(self.renames.item(&output.ty))?;
        let member = self.old.items.get(&output.ty)?.members.get(&field)?;
        (!to.members.contains_key(&field)).then(|| member.place.clone())
    }

    /// Returns the place that defines the first of the arguments that is removed, of another type, or new.
    pub(super) fn arguments(&self, part: Part<'_>, twin: Part<'_>, otherwise: &str) -> String {
        let (old, new) = (&part.member.arguments, &twin.member.arguments);
        let has = |list: &[Argument], of: &Argument, ty: &str| {
            list.iter()
                .any(|argument| argument.name == of.name && (ty.is_empty() || argument.ty == ty))
        };
        let removed = old.iter().find(|old| !has(new, old, &self.renames.translated(&old.ty)));
        let new_one = new.iter().find(|new| !has(old, new, ""));
        let Some(argument) = removed.or(new_one) else { return otherwise.to_owned() };
        let facts = &argument.facts;
        let body = || self.changed_body(&part.member.ty).filter(|_| facts.starts_with(" as body"));
        let path = || facts.starts_with(" as path").then(|| otherwise.to_owned());
        let ty = || removed.and_then(|argument| self.types(&argument.ty));
        body().or_else(path).or_else(ty).unwrap_or_else(|| match removed {
            Some(removed) => self.first(&removed.place, "", otherwise),
            None => self.first("", &argument.place, otherwise),
        })
    }
}

fn own_id(part: Part<'_>) -> String {
    format!("{}::{}", part.path, part.name)
}

/// Returns whether a model cannot be built, because no request carries it.
pub(super) fn is_unsent(item: &Item) -> bool {
    !item.members.keys().any(|(kind, _)| *kind == MemberKind::Method)
}
