//! The public items of an emitted crate, as data: what `api.txt` lists, and what two revisions are compared by.
//!
//! The model is built from the IR, never from printed text. It is complete: items that the runtime's macros add are in
//! it. What a program sees is in the text form, too; places in the spec and documentation are not.

mod build;
mod causes;
mod change;
mod compare;
mod frame;
mod group;
mod renames;
mod text;
mod types;

use std::collections::BTreeMap;

pub use build::of;
pub use change::{Addition, Change, Class, Comparison, Difference, ItemId, What};
pub use group::compare;
pub use text::SyntaxError;

/// The public items of an emitted crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicApi {
    /// The name of the library.
    pub library: String,
    /// The version of the spec; not in the text form.
    pub spec_version: String,
    /// The items by path below the crate's root; cargo features are below [`FEATURES`].
    pub items: BTreeMap<String, Item>,
}

/// What the paths of cargo features begin with.
pub const FEATURES: &str = "features::";

/// The facts of a method that is the old name of another.
const ALIAS: &str = " as alias";

/// An item with a path of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// The key of the schema under `components/schemas`, for types that have one.
    pub schema: Option<String>,
    /// Whether using it is a deprecation warning.
    pub deprecated: bool,
    /// The traits that it implements, sorted.
    pub traits: Vec<String>,
    /// What an alias or a re-export stands for, or what a feature enables.
    pub target: String,
    /// What belongs to it.
    pub members: BTreeMap<(MemberKind, String), Member>,
    /// The JSON pointer of the place in the spec that it comes from; empty if there is none.
    pub place: String,
    /// The documentation of the spec.
    pub docs: String,
}

/// The kinds of [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A cargo feature.
    Feature,
    /// A module.
    Module,
    /// A re-export.
    Use,
    /// A type alias.
    Alias,
    /// A struct: a model, a request, a resource's handle or the client.
    Struct,
    /// An enum: an open enum or a union.
    Enum,
}

/// A part of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// The arguments of a method, without the receiver.
    pub arguments: Vec<Argument>,
    /// The type of a field, a payload or a constant; what a method returns. Types of the crate are written with their
    /// paths below its root.
    pub ty: String,
    /// What no Rust program sees, but what is sent or received, or the feature that the member needs.
    pub facts: String,
    /// Whether using it is a deprecation warning.
    pub deprecated: bool,
    /// The JSON pointer of the place in the spec that it comes from; empty if there is none.
    pub place: String,
    /// The documentation of the spec.
    pub docs: String,
}

/// The kinds of [`Member`], in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemberKind {
    /// The verb and the path of a request.
    Operation,
    /// The body of a request.
    Body,
    /// What a request returns.
    Output,
    /// The item of a paged request.
    Items,
    /// A public field.
    Field,
    /// A variant of an enum.
    Variant,
    /// An associated constant.
    Const,
    /// A method or an associated function.
    Method,
}

/// An argument of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name; `self` or `&self` for receivers.
    pub name: String,
    /// The type; empty for receivers.
    pub ty: String,
    /// Where it is sent.
    pub facts: String,
    /// The JSON pointer of the place in the spec that it comes from; empty if there is none.
    pub place: String,
}

impl PublicApi {
    /// Returns the paths of this crate's items that a type names.
    pub fn named<'a>(&'a self, ty: &'a str) -> impl Iterator<Item = &'a str> {
        paths(ty).filter(|path| self.items.contains_key(*path))
    }
}

/// Returns the paths that a type consists of.
pub fn paths(ty: &str) -> impl Iterator<Item = &str> {
    ty.split(|char: char| !(char.is_alphanumeric() || "_:#".contains(char)))
        .filter(|path| !path.is_empty())
}

/// Writes other paths into a type, where there are any.
pub fn rename_paths<N: AsRef<str>>(ty: &str, name: impl Fn(&str) -> Option<N>) -> String {
    let mut out = String::with_capacity(ty.len());
    let mut rest = ty;
    for path in paths(ty) {
        let Some(at) = rest.find(path) else { break };
        out.push_str(&rest[..at]);
        out.push_str(name(path).as_ref().map_or(path, AsRef::as_ref));
        rest = &rest[at + path.len()..];
    }
    out + rest
}
