//! The public items of an emitted crate, derived once from the IR: `emit/` writes them, `api.txt` lists them, and
//! two revisions are compared with it.
//!
//! The list is complete: it includes the items that the runtime's macros add to every crate (`common`). Places in the
//! spec, documentation and the version of the spec are not in the text form.

mod about;
mod aliases;
mod build;
pub mod common;
pub mod conventions;
pub mod credentials;
mod emitted;
pub mod features;
pub mod gates;
mod hash;
mod input;
mod item;
pub mod models;
pub mod modules;
mod path;
mod print;
mod replies;
pub mod requests;
mod routes;
mod rules;
mod security;
pub mod servers;
mod setting;
mod settings;
mod template;
mod ty;
mod wire;

use std::collections::BTreeMap;

pub use about::About;
pub(crate) use aliases::{AliasNames, InvalidAlias, resolve};
pub(crate) use build::Package;
pub(crate) use common::PAGING_METHODS;
pub(crate) use hash::fnv_1a;
pub use input::{Conversion, Input, Target};
pub use item::{
    Argument, Body, Definition, Item, ItemKind, Items, Member, MemberKind, MemberRef, Method,
    Operation, Receiver, Signature,
};
pub use path::Path;
pub(crate) use print::{DEPRECATED, FORMAT, INDENT};
pub use security::{RequiredCredential, Security};
pub use setting::Setting;
pub use ty::Ty;
pub use wire::{Wire, WireForm, WireProperty};

/// The public items of an emitted crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicApi {
    /// The name of the library.
    pub library: String,
    /// The version of the spec.
    pub spec_version: String,
    /// The form of the base URL that users pass, if that of the spec is not absolute; not in `api.txt`.
    pub base_url_template: Option<String>,
    /// The new paths of items of an older revision that a user is certain of; `api.txt` does not list them.
    pub accepted: BTreeMap<String, String>,
    /// The items by path.
    pub items: BTreeMap<Path, Item>,
}

impl PublicApi {
    /// Returns all items and their members.
    pub fn members(&self) -> impl Iterator<Item = MemberRef<'_>> {
        self.items.iter().flat_map(|(path, item)| item.members(path))
    }

    /// Returns an item as a whole, if there is one at the path.
    pub fn whole(&self, path: &Path) -> Option<MemberRef<'_>> {
        self.items.get_key_value(path).map(|(path, item)| MemberRef::whole(path, item))
    }

    /// Returns an item as a whole or one of its members, if there is one.
    pub fn member(&self, path: &Path, kind: MemberKind, name: &str) -> Option<MemberRef<'_>> {
        if kind == MemberKind::Whole {
            return self.whole(path);
        }
        let (path, item) = self.items.get_key_value(path)?;
        item.member(path, kind, name)
    }

    /// Returns the item, or the member that programs name, of a path.
    pub fn find(&self, path: &str) -> Option<MemberRef<'_>> {
        let kinds = [MemberKind::Variant, MemberKind::Field, MemberKind::Method, MemberKind::Const];
        self.whole(&Path::new(path)).or_else(|| {
            let (owner, name) = path.rsplit_once("::")?;
            kinds.into_iter().find_map(|kind| self.member(&Path::new(owner), kind, name))
        })
    }

    /// Returns the methods of handles that begin a request, with the paths of the requests; no old names.
    pub fn operations(&self) -> impl Iterator<Item = (MemberRef<'_>, &Path)> {
        self.members().filter_map(|member| {
            let request = member.method()?.signature.output.as_item()?;
            let is_request = self.items.get(request).is_some_and(Item::is_request);
            (is_request && member.alias_of().is_none()).then_some((member, request))
        })
    }

    /// Returns the call of a method that begins a request, without its arguments: `tasks().get`, or `ping` of the client.
    pub fn call(&self, method: MemberRef<'_>) -> String {
        match self.accessor(method.path) {
            Some(accessor) => format!("{}().{}", accessor.name, method.name),
            None => method.name.to_owned(),
        }
    }

    /// Returns the client's method that returns a handle.
    pub fn accessor(&self, handle: &Path) -> Option<MemberRef<'_>> {
        let (path, client) = self.items.get_key_value(Path::CLIENT)?;
        client.members(path).find(|member| {
            let output = member.method().and_then(|method| method.signature.output.as_item());
            output == Some(handle) && member.alias_of().is_none()
        })
    }
}
