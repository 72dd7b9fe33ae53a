//! The causes of differences: the places in the spec that define the items, in the old spec if it has them.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use super::renames::Renames;
use crate::items::models::TEST_UTIL;
use crate::items::{
    Argument, Body, Item, MemberKind, MemberRef, PAGING_METHODS, Path, PublicApi, Ty, Wire,
};

/// The places of two revisions.
pub(super) struct Causes<'a> {
    old: &'a PublicApi,
    new: &'a PublicApi,
    renames: &'a Renames<'a>,
    /// New places with the old ones.
    places: BTreeMap<&'a str, &'a str>,
    /// The methods of the old revision by the paths of the requests that they begin.
    operations: BTreeMap<&'a Path, MemberRef<'a>>,
}

impl<'a> Causes<'a> {
    /// Matches the places of two revisions.
    pub(super) fn new(old: &'a PublicApi, new: &'a PublicApi, renames: &'a Renames<'a>) -> Self {
        let mut places = BTreeMap::new();
        for member in old.members() {
            let (owner, name) = renames.member(member);
            let Some(counterpart) = new.member(owner, member.kind, name) else { continue };
            let [old, new] = [member.place(), counterpart.place()];
            // The place of the errors of an operation is its only response with one, or else all responses.
            if !is_inside(old, new) && !is_inside(new, old) {
                places.insert(new, old);
            }
        }
        let operations = old.operations().map(|(method, request)| (request, method)).collect();
        Self { old, new, renames, places, operations }
    }

    /// Returns the old places with the new ones, and the reverse; nothing if all are the same.
    pub(super) fn moved(&self) -> [BTreeMap<String, String>; 2] {
        if self.places.iter().all(|(new, old)| new == old) {
            return [BTreeMap::new(), BTreeMap::new()];
        }
        let pairs = || self.places.iter().map(|(new, old)| [*new, *old].map(str::to_owned));
        [pairs().map(|[new, old]| (old, new)).collect(), pairs().map(Into::into).collect()]
    }

    /// Returns the first place that exists; for a new one, its counterpart in the old spec.
    pub(super) fn first(&self, old_place: &str, new_place: &str, otherwise: &str) -> String {
        let new_place = counterpart(&self.places, new_place);
        let known = [old_place, &new_place, otherwise].into_iter().find(|place| !place.is_empty());
        known.unwrap_or_default().to_owned()
    }

    /// Returns the cause of a difference at an item as a whole.
    fn item(&self, path: &Path, new_place: &str) -> String {
        // A request follows its resource unless its own name has changed, too. The client stays.
        let handle = self.operations.get(path).and_then(|method| {
            let (handle, name) = self.renames.member(*method);
            let is_moved = handle != method.path && method.path.is_resource();
            (is_moved && name == method.name).then_some(method.path)
        });
        let item = self.old.items.get(handle.unwrap_or(path));
        self.first(item.map_or("", |item| &item.about.place), new_place, path.as_str())
    }

    /// Returns the cause of a difference between a member and its counterpart.
    pub(super) fn of_member(&self, old: MemberRef<'_>, new: MemberRef<'_>) -> String {
        match old.kind {
            MemberKind::Whole | MemberKind::Trait => self.item(old.path, &new.item.about.place),
            _ => self.body(old).unwrap_or_else(|| {
                self.first(old.place(), new.place(), old.path.join(old.name).as_str())
            }),
        }
    }

    /// Returns the cause of the loss of a member; `to` is the new counterpart of its item.
    pub(super) fn of_lost(&self, member: MemberRef<'_>, to: Option<&Item>) -> String {
        let follows_type =
            to.is_none_or(|to| to.kind != member.item.kind || (is_setter(member) && is_unsent(to)));
        let is_whole = member.kind == MemberKind::Whole
            || (member.kind == MemberKind::Trait && member.place().is_empty());
        if is_whole || (follows_type && !self.has_operations(member.item)) {
            return self.item(member.path, to.map_or("", |to| &to.about.place));
        }
        let lost = self.body(member).or_else(|| self.paging(member)).or_else(|| self.mask(member));
        lost.unwrap_or_else(|| {
            self.first(member.place(), "", member.path.join(member.name).as_str())
        })
    }

    /// Returns whether an item is a handle, whose methods are defined by separate operations.
    fn has_operations(&self, item: &Item) -> bool {
        let types = item.members.values().flat_map(|member| member.definition.types());
        types.filter_map(Ty::as_item).any(|path| self.operations.contains_key(path))
    }

    /// Returns the cause of another kind of an item that a type names, if the item was a component.
    pub(super) fn of_type(&self, ty: &Ty) -> Option<String> {
        ty.items().into_iter().find_map(|path| {
            let item = self.old.items.get(path)?;
            let to = self.new.items.get(self.renames.item(path))?;
            (to.kind != item.kind && item.schema.is_some()).then(|| self.item(path, ""))
        })
    }

