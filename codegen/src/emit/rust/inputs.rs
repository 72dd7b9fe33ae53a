//! Arguments and setters: from what callers give to what is stored or sent.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::names::ident;
use super::page::Page;
use crate::ir::{Api, Field, Parameter, Type};
use crate::items::{Conversion, Input, Target, Ty};

/// Writes the arguments of a function.
pub fn arguments(inputs: &[Input<'_>], page: &mut Page<'_>) -> Vec<TokenStream> {
    let arguments = inputs.iter().map(|input| {
        let name = ident(input.name);
        let ty = page.ty(&input.ty);
        quote!(#name: #ty)
    });
    arguments.collect()
}

/// Writes a setter under a name: a method that takes and returns `self`. `place` has the fields that it can set.
pub fn setter(
    name: &Ident,
    input: &Input<'_>,
    place: &TokenStream,
    attributes: &impl ToTokens,
    api: &Api,
    page: &mut Page<'_>,
) -> TokenStream {
    let inline = (!input.ty.is_generic()).then(|| quote!(#[inline]));
    let generics = (input.conversion == Conversion::IntoList).then(|| quote!(<By>));
    let ty = page.ty(&input.ty);
    let argument = format_ident!("value");
    let statement = match input.target {
        Target::Field(field) => {
            let name = &field.name;
            let value = stored(field, input, &argument);
            quote!(#place.#name = #value)
        }
        Target::Additional(_) => {
            let value = value(input, &argument);
            quote!(#place.#name = #value)
        }
        Target::Parameter(parameter) => {
            let call = sent("set_", parameter, input, &argument, api, page);
            quote!(self.call.#call)
        }
        Target::Expansion(expansion) => {
            let (mask, paths) = (&expansion.field, &expansion.paths);
            let value = value(input, &argument);
            let value = if expansion.paths_required { value } else { quote!(Some(#value)) };
            quote!(#place.#mask.get_or_insert_default().#paths = #value)
        }
        Target::Body(_) => {
            let value = value(input, &argument);
            quote!(self.body = Some(#value))
        }
        Target::WholeBody => quote!(self.body = value),
    };
    quote! {
        #attributes
        #inline
        pub fn #name #generics(mut self, value: #ty) -> Self {
            #statement;
            self
        }
    }
}

/// Writes the value of an argument.
pub fn value(input: &Input<'_>, argument: &Ident) -> TokenStream {
    match input.conversion {
        Conversion::None => quote!(#argument),
        Conversion::Into => quote!(#argument.into()),
        Conversion::Collect => quote!(#argument.into_iter().collect()),
        Conversion::CollectInto => quote!(#argument.into_iter().map(Into::into).collect()),
        Conversion::IntoList => quote!(#argument.into_list()),
    }
}

/// Writes the value of an argument as a field stores it.
pub fn stored(field: &Field, input: &Input<'_>, argument: &Ident) -> TokenStream {
    let mut value = value(input, argument);
    if field.boxed {
        value = quote!(Box::new(#value));
    }
    if !field.required {
        value = quote!(Some(#value));
    }
    value
}

/// Writes the call that sends the value of a parameter, by a method whose name begins with a prefix.
pub fn sent(
    prefix: &str,
    parameter: &Parameter,
    input: &Input<'_>,
    argument: &Ident,
    api: &Api,
    page: &mut Page<'_>,
) -> TokenStream {
    let wire = &parameter.wire;
    let location = parameter.location.name();
    let mut into = |ty| {
        (input.conversion == Conversion::Into).then(|| {
            let ty = page.ty(&Ty::new(ty, api));
            quote!(Into::<#ty>::into)
        })
    };
    if let Type::List(item) = &parameter.ty {
        let method = format_ident!("{prefix}{location}_list");
        let mapped = into(item).map(|into| quote!(.into_iter().map(#into)));
        let separator = match parameter.separator {
            None => quote!(None),
            Some(separator) => quote!(Some(#separator)),
        };
        return quote!(#method(#wire, #argument #mapped, #separator));
    }
    let method = format_ident!("{prefix}{location}");
    match into(&parameter.ty) {
        None => quote!(#method(#wire, &#argument)),
        Some(into) => quote!(#method(#wire, &#into(#argument))),
    }
}
