//! The public items of an emitted crate, as data: what `api.txt` lists, and what two revisions are compared by.
//!
//! The model is built from the IR, never from printed text. It is complete: it includes the items that the runtime's macros
//! add. Places in the spec, documentation and the version of the spec are not in the text form.

mod aliases;
mod build;
mod causes;
mod change;
mod compare;
mod frame;
mod group;
mod renames;
mod text;
mod uses;

use std::collections::BTreeMap;

pub(crate) use aliases::{InvalidAlias, resolve};
pub use build::of;
pub use change::{Change, Class, Comparison, Difference, What};
pub use group::compare;
pub use text::SyntaxError;

/// The public items of an emitted crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicApi {
    /// The name of the library.
    pub library: String,
    /// The version of the spec.
    pub spec_version: String,
    /// The items by path below the crate's root; cargo features are below [`FEATURES`].
    pub items: BTreeMap<String, Item>,
}

/// What the paths of cargo features begin with.
pub const FEATURES: &str = "features::";

/// What the facts of an old name begin with; the new name follows.
const ALIAS: &str = " as alias of ";

/// An item with a path of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// The key of the schema under `components/schemas`, in quotes, for types that have one.
    pub schema: Option<String>,
    /// The item as a whole. Its type is what an alias or a re-export stands for, or what a feature enables.
    pub whole: Member,
    /// What belongs to it.
    pub members: BTreeMap<(MemberKind, String), Member>,
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
    /// The arguments of a method.
    pub arguments: Vec<Argument>,
    /// The type of a field, a payload or a constant; what a method returns. Types of the crate are written with their
    /// paths below its root.
    pub ty: String,
    /// What is not part of the Rust item: what is sent or received, the required feature, the new name of an alias.
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
    /// The item as a whole.
    Whole,
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
    /// An implemented trait.
    Trait,
}

/// An argument of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// An item as a whole or one of its members, with its name.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The path of the item.
    pub path: &'a str,
    /// The item.
    pub item: &'a Item,
    /// What the part is.
    pub kind: MemberKind,
    /// The name of the member; empty for the item as a whole, and for what an item has once.
    pub name: &'a str,
    /// The part.
    pub member: &'a Member,
}

impl PublicApi {
    /// Returns all items and their members.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.items.iter().flat_map(|(path, item)| item.parts(path))
    }

    /// Returns a part of an item, if there is one.
    pub fn part(&self, path: &str, kind: MemberKind, name: &str) -> Option<Part<'_>> {
        let (path, item) = self.items.get_key_value(path)?;
        let ((kind, name), member) = match kind {
            MemberKind::Whole => ((kind, ""), &item.whole),
            kind => {
                let ((kind, name), member) =
                    item.members.get_key_value(&(kind, name.to_owned()))?;
                ((*kind, name.as_str()), member)
            }
        };
        Some(Part { path, item, kind, name, member })
    }

    /// Returns the paths of this crate's items that a type names.
    pub fn named<'a>(&'a self, ty: &'a str) -> impl Iterator<Item = &'a str> {
        paths(ty).filter(|path| self.items.contains_key(*path))
    }
}

impl Item {
    fn new(kind: ItemKind) -> Self {
        Self { kind, schema: None, whole: Member::default(), members: BTreeMap::new() }
    }

    /// Returns the item and its members, at a path.
    pub fn parts<'a>(&'a self, path: &'a str) -> impl Iterator<Item = Part<'a>> {
        let members =
            self.members.iter().map(|((kind, name), member)| (*kind, name.as_str(), member));
        let parts = std::iter::once((MemberKind::Whole, "", &self.whole)).chain(members);
        parts.map(move |(kind, name, member)| Part { path, item: self, kind, name, member })
    }

    /// Returns a member that an item has once, such as what a request returns.
    pub fn fact(&self, kind: MemberKind) -> Option<&Member> {
        self.members.get(&(kind, String::new()))
    }

    /// Returns whether the item is a request.
    fn is_request(&self) -> bool {
        self.fact(MemberKind::Operation).is_some()
    }
}

impl Part<'_> {
    /// Returns the name of the part in the words of a program, such as `models::Task.name`.
    pub fn id(self) -> String {
        let Self { path, name, .. } = self;
        match self.kind {
            MemberKind::Whole => path.to_owned(),
            MemberKind::Operation => format!("{path} (operation)"),
            MemberKind::Body => format!("{path} (body)"),
            MemberKind::Output => format!("{path} (output)"),
            MemberKind::Items => format!("{path} (items)"),
            MemberKind::Method => format!("{path}::{name}()"),
            MemberKind::Field => format!("{path}.{name}"),
            MemberKind::Variant | MemberKind::Const => format!("{path}::{name}"),
            MemberKind::Trait => format!("{path}: {name}"),
        }
    }

    /// Returns the types that the part consists of.
    fn types(&self) -> impl Iterator<Item = &str> {
        let arguments = self.member.arguments.iter().map(|argument| argument.ty.as_str());
        arguments.chain([self.member.ty.as_str()])
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
