//! Rust types in public items.

use super::Path;
use crate::ir::{Api, Content, Field, Scalar, Type};

/// A Rust type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `()`.
    Unit,
    /// A scalar that JSON does not have as text, unless its type in Rust is the only one.
    Scalar(Scalar),
    /// `str`.
    Str,
    /// `String`.
    String,
    /// `runtime::Value`.
    Value,
    /// `runtime::Map`.
    Map,
    /// `runtime::TypedObject`.
    TypedObject,
    /// `Self`.
    Itself,
    /// `Self::Output`.
    ItsOutput,
    /// A model, a handle or a request.
    Item(Path),
    /// Another type by its path, with its arguments.
    Foreign(Path, Vec<Ty>),
    /// A type of another crate, by a path with arguments.
    Own(String),
    /// `Vec<T>`.
    List(Box<Ty>),
    /// `BTreeMap<String, T>`.
    Dictionary(Box<Ty>),
    /// `runtime::Secret<T>`.
    Secret(Box<Ty>),
    /// `Option<T>`.
    Option(Box<Ty>),
    /// `Box<T>`.
    Boxed(Box<Ty>),
    /// `&T`.
    Ref(Box<Ty>),
    /// `&'static T`.
    StaticRef(Box<Ty>),
    /// `[T]`.
    Slice(Box<Ty>),
    /// `impl Into<T>`.
    Into(Box<Ty>),
    /// `impl IntoIterator<Item = T>`.
    IntoIterator(Box<Ty>),
    /// `impl runtime::IntoList<T, By>`, with the type parameter `By` of its function.
    IntoList(Box<Ty>),
    /// `impl runtime::IntoInteger<T>`.
    IntoInteger(Box<Ty>),
    /// `impl AsRef<T>`.
    AsRef(Box<Ty>),
    /// `impl runtime::Param`.
    Param,
    /// `impl runtime::Expanded`.
    Expanded,
    /// `impl runtime::Server`.
    Server,
    /// `impl runtime::TokenSource`.
    TokenSource,
    /// `impl FnOnce(A, B) -> T`.
    FnOnce(Vec<Ty>, Box<Ty>),
}

impl Ty {
    pub(crate) const BOOL: Self = Self::Scalar(Scalar::Bool);
    pub(crate) const INT64: Self = Self::Scalar(Scalar::Int64);

    /// Returns the type of a value.
    pub fn new(ty: &Type, api: &Api) -> Self {
        let boxed = |inner| Box::new(Self::new(inner, api));
        match ty {
            Type::Scalar(scalar) => Self::Scalar(scalar.in_rust()),
            Type::String | Type::Binary => Self::String,
            Type::Upload => Self::foreign("runtime::Upload", []),
            Type::Value => Self::Value,
            Type::Map => Self::Map,
            Type::TypedObject => Self::TypedObject,
            Type::List(item) => Self::List(boxed(item)),
            Type::Dictionary(value) => Self::Dictionary(boxed(value)),
            Type::Nullable(inner) => Self::Option(boxed(inner)),
            Type::Secret(inner) => Self::Secret(boxed(inner)),
            Type::Own(own) => Self::foreign("runtime::Typed", [Self::Own(own.path.clone())]),
            Type::Named(id) | Type::AnyText(id) => {
                Self::Item(Path::new(api.definition(*id).path()))
            }
        }
    }

    /// Returns the type of the content of a reply.
    pub fn content(content: &Content, api: &Api) -> Self {
        match content {
            Content::Json(ty) => Self::new(ty, api),
            Content::Text => Self::String,
            Content::Bytes => Self::foreign("runtime::Bytes", []),
            Content::Untyped => Self::Unit,
        }
    }

    /// Returns the type of a payload, which may be boxed.
    pub fn payload(ty: &Type, is_boxed: bool, api: &Api) -> Self {
        let ty = Self::new(ty, api);
        if is_boxed { Self::Boxed(Box::new(ty)) } else { ty }
    }

    /// Returns the type of a field.
    pub fn field(field: &Field, api: &Api) -> Self {
        let ty = Self::payload(&field.ty, field.boxed, api);
        if field.required { ty } else { Self::Option(Box::new(ty)) }
    }

