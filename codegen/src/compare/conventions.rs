//! What replaces the methods of a convention that a request has lost, or brings them back.

use super::differences::Differences;
use crate::items::{Body, Item, MemberKind, MemberRef, PAGING_METHODS, Ty, Wire};

impl<'a> Differences<'a> {
    /// Returns the advice on a method of a request that a convention added, if only the method is lost.
    pub(super) fn without_convention(&self, lost: MemberRef<'a>, to: &'a Item) -> Option<String> {
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
    let is_new = |it: &MemberRef<'_>| {
        let is_query = it.wire().is_some_and(Wire::is_query);
        let old = lost.item.members.get(&(it.kind, it.name.to_owned()));
        is_query && it.types().contains(&&Ty::Param) && old.is_none()
    };
    let mut new = to.members(lost.path).filter(is_new).filter_map(MemberRef::wire_name);
    Some(match (new.next(), new.next()) {
        (Some(name), None) => format!(
            "use `items_by({name:?})`, or set `paging.token = {name:?}` in codegen.toml, if this parameter takes the token"
        ),
        _ => "name the parameter that takes the token: `items_by(…)`, or `paging.token` in codegen.toml".to_owned(),
    })
}
