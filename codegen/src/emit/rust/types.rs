//! Types.

use proc_macro2::TokenStream;
use quote::quote;

use super::page::Page;
use crate::ir::{Field, Type};

/// Writes a type, and imports the models in it.
pub fn plain(ty: &Type, page: &mut Page<'_>) -> TokenStream {
    match ty {
        Type::Bool => quote!(bool),
        Type::Int32 => quote!(i32),
        Type::Int64 | Type::Int64Text => quote!(i64),
        Type::UInt32 => quote!(u32),
        Type::UInt64 | Type::UInt64Text => quote!(u64),
        Type::Float32 => quote!(f32),
        Type::Float64 => quote!(f64),
        Type::String => quote!(String),
        Type::Timestamp => quote!(runtime::Timestamp),
        Type::Value => quote!(runtime::Value),
        Type::Map => quote!(runtime::Map),
        Type::List(item) => {
            let item = plain(item, page);
            quote!(Vec<#item>)
        }
        Type::Dictionary(value) => {
            let value = plain(value, page);
            quote!(std::collections::BTreeMap<String, #value>)
        }
        Type::Secret(inner) => {
            let inner = plain(inner, page);
            quote!(runtime::Secret<#inner>)
        }
        Type::Named(id) => page.model(*id),
    }
}

/// Writes the type of a field.
pub fn of_field(field: &Field, page: &mut Page<'_>) -> TokenStream {
    let ty = plain(&field.ty, page);
    let ty = if field.boxed { quote!(Box<#ty>) } else { ty };
    if field.required { ty } else { quote!(Option<#ty>) }
}
