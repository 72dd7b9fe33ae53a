//! Arguments of functions.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::page::Page;
use super::types::plain;
use crate::ir::{Parameter, Type};

/// The type of an argument, and the expression of its value.
pub struct Argument {
    /// The type.
    pub ty: TokenStream,
    /// The expression.
    pub value: TokenStream,
    /// Whether the type is generic: such a function is compiled where it is called, without `#[inline]`.
    pub is_generic: bool,
}

impl Argument {
    /// Returns an argument of a type: `impl Into` if other types convert into it, `impl IntoIterator` for lists, and otherwise
    /// the type itself, because generic arguments hinder inference and take time to compile.
    pub fn of(ty: &Type, name: &impl ToTokens, page: &mut Page<'_>) -> Self {
        let plain = plain(ty, page);
        let (ty, value) = match ty {
            Type::List(item) => list(item, name, page),
            ty if page.api.is_converted(ty) => (quote!(impl Into<#plain>), quote!(#name.into())),
            _ => return Self { ty: plain, value: quote!(#name), is_generic: false },
        };
        Self { ty, value, is_generic: true }
    }
}

/// Writes the argument type of a parameter, and the call that sends its value, whose name begins with a prefix.
pub fn sent(
    parameter: &Parameter,
    prefix: &str,
    name: &impl ToTokens,
    page: &mut Page<'_>,
) -> (TokenStream, TokenStream) {
    let (wire, location) = (&parameter.wire, parameter.location.name());
    let (ty, value) = match &parameter.ty {
        Type::List(item) => {
            let (item, value) = taken(item, page);
            let value = value.map_or(quote!(#name), |into| quote!(#name.into_iter().map(#into)));
            let separator = parameter.separator.map(|separator| quote!(Some(#separator)));
            let separator = separator.unwrap_or(quote!(None));
            let sends = format_ident!("{prefix}{location}_list");
            let call = quote!(#sends(#wire, #value, #separator));
            return (quote!(impl IntoIterator<Item = #item>), call);
        }
        ty => taken(ty, page),
    };
    let value = value.map_or(quote!(&#name), |into| quote!(&#into(#name)));
    let sends = format_ident!("{prefix}{location}");
    (ty, quote!(#sends(#wire, #value)))
}

/// Returns the type that takes a value of a parameter, and the function that converts it, if one is needed.
fn taken(ty: &Type, page: &mut Page<'_>) -> (TokenStream, Option<TokenStream>) {
    let plain = plain(ty, page);
    match ty {
        Type::String => (quote!(impl runtime::Param), None),
        ty if page.api.is_converted(ty) => {
            (quote!(impl Into<#plain>), Some(quote!(Into::<#plain>::into)))
        }
        _ => (plain, None),
    }
}

fn list(item: &Type, name: &impl ToTokens, page: &mut Page<'_>) -> (TokenStream, TokenStream) {
    let plain = plain(item, page);
    if page.api.is_converted(item) {
        let ty = quote!(impl IntoIterator<Item = impl Into<#plain>>);
        (ty, quote!(#name.into_iter().map(Into::into).collect()))
    } else {
        (quote!(impl IntoIterator<Item = #plain>), quote!(#name.into_iter().collect()))
    }
}
