//! Items and their members.

use std::collections::BTreeMap;

use super::template::Template;
use super::{About, Path, Security, Setting, Ty, Wire};
use crate::ir::Media;

/// An item with its own path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The kind of the item.
    pub kind: ItemKind,
    /// The template of its common members.
    pub(super) template: Option<Template>,
    /// The key of the schema under `components/schemas`, for types that have one.
    pub schema: Option<String>,
    /// The cargo features that compile it, any of which suffices; without one, it is always compiled.
    pub features: Vec<String>,
    /// The file that declares it, for models, handles and requests; `api.txt` does not list it.
    pub file: Option<String>,
    /// The names of the parts of a body in parts, which servers may read in this order; `api.txt` does not list them.
    pub parts: Vec<String>,
    /// Its description.
    pub about: About,
    /// Its members.
    pub members: BTreeMap<(MemberKind, String), Member>,
}

/// The kinds of [`Item`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A cargo feature that enables others.
    Feature(Vec<String>),
    /// A module.
    Module,
    /// A re-export of an item of the runtime.
    Use(Path),
    /// An alias of a type.
    Alias(Ty),
    /// A struct: a model, a request, a resource's handle or the client.
    Struct,
    /// An enum: an open enum or a union.
    Enum,
}

/// A member of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its description.
    pub about: About,
    /// Its definition.
    pub definition: Definition,
}

/// The definition of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// The HTTP request that a request sends.
    Operation(Operation),
    /// The body of a request.
    Body(Body),
    /// The result of a request.
    Output(Ty),
    /// The body of the errors of a request, and the type of each status; `api.txt` does not list these.
    Failure(Ty, Vec<(String, Ty)>),
    /// The items of a paged request.
    Items(Items),
    /// A value that no program names, as text.
    Setting(Setting, String),
    /// A public field.
    Field(Ty, Wire),
    /// A variant of an enum with its payload; the variant of unknown values has no form on the wire.
    Variant(Option<Ty>, Option<Wire>),
    /// The name of the variant that values of a union are recognized as; the member is named after the condition.
    Rule(String),
    /// An associated constant.
    Constant {
        /// Its type.
        ty: Ty,
        /// The new name, if it is an old name of a variant.
        alias_of: Option<String>,
        /// Its value, if that comes from the spec.
        value: Option<String>,
    },
    /// A method or an associated function.
    Method(Method),
    /// An implemented trait.
    Trait(Ty),
}

/// The HTTP request of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The HTTP method.
    pub verb: String,
    /// The path template.
    pub path: String,
    /// The `operationId`.
    pub id: String,
    /// The media type of the body, if it is not JSON.
    pub media: Option<String>,
    /// The media types of the successful replies, if they are not only JSON.
    pub replies: Option<String>,
    /// The credentials that it accepts; `api.txt` does not list them.
    pub security: Option<Security>,
    /// The credentials that it needs: sets of methods of the builder, one of which must be satisfied.
    pub credentials: Vec<Vec<String>>,
    /// The servers that it is sent to instead of the base URL: names of types in `servers`.
    pub servers: Vec<String>,
}

impl Operation {
    /// Returns the media type of the body.
    pub fn media_type(&self) -> &str {
        self.media.as_deref().unwrap_or(Media::JSON)
    }

    /// Returns the media types of the successful replies.
    pub fn reply_types(&self) -> &str {
        self.replies.as_deref().unwrap_or(Media::JSON)
    }
}

/// The body of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// No body.
    None,
    /// Always `{}`.
    EmptyObject,
    /// A value of this type.
    Value(Ty),
}

/// The items of a paged request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Items {
    /// The type of an item.
    pub ty: Ty,
    /// The field of the response with the items, if the response is not the list itself.
    pub field: Option<String>,
    /// The field of the response with the token of the next page, if there is one.
    pub next_token: Option<String>,
}

/// A method or an associated function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its signature.
    pub signature: Signature,
    /// Where the value of a request's setter is sent.
    pub wire: Option<Wire>,
    /// The cargo feature that it requires.
    pub feature: Option<String>,
    /// The new name, if it is an old name of a method.
    pub alias_of: Option<String>,
}

/// The signature of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The receiver of a method.
    pub receiver: Option<Receiver>,
    /// The arguments after the receiver.
    pub arguments: Vec<Argument>,
    /// The type of the result.
    pub output: Ty,
}

/// The receiver of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// `self`.
    Value,
    /// `&self`.
    Ref,
}

/// An argument of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Where its value is sent.
    pub wire: Option<Wire>,
    /// The JSON pointer of the place in the spec that it comes from, or empty.
    pub place: String,
}

