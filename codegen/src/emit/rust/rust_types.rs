//! How types are written: in fields, in arguments, and on the way from an argument to a field.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::imports::Imports;
use crate::ir::{Api, Field, Shape, Type};

/// Makes an identifier of a name that is valid already, raw or not.
pub fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(bare) => format_ident!("r#{}", bare),
        None => format_ident!("{}", name),
    }
}

/// Writes a type and notes what it needs to be imported.
pub fn plain(ty: &Type, api: &Api, imports: &mut Imports) -> TokenStream {
    match ty {
        Type::Bool => quote!(bool),
        Type::Int32 => quote!(i32),
        Type::Int64 | Type::Int64Text => quote!(i64),
        Type::UInt32 => quote!(u32),
        Type::UInt64 | Type::UInt64Text => quote!(u64),
        Type::Float32 => quote!(f32),
        Type::Float64 => quote!(f64),
        Type::String => quote!(String),
        Type::Timestamp => imports.runtime("Timestamp"),
        Type::Value => imports.runtime("Value"),
        Type::Map => imports.runtime("Map"),
        Type::List(item) => {
            let item = plain(item, api, imports);
            quote!(Vec<#item>)
        }
        Type::Dictionary(value) => {
            let value = plain(value, api, imports);
            imports.standard("std::collections::BTreeMap");
            quote!(BTreeMap<String, #value>)
        }
        Type::Secret(inner) => {
            let inner = plain(inner, api, imports);
            let secret = imports.runtime("Secret");
            quote!(#secret<#inner>)
        }
        Type::Named(id) => imports.model(api.definition(*id)),
    }
}

/// Writes the type of a field.
pub fn of_field(field: &Field, api: &Api, imports: &mut Imports) -> TokenStream {
    let ty = plain(&field.ty, api, imports);
    let ty = if field.boxed { quote!(Box<#ty>) } else { ty };
    if field.required { ty } else { quote!(Option<#ty>) }
}

/// How a value is taken from a caller.
pub struct Argument {
    /// The type of the argument.
    pub ty: TokenStream,
    /// The expression that makes the field's value of it.
    pub value: TokenStream,
    /// The attribute of a function that takes nothing else. A generic one is compiled where it is called as it is.
    pub inline: Option<TokenStream>,
}

/// Writes how an argument is taken whose name is `name`: by `Into` where other types turn into its type, lists from
/// anything that can be iterated, and everything else as it is.
pub fn argument(ty: &Type, name: &Ident, api: &Api, imports: &mut Imports) -> Argument {
    match ty {
        ty if is_taken_as_is(ty, api) => Argument {
            ty: plain(ty, api, imports),
            value: quote!(#name),
            inline: Some(quote!(#[inline])),
        },
        Type::List(item) if is_taken_as_is(item, api) => {
            let item = plain(item, api, imports);
            Argument {
                ty: quote!(impl IntoIterator<Item = #item>),
                value: quote!(#name.into_iter().collect()),
                inline: None,
            }
        }
        Type::List(item) if is_convertible(item) => {
            let item = plain(item, api, imports);
            Argument {
                ty: quote!(impl IntoIterator<Item = impl Into<#item>>),
                value: quote!(#name.into_iter().map(Into::into).collect()),
                inline: None,
            }
        }
        _ => {
            let ty = plain(ty, api, imports);
            Argument { ty: quote!(impl Into<#ty>), value: quote!(#name.into()), inline: None }
        }
    }
}

/// Tells whether no other type turns into this one. What is generic without a need cannot be inferred, and costs time to
/// compile.
fn is_taken_as_is(ty: &Type, api: &Api) -> bool {
    match ty {
        Type::Bool
        | Type::Int32
        | Type::Int64
        | Type::Int64Text
        | Type::UInt32
        | Type::UInt64
        | Type::UInt64Text
        | Type::Float32
        | Type::Float64
        | Type::Timestamp
        | Type::Map => true,
        Type::Named(id) => !matches!(api.definition(*id).shape, Shape::Enum(_)),
        _ => false,
    }
}

fn is_convertible(ty: &Type) -> bool {
    matches!(ty, Type::String | Type::Named(_) | Type::Value | Type::Map | Type::Secret(_))
}