    /// Returns the cause of the rename of the last item whose old name is not an alias.
    pub(super) fn of_renamed<'p>(&self, items: impl Iterator<Item = &'p Path>) -> Option<String> {
        let renamed = items.filter(|path| self.renames.is_renamed(path)).last();
        renamed.map(|path| self.item(path, ""))
    }

    /// Returns the operation as the cause of a difference in the body of a request, if the body is another type.
    fn body(&self, member: MemberRef<'_>) -> Option<String> {
        let is_sent = member.wire().is_some_and(Wire::is_body);
        self.changed_body(member.path).filter(|_| is_sent)
    }

    /// Returns the operation of a request whose body has another type.
    fn changed_body(&self, request: &Path) -> Option<String> {
        let before = self.old.items.get(request)?.body()?;
        let after = self.new.items.get(self.renames.item(request))?.body()?;
        let is_same = match (before, after) {
            (Body::Value(old), Body::Value(new)) => self.renames.translated(old) == *new,
            (old, new) => old == new,
        };
        (!is_same).then(|| self.item(request, ""))
    }

    /// Returns the field with the token of the next page as the cause of lost paging, if it is removed.
    fn paging(&self, member: MemberRef<'_>) -> Option<String> {
        let is_paging = member.kind == MemberKind::Items || PAGING_METHODS.contains(&member.name);
        let items = member.item.paged_items().filter(|_| is_paging)?;
        let output = member.item.output()?.as_item()?;
        let key = (MemberKind::Field, items.next_token.clone()?);
        let to = self.new.items.get(self.renames.item(output))?;
        let field = self.old.items.get(output)?.members.get(&key)?;
        (!to.members.contains_key(&key)).then(|| field.about.place.clone())
    }

    /// Returns the operation that no longer has the update mask for which a model has the names of its properties, if
    /// none has one.
    fn mask(&self, name: MemberRef<'_>) -> Option<String> {
        if name.kind != MemberKind::Const || !name.path.is_model() {
            return None;
        }
        let setter = |api: &'a PublicApi, of: &Path| api.member(of, MemberKind::Method, "set_mask");
        let mut edits = self.old.items.keys().filter(|of| {
            setter(self.old, of).is_some_and(|it| it.named_items().any(|it| it == name.path))
        });
        let is_lost = |of: &&Path| setter(self.new, self.renames.item(of)).is_none();
        let first = edits.next().filter(is_lost)?;
        edits.all(|of| is_lost(&of)).then(|| self.item(first, ""))
    }

    /// Returns the place that defines the first of the arguments of a method that is removed, of another type, or new.
    pub(super) fn of_arguments(
        &self,
        request: Option<&Path>,
        old: &[Argument],
        new: &[Argument],
        otherwise: &str,
    ) -> String {
        let removed = old.iter().find(|argument| {
            let ty = self.renames.translated(&argument.ty);
            !new.iter().any(|other| other.name == argument.name && other.ty == ty)
        });
        let added =
            new.iter().find(|argument| !old.iter().any(|other| other.name == argument.name));
        let Some(argument) = removed.or(added) else { return otherwise.to_owned() };
        let wire = argument.wire.as_ref();
        if wire.is_some_and(Wire::is_body)
            && let Some(cause) = request.and_then(|request| self.changed_body(request))
        {
            return cause;
        }
        if wire.is_some_and(Wire::is_path) {
            return otherwise.to_owned();
        }
        match removed {
            Some(removed) => self
                .of_type(&removed.ty)
                .unwrap_or_else(|| self.first(&removed.place, "", otherwise)),
            None => self.first("", &argument.place, otherwise),
        }
    }
}

/// Returns the counterpart of a place in the other spec: the counterpart of the innermost known place that contains it, with
/// the rest of the pointer.
pub(super) fn counterpart<P: Borrow<str> + Ord>(places: &BTreeMap<P, P>, place: &str) -> String {
    let ends = place.match_indices('/').map(|(end, _)| end).skip(1);
    let ends: Vec<usize> = ends.chain([place.len()]).collect();
    let found = ends.into_iter().rev().find_map(|end| {
        let (outer, rest) = place.split_at(end);
        Some([places.get(outer)?.borrow(), rest].concat())
    });
    found.unwrap_or_else(|| place.to_owned())
}

/// Returns whether a place is within another one.
pub(super) fn is_inside(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns whether only tests can build a model, because no request carries it.
pub(super) fn is_unsent(item: &Item) -> bool {
    item.member(&Path::default(), MemberKind::Method, "new").is_some_and(is_for_tests)
}

/// Returns whether a member builds a model, or sets a property of it, in all programs.
pub(super) fn is_setter(member: MemberRef<'_>) -> bool {
    let is_of_model = member.path.is_model() && !is_for_tests(member);
    is_of_model && member.method().is_some_and(|method| method.signature.output == Ty::Itself)
}

/// Returns whether a member is a method that only tests have.
pub(super) fn is_for_tests(member: MemberRef<'_>) -> bool {
    member.method().and_then(|method| method.feature.as_deref()) == Some(TEST_UTIL)
}
