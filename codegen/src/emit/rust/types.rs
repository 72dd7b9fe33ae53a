//! How types are written.

use proc_macro2::TokenStream;
use quote::quote;

use super::imports::Imports;
use crate::ir::{Api, Field, Type};

/// Writes a type, and imports the models in it.
pub fn plain<'a>(ty: &Type, api: &'a Api, imports: &mut Imports<'a>) -> TokenStream {
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
            let item = plain(item, api, imports);
            quote!(Vec<#item>)
        }
        Type::Dictionary(value) => {
            let value = plain(value, api, imports);
            quote!(std::collections::BTreeMap<String, #value>)
        }
        Type::Secret(inner) => {
            let inner = plain(inner, api, imports);
            quote!(runtime::Secret<#inner>)
        }
        Type::Named(id) => imports.model(api.definition(*id)),
    }
}

/// Writes the type of a field.
pub fn of_field<'a>(field: &Field, api: &'a Api, imports: &mut Imports<'a>) -> TokenStream {
    let ty = plain(&field.ty, api, imports);
    let ty = if field.boxed { quote!(Box<#ty>) } else { ty };
    if field.required { ty } else { quote!(Option<#ty>) }
}