/// The kinds of [`Definition`], in the order in which members are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemberKind {
    /// The whole item.
    Whole,
    /// [`Definition::Operation`].
    Operation,
    /// [`Definition::Body`].
    Body,
    /// [`Definition::Output`].
    Output,
    /// [`Definition::Failure`].
    Failure,
    /// [`Definition::Items`].
    Items,
    /// [`Definition::Setting`].
    Setting,
    /// [`Definition::Field`].
    Field,
    /// [`Definition::Variant`].
    Variant,
    /// [`Definition::Rule`].
    Rule,
    /// [`Definition::Constant`].
    Const,
    /// [`Definition::Method`].
    Method,
    /// [`Definition::Trait`].
    Trait,
}

impl MemberKind {
    /// Returns a member of the item at a path as Rust code refers to it, such as `models::Task.name`.
    pub fn id(self, path: &str, name: &str) -> String {
        match self {
            Self::Whole => path.to_owned(),
            Self::Operation => format!("{path} (operation)"),
            Self::Body => format!("{path} (body)"),
            Self::Output => format!("{path} (output)"),
            Self::Failure => format!("error.failure::<{path}>()"),
            Self::Items => format!("{path} (items)"),
            Self::Setting => format!("{path} ({name})"),
            Self::Method => format!("{path}::{name}()"),
            Self::Field => format!("{path}.{name}"),
            Self::Variant | Self::Const => format!("{path}::{name}"),
            Self::Rule => format!("{path} (by {name})"),
            Self::Trait => format!("{path}: {name}"),
        }
    }
}

/// An item as a whole, or one of its members, with its name.
#[derive(Clone, Copy, Debug)]
pub struct MemberRef<'a> {
    /// The path of the item.
    pub path: &'a Path,
    /// The item.
    pub item: &'a Item,
    /// The kind of the member.
    pub kind: MemberKind,
    /// The name of the member; empty for the item as a whole, and for a definition that an item has once.
    pub name: &'a str,
    /// The description.
    pub about: &'a About,
    /// The definition of the member; `None` for the item as a whole.
    pub definition: Option<&'a Definition>,
}

impl Item {
    /// Returns an item without members.
    pub(super) fn new(kind: ItemKind, about: About) -> Self {
        Self {
            kind,
            template: None,
            schema: None,
            features: Vec::new(),
            file: None,
            parts: Vec::new(),
            about,
            members: BTreeMap::new(),
        }
    }

    /// Adds a member.
    pub(super) fn add(&mut self, name: &str, definition: Definition, about: About) {
        let key = (definition.kind(), name.to_owned());
        self.members.insert(key, Member { about, definition });
    }

    /// Returns the item as a whole and its members, at a path.
    pub fn members<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = MemberRef<'a>> {
        let members =
            self.members.iter().map(|((_, name), member)| MemberRef::new(path, self, name, member));
        std::iter::once(MemberRef::whole(path, self)).chain(members)
    }

    /// Returns a member of the item, at a path.
    pub fn member<'a>(
        &'a self,
        path: &'a Path,
        kind: MemberKind,
        name: &str,
    ) -> Option<MemberRef<'a>> {
        let ((_, name), member) = self.members.get_key_value(&(kind, name.to_owned()))?;
        Some(MemberRef::new(path, self, name, member))
    }

    /// Returns the definition of a kind that an item has once, such as the result of a request.
    fn single(&self, kind: MemberKind) -> Option<&Definition> {
        self.members.get(&(kind, String::new())).map(|member| &member.definition)
    }

    /// Returns the HTTP request of a request.
    pub fn operation(&self) -> Option<&Operation> {
        match self.single(MemberKind::Operation)? {
            Definition::Operation(operation) => Some(operation),
            _ => None,
        }
    }

    /// Returns the body of a request.
    pub fn body(&self) -> Option<&Body> {
        match self.single(MemberKind::Body)? {
            Definition::Body(body) => Some(body),
            _ => None,
        }
    }

    /// Returns the result of a request.
    pub fn output(&self) -> Option<&Ty> {
        match self.single(MemberKind::Output)? {
            Definition::Output(ty) => Some(ty),
            _ => None,
        }
    }

    /// Returns the items of a paged request.
    pub fn paged_items(&self) -> Option<&Items> {
        match self.single(MemberKind::Items)? {
            Definition::Items(items) => Some(items),
            _ => None,
        }
    }

    /// Returns whether the item is a request.
    pub fn is_request(&self) -> bool {
        self.operation().is_some()
    }

    /// Returns whether the item is a struct or an enum.
    pub fn is_type(&self) -> bool {
        matches!(self.kind, ItemKind::Struct | ItemKind::Enum)
    }

    /// Returns the members that another item does not have.
    pub fn only<'a>(
        &'a self,
        path: &'a Path,
        other: &'a Self,
    ) -> impl Iterator<Item = MemberRef<'a>> {
        self.members(path).filter(|it| !other.members.contains_key(&(it.kind, it.name.to_owned())))
    }
}