    /// Returns the type of the field with the additional properties, given the type of their values.
    pub fn additional(value: &Type, api: &Api) -> Self {
        match value {
            Type::Value => Self::Map,
            value => Self::Dictionary(Box::new(Self::new(value, api))),
        }
    }

    /// Returns a type of another crate, or a type that is generic over types.
    pub fn foreign<const N: usize>(path: &str, arguments: [Self; N]) -> Self {
        Self::Foreign(Path::new(path), arguments.into())
    }

    /// Returns the path, if the type is an item of the crate.
    pub fn as_item(&self) -> Option<&Path> {
        match self {
            Self::Item(path) => Some(path),
            _ => None,
        }
    }

    /// Returns the type in the box, if it is one.
    pub fn unboxed(&self) -> &Self {
        match self {
            Self::Boxed(inner) => inner,
            other => other,
        }
    }

    /// Returns the items of the crate that the type names.
    pub fn items(&self) -> Vec<&Path> {
        match self {
            Self::Item(path) => vec![path],
            other => other.inner().into_iter().flat_map(Self::items).collect(),
        }
    }

    /// Returns whether the type names the result of its request.
    pub fn names_output(&self) -> bool {
        *self == Self::ItsOutput || self.inner().into_iter().any(Self::names_output)
    }

    /// Returns the type with other items.
    #[must_use]
    pub fn with_items(&self, rename: &impl Fn(&Path) -> Path) -> Self {
        let inner = |ty: &Self| Box::new(ty.with_items(rename));
        let all = |types: &[Self]| types.iter().map(|ty| ty.with_items(rename)).collect();
        match self {
            Self::Item(path) => Self::Item(rename(path)),
            Self::Foreign(path, arguments) => Self::Foreign(path.clone(), all(arguments)),
            Self::List(item) => Self::List(inner(item)),
            Self::Dictionary(value) => Self::Dictionary(inner(value)),
            Self::Secret(value) => Self::Secret(inner(value)),
            Self::Option(value) => Self::Option(inner(value)),
            Self::Boxed(value) => Self::Boxed(inner(value)),
            Self::Ref(value) => Self::Ref(inner(value)),
            Self::StaticRef(value) => Self::StaticRef(inner(value)),
            Self::Slice(item) => Self::Slice(inner(item)),
            Self::Into(value) => Self::Into(inner(value)),
            Self::IntoIterator(item) => Self::IntoIterator(inner(item)),
            Self::IntoList(item) => Self::IntoList(inner(item)),
            Self::IntoInteger(value) => Self::IntoInteger(inner(value)),
            Self::AsRef(value) => Self::AsRef(inner(value)),
            Self::FnOnce(arguments, output) => Self::FnOnce(all(arguments), inner(output)),
            scalar => scalar.clone(),
        }
    }

    /// Returns whether a function with an argument of this type is generic: it is compiled where it is called, without
    /// `#[inline]`.
    pub fn is_generic(&self) -> bool {
        matches!(
            self,
            Self::Into(_)
                | Self::IntoIterator(_)
                | Self::IntoList(_)
                | Self::IntoInteger(_)
                | Self::AsRef(_)
                | Self::Param
                | Self::Server
                | Self::TokenSource
        )
    }

    /// Returns the types directly within this one.
    pub fn inner(&self) -> Vec<&Self> {
        match self {
            Self::List(inner)
            | Self::Dictionary(inner)
            | Self::Secret(inner)
            | Self::Option(inner)
            | Self::Boxed(inner)
            | Self::Ref(inner)
            | Self::StaticRef(inner)
            | Self::Slice(inner)
            | Self::Into(inner)
            | Self::IntoIterator(inner)
            | Self::IntoList(inner)
            | Self::IntoInteger(inner)
            | Self::AsRef(inner) => vec![inner],
            Self::Foreign(_, arguments) => arguments.iter().collect(),
            Self::FnOnce(arguments, output) => arguments.iter().chain([output.as_ref()]).collect(),
            _ => Vec::new(),
        }
    }
}
