//! What replaces a removed item: another one, its parts, or a setting that brings it back.

use std::collections::BTreeSet;

use super::causes::is_unsent;
use super::differences::Differences;
use super::renames::are_alike;
use super::what::Replacement;
use crate::items::{Body, Item, ItemKind, MemberKind, MemberRef, PAGING_METHODS, Path, Ty, Wire};

/// Maximum number of lost members of an item whose replacements are guessed.
const MAX_LOST: usize = 100;

impl<'a> Differences<'a> {
    /// Returns the replacement of a removed member.
    pub(super) fn replacement(&self, old: MemberRef<'a>, to: Option<&'a Item>) -> Replacement {
        let perhaps = match (&old.item.kind, old.definition) {
            (ItemKind::Alias(ty), None) => {
                return ty.as_item().cloned().map_or(Replacement::None, Replacement::Target);
            }
            (_, None) => match self.renames.unproven.get(old.path).map(Vec::as_slice) {
                Some([only]) => Some((*only).clone()),
                Some(forms) => {
                    let forms = forms.iter().map(|path| {
                        let is_reply = self.new.items.get(*path).is_some_and(is_unsent);
                        format!("`{path}` in {}", if is_reply { "responses" } else { "requests" })
                    });
                    return Replacement::Parts(forms.collect::<Vec<_>>().join(" and "));
                }
                None => None,
            },
            (_, Some(_)) => {
                if let Some(new) = old.alias_of() {
                    return Replacement::Target(old.path.join(new));
                }
                let advice = |to| self.without_convention(old, to).map(Replacement::Advice);
                if let Some(known) = to.and_then(advice) {
                    return known;
                }
                let to = to.filter(|to| old.item.only(old.path, to).nth(MAX_LOST).is_none());
                if let Some(known) = to.and_then(|to| self.inner(old, to)) {
                    return known;
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
        let is_alike = |member: &MemberRef<'_>| shape(member) == lost_shape;
        let removed = lost.item.only(lost.path, to).filter(is_alike).count();
        let new = to.only(self.renames.item(lost.path), lost.item).filter(is_alike);
        let mut new = new.filter(|member| !self.renames.is_target(*member));
        let only = new.next()?;
        let is_method = lost.kind == MemberKind::Method && !lost.place().is_empty();
        let is_same_place = is_method && lost.place() == only.place();
        let is_likely = is_same_place || are_alike(lost.name, only.name);
        (is_likely && removed == 1 && new.next().is_none()).then(|| only.full_path())
    }

    /// Returns where a lost property is now, if a new property has a new type with it and with other lost ones.
    fn inner(&self, lost: MemberRef<'a>, to: &'a Item) -> Option<Replacement> {
        let lost_names = lost.item.only(lost.path, to).filter(|it| it.kind == lost.kind);
        let names: BTreeSet<_> = lost_names.filter_map(MemberRef::wire_name).collect();
        let mut added = to.only(lost.path, lost.item).filter(|it| it.kind == lost.kind);
        added.find_map(|outer| {
            let mut types = outer.named_items().filter(|path| !self.old.items.contains_key(*path));
            let inner = self.new.whole(types.next()?)?;
            let fields = inner.item.members(inner.path).filter(|it| it.kind == MemberKind::Field);
            let is_lost = |it: &MemberRef<'_>| it.wire_name().is_some_and(|it| names.contains(it));
            let moved: Vec<_> = fields.filter(is_lost).collect();
            let same = moved.iter().find(|it| it.wire_name() == lost.wire_name())?;
            (moved.len() > 1).then(|| Replacement::Parts(format!("`{}.{}`", outer.name, same.name)))
        })
    }

    /// Returns the advice on a method of a request that a convention added, if only the method is lost.
    fn without_convention(&self, lost: MemberRef<'a>, to: &'a Item) -> Option<String> {
        match lost.name {
            _ if lost.wire().is_some() => None,
            "send_edit" | "send_edit_blocking" | "set_mask" | "with_edit" => {
                self.without_mask(lost.item, to)
            }
            name => PAGING_METHODS.contains(&name).then(|| without_token(lost, to)).flatten(),
        }
    }

    /// Returns the setting that names the object of a mask, if the body still has both.
    fn without_mask(&self, old: &Item, to: &Item) -> Option<String> {
        let (mask, object) = old.edited()?;
        let Body::Value(Ty::Item(body)) = to.body()? else { return None };
        let fields = self.new.items.get(body)?.members.values();
        let mut names = fields.filter_map(|field| field.definition.wire()?.name());
        let id = &to.operation()?.id;
        (names.clone().any(|name| name == mask) && names.any(|name| name == object))
            .then(|| format!("set `masks.{id:?} = {object:?}` in codegen.toml"))
    }
}

/// Returns the method or the setting that names the parameter of a token which replies still have.
fn without_token(lost: MemberRef<'_>, to: &Item) -> Option<String> {
    to.member(lost.path, MemberKind::Method, "items_by")?;
    let is_token = |it: &MemberRef<'_>| {
        it.wire().is_some_and(Wire::is_query) && it.types().contains(&&Ty::Param)
    };
    let new = to.only(lost.path, lost.item).filter(is_token);
    let mut new = new.filter_map(MemberRef::wire_name);
    Some(match (new.next(), new.next()) {
        (Some(name), None) => format!(
            "use `items_by({name:?})`, or set `paging.token = {name:?}` in codegen.toml, if this parameter takes the token"
        ),
        _ => "name the parameter that takes the token: `items_by(…)`, or `paging.token` in codegen.toml".to_owned(),
    })
}
