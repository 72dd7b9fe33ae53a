//! Arguments of functions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

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

/// Writes the argument type of a parameter, and a reference to its value.
pub fn sent(
    parameter: &Parameter,
    name: &impl ToTokens,
    page: &mut Page<'_>,
) -> (TokenStream, TokenStream) {
    if parameter.ty == Type::String {
        return (quote!(impl runtime::Param), quote!(&#name));
    }
    let Argument { ty, is_generic, .. } = Argument::of(&parameter.ty, name, page);
    if is_generic {
        let plain = plain(&parameter.ty, page);
        (ty, quote!(&Into::<#plain>::into(#name)))
    } else {
        (ty, quote!(&#name))
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