impl Definition {
    /// Returns the kind of the definition.
    pub fn kind(&self) -> MemberKind {
        match self {
            Self::Operation(_) => MemberKind::Operation,
            Self::Body(_) => MemberKind::Body,
            Self::Output(_) => MemberKind::Output,
            Self::Failure(..) => MemberKind::Failure,
            Self::Items(_) => MemberKind::Items,
            Self::Setting(..) => MemberKind::Setting,
            Self::Field(..) => MemberKind::Field,
            Self::Variant(..) => MemberKind::Variant,
            Self::Rule(_) => MemberKind::Rule,
            Self::Constant { .. } => MemberKind::Const,
            Self::Method(_) => MemberKind::Method,
            Self::Trait(_) => MemberKind::Trait,
        }
    }

    /// Returns the types that the definition names.
    pub fn types(&self) -> Vec<&Ty> {
        match self {
            Self::Operation(_)
            | Self::Rule(_)
            | Self::Setting(..)
            | Self::Body(Body::None | Body::EmptyObject) => Vec::new(),
            Self::Variant(payload, _) => payload.iter().collect(),
            Self::Items(items) => vec![&items.ty],
            Self::Method(Method { signature, .. }) => {
                let arguments = signature.arguments.iter().map(|argument| &argument.ty);
                arguments.chain([&signature.output]).collect()
            }
            Self::Body(Body::Value(ty))
            | Self::Output(ty)
            | Self::Failure(ty, _)
            | Self::Field(ty, _)
            | Self::Constant { ty, .. }
            | Self::Trait(ty) => vec![ty],
        }
    }

    /// Returns the form on the wire.
    pub fn wire(&self) -> Option<&Wire> {
        match self {
            Self::Field(_, wire) => Some(wire),
            Self::Variant(_, wire) => wire.as_ref(),
            Self::Method(method) => method.wire.as_ref(),
            _ => None,
        }
    }
}

impl Method {
    /// Returns a method without a value to send, in all crates.
    pub(super) fn new(signature: Signature) -> Self {
        Self { signature, wire: None, feature: None, alias_of: None }
    }
}

impl Signature {
    /// Returns the signature of a setter.
    pub(super) fn setter(ty: Ty) -> Self {
        let value = Argument { name: "value".to_owned(), ty, wire: None, place: String::new() };
        Self { receiver: Some(Receiver::Value), arguments: vec![value], output: Ty::Itself }
    }

    /// Returns the signature of a method without arguments.
    pub(super) fn getter(output: Ty) -> Self {
        Self { receiver: Some(Receiver::Ref), arguments: Vec::new(), output }
    }
}

impl<'a> MemberRef<'a> {
    pub(crate) fn whole(path: &'a Path, item: &'a Item) -> Self {
        let about = &item.about;
        Self { path, item, kind: MemberKind::Whole, name: "", about, definition: None }
    }

    fn new(path: &'a Path, item: &'a Item, name: &'a str, member: &'a Member) -> Self {
        let Member { about, definition } = member;
        Self { path, item, kind: definition.kind(), name, about, definition: Some(definition) }
    }

    /// Returns the place in the spec, or an empty text.
    pub fn place(self) -> &'a str {
        &self.about.place
    }

    /// Returns the path of the item, or of the item with the member.
    pub fn full_path(self) -> Path {
        if self.name.is_empty() { self.path.clone() } else { self.path.join(self.name) }
    }

    /// Returns the method, if it is one.
    pub fn method(self) -> Option<&'a Method> {
        match self.definition? {
            Definition::Method(method) => Some(method),
            _ => None,
        }
    }

    /// Returns the form on the wire.
    pub fn wire(self) -> Option<&'a Wire> {
        self.definition?.wire()
    }

    /// Returns the name on the wire.
    pub fn wire_name(self) -> Option<&'a str> {
        self.wire()?.name()
    }

    /// Returns the new name, if it is the old name of a member.
    pub fn alias_of(self) -> Option<&'a str> {
        match self.definition? {
            Definition::Constant { alias_of, .. } => alias_of.as_deref(),
            Definition::Method(method) => method.alias_of.as_deref(),
            _ => None,
        }
    }

    /// Returns the types that the member names.
    pub fn types(self) -> Vec<&'a Ty> {
        match (self.definition, &self.item.kind) {
            (Some(definition), _) => definition.types(),
            (None, ItemKind::Alias(ty)) => vec![ty],
            (None, _) => Vec::new(),
        }
    }

    /// Returns the items of the crate that the member names.
    pub fn named_items(self) -> impl Iterator<Item = &'a Path> {
        self.types().into_iter().flat_map(Ty::items)
    }

    /// Returns the member as Rust code refers to it, such as `models::Task.name`.
    pub fn id(self) -> String {
        self.kind.id(self.path.as_str(), self.name)
    }
}
