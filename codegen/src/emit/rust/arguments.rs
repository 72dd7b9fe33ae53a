//! How a value is taken from a caller.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::imports::Imports;
use super::types::plain;
use crate::ir::{Api, Parameter, Type};

/// The type of an argument, and the expression that makes the value of it.
pub struct Argument {
    /// The type.
    pub ty: TokenStream,
    /// The expression.
    pub value: TokenStream,
    /// Whether the type is generic: such a function is compiled where it is called, without `#[inline]`.
    pub is_generic: bool,
}

impl Argument {
    /// Takes a value by `Into` where other types turn into its type, lists from anything that can be iterated, and everything else
    /// as it is: what is generic without need cannot be inferred, and costs time to compile.
    pub fn of<'a>(
        ty: &Type,
        name: &impl ToTokens,
        api: &'a Api,
        imports: &mut Imports<'a>,
    ) -> Self {
        let plain = plain(ty, api, imports);
        let (ty, value) = match ty {
            Type::List(item) => list(item, name, api, imports),
            ty if api.is_converted(ty) => (quote!(impl Into<#plain>), quote!(#name.into())),
            _ => return Self { ty: plain, value: quote!(#name), is_generic: false },
        };
        Self { ty, value, is_generic: true }
    }
}

/// Writes the type that a parameter is taken as, and a reference to its value.
pub fn sent<'a>(
    parameter: &Parameter,
    name: &impl ToTokens,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> (TokenStream, TokenStream) {
    if parameter.ty == Type::String {
        return (quote!(impl runtime::Param), quote!(&#name));
    }
    let Argument { ty, is_generic, .. } = Argument::of(&parameter.ty, name, api, imports);
    if is_generic {
        let plain = plain(&parameter.ty, api, imports);
        (ty, quote!(&Into::<#plain>::into(#name)))
    } else {
        (ty, quote!(&#name))
    }
}

fn list<'a>(
    item: &Type,
    name: &impl ToTokens,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> (TokenStream, TokenStream) {
    let plain = plain(item, api, imports);
    if api.is_converted(item) {
        let ty = quote!(impl IntoIterator<Item = impl Into<#plain>>);
        (ty, quote!(#name.into_iter().map(Into::into).collect()))
    } else {
        (quote!(impl IntoIterator<Item = #plain>), quote!(#name.into_iter().collect()))
    }
}
