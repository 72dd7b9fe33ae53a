//! Rust types, as public items name them.

use std::fmt;

use super::Path;
use crate::ir::{Api, Field, Type};

/// A Rust type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `()`.
    Unit,
    /// `bool`.
    Bool,
    /// `i32`.
    Int32,
    /// `i64`.
    Int64,
    /// `u32`.
    UInt32,
    /// `u64`.
    UInt64,
    /// `f32`.
    Float32,
    /// `f64`.
    Float64,
    /// `str`.
    Str,
    /// `String`.
    String,
    /// `runtime::Timestamp`.
    Timestamp,
    /// `runtime::Value`.
    Value,
    /// `runtime::Map`.
    Map,
    /// `Self`.
    Itself,
    /// `Self::Output`.
    ItsOutput,
    /// An item of the crate.
    Item(Path),
    /// Any other type by its path, with its arguments.
    Foreign(Path, Vec<Ty>),
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
    /// `impl AsRef<T>`.
    AsRef(Box<Ty>),
    /// `impl runtime::Param`.
    Param,
    /// `impl FnOnce(A, B) -> T`.
    FnOnce(Vec<Ty>, Box<Ty>),
}

impl Ty {
    /// Returns the type of a value.
    pub fn new(ty: &Type, api: &Api) -> Self {
        let boxed = |inner| Box::new(Self::new(inner, api));
        match ty {
            Type::Bool => Self::Bool,
            Type::Int32 => Self::Int32,
            Type::Int64 | Type::Int64Text => Self::Int64,
            Type::UInt32 => Self::UInt32,
            Type::UInt64 | Type::UInt64Text => Self::UInt64,
            Type::Float32 => Self::Float32,
            Type::Float64 => Self::Float64,
            Type::String => Self::String,
            Type::Timestamp => Self::Timestamp,
            Type::Value => Self::Value,
            Type::Map => Self::Map,
            Type::List(item) => Self::List(boxed(item)),
            Type::Dictionary(value) => Self::Dictionary(boxed(value)),
            Type::Secret(inner) => Self::Secret(boxed(inner)),
            Type::Named(id) => Self::Item(Path::new(api.definition(*id).path())),
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

    /// Returns the type of the field with the additional properties, given that of their values.
    pub fn additional(value: &Type, api: &Api) -> Self {
        match value {
            Type::Value => Self::Map,
            value => Self::Dictionary(Box::new(Self::new(value, api))),
        }
    }

    /// Returns a type of another crate, or one that is generic over types.
    pub fn foreign<const N: usize>(path: &str, arguments: [Self; N]) -> Self {
        Self::Foreign(Path::new(path), arguments.into())
    }

    /// Returns whether a function with an argument of this type is generic: it is compiled where it is called, without
    /// `#[inline]`.
    pub fn is_generic(&self) -> bool {
        matches!(
            self,
            Self::Into(_)
                | Self::IntoIterator(_)
                | Self::IntoList(_)
                | Self::AsRef(_)
                | Self::Param
        )
    }

    /// Returns the types that this one is directly made of.
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
            | Self::AsRef(inner) => vec![inner],
            Self::Foreign(_, arguments) => arguments.iter().collect(),
            Self::FnOnce(arguments, output) => arguments.iter().chain([output.as_ref()]).collect(),
            _ => Vec::new(),
        }
    }
}

/// The types without others in them, as `api.txt` names them.
pub(super) const SCALARS: [(&str, Ty); 16] = [
    ("()", Ty::Unit),
    ("bool", Ty::Bool),
    ("i32", Ty::Int32),
    ("i64", Ty::Int64),
    ("u32", Ty::UInt32),
    ("u64", Ty::UInt64),
    ("f32", Ty::Float32),
    ("f64", Ty::Float64),
    ("str", Ty::Str),
    ("String", Ty::String),
    ("Timestamp", Ty::Timestamp),
    ("Value", Ty::Value),
    ("Map", Ty::Map),
    ("Self", Ty::Itself),
    ("Self::Output", Ty::ItsOutput),
    ("impl runtime::Param", Ty::Param),
];

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(path) => write!(f, "{path}"),
            Self::Foreign(path, arguments) if arguments.is_empty() => write!(f, "{path}"),
            Self::Foreign(path, arguments) => write!(f, "{path}<{}>", Listed(arguments)),
            Self::List(item) => write!(f, "Vec<{item}>"),
            Self::Dictionary(value) => write!(f, "BTreeMap<String, {value}>"),
            Self::Secret(inner) => write!(f, "Secret<{inner}>"),
            Self::Option(inner) => write!(f, "Option<{inner}>"),
            Self::Boxed(inner) => write!(f, "Box<{inner}>"),
            Self::Ref(inner) => write!(f, "&{inner}"),
            Self::StaticRef(inner) => write!(f, "&'static {inner}"),
            Self::Slice(item) => write!(f, "[{item}]"),
            Self::Into(inner) => write!(f, "impl Into<{inner}>"),
            Self::IntoIterator(item) => write!(f, "impl IntoIterator<Item = {item}>"),
            Self::IntoList(item) => write!(f, "impl runtime::IntoList<{item}, By>"),
            Self::AsRef(inner) => write!(f, "impl AsRef<{inner}>"),
            Self::FnOnce(arguments, output) => {
                write!(f, "impl FnOnce({}) -> {output}", Listed(arguments))
            }
            scalar => {
                let name = SCALARS.iter().find(|(_, ty)| ty == scalar);
                f.write_str(name.map_or("", |(name, _)| name))
            }
        }
    }
}

/// Types, separated by commas.
struct Listed<'a>(&'a [Ty]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, ty) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{ty}")?;
        }
        Ok(())
    }
}
