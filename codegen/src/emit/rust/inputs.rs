//! Arguments and setters: from the values that callers pass to the values that are stored or sent.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::names::ident;
use super::page::Page;
use crate::ir::{Field, FieldWire, Location, Parameter, ParameterKind, Serialization, Style, Type};
use crate::items::models::NullSetter;
use crate::items::{Conversion, Input, Target, Ty};

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
    page: &mut Page<'_>,
) -> TokenStream {
    let inline = (!input.ty.is_generic()).then(|| quote!(#[inline]));
    let generics = (input.conversion == Conversion::IntoList).then(|| quote!(<By>));
    let ty = page.ty(&input.ty);
    let argument = format_ident!("value");
    let statement = match input.target {
        Target::Field(field) => {
            let name = &field.name;
            let value = match (input.conversion, &field.wire) {
                (Conversion::Integer, FieldWire::Property(wire)) => {
                    let or_zero = field.required.then(|| quote!(.unwrap_or_default()));
                    quote!(#place.unknown.integer(#wire, value) #or_zero)
                }
                _ => stored(field, input, &argument),
            };
            quote!(#place.#name = #value)
        }
        Target::Additional(_) => {
            let value = value(input, &argument, None);
            quote!(#place.#name = #value)
        }
        Target::Parameter(parameter) => {
            let call = sent("set_", parameter, input, &argument, page);
            quote!(self.call.#call)
        }
        Target::Expansion(expansion) => {
            let mask = &expansion.field;
            let paths = &expansion.paths;
            let value = value(input, &argument, None);
            let value = if expansion.paths_required { value } else { quote!(Some(#value)) };
            quote!(#place.#mask.get_or_insert_default().#paths = #value)
        }
        Target::Body(_) => {
            let value = value(input, &argument, None);
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

/// Writes a setter that sends null under a name. `place` is the object with the property.
pub fn null_setter(
    name: &Ident,
    setter: &NullSetter<'_>,
    place: &TokenStream,
    attributes: &impl ToTokens,
) -> TokenStream {
    let FieldWire::Property(property) = &setter.field.wire else { return TokenStream::new() };
    quote! {
        #attributes
        #[inline]
        pub fn #name(mut self) -> Self {
            runtime::internal::set_null(&mut #place, #property);
            self
        }
    }
}

/// Writes the value of an argument; `of` is its type, unless that is known where the value is used.
pub fn value(input: &Input<'_>, argument: &Ident, of: Option<&TokenStream>) -> TokenStream {
    let collect = of.map_or_else(|| quote!(collect()), |ty| quote!(collect::<#ty>()));
    match (input.conversion, of) {
        (Conversion::None | Conversion::Integer, _) => quote!(#argument),
        (Conversion::Into, None) => quote!(#argument.into()),
        (Conversion::Into, Some(ty)) => quote!(Into::<#ty>::into(#argument)),
        (Conversion::Collect, _) => quote!(#argument.into_iter().#collect),
        (Conversion::CollectInto, _) => quote!(#argument.into_iter().map(Into::into).#collect),
        (Conversion::CollectOptions, _) => {
            quote!(#argument.into_iter().map(|value| value.map(Into::into)).#collect)
        }
        (Conversion::IntoList, _) => quote!(#argument.into_list()),
    }
}

/// Writes the value of an argument as a field stores it.
pub fn stored(field: &Field, input: &Input<'_>, argument: &Ident) -> TokenStream {
    let mut value = value(input, argument, None);
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
    page: &mut Page<'_>,
) -> TokenStream {
    let api = page.api;
    let wire = &parameter.wire;
    let has_setter =
        matches!(parameter.location, Location::Path | Location::Query | Location::Header);
    let into = |ty: TokenStream| quote!(Into::<#ty>::into);
    let mut converted =
        |ty| (input.conversion == Conversion::Into).then(|| into(page.ty(&Ty::new(ty, api))));
    if input.conversion == Conversion::Integer {
        let is_list = parameter.kind == ParameterKind::List;
        let method = format_ident!("{prefix}{}", if is_list { "integers" } else { "integer" });
        let description = description(parameter);
        return quote!(#method(#description, #argument));
    }
    let is_short = parameter.is_plain() && !parameter.is_secret && has_setter;
    let description = if is_short { quote!(#wire) } else { description(parameter) };
    let method = |name| format_ident!("{prefix}{name}");
    match (parameter.kind, &parameter.ty) {
        (ParameterKind::Scalar, ty) => {
            let method = method(if is_short { parameter.location.name() } else { "text" });
            match converted(ty) {
                None => quote!(#method(#description, &#argument)),
                Some(into) => quote!(#method(#description, &#into(#argument))),
            }
        }
        (ParameterKind::List, Type::List(item)) => {
            let method = method("list");
            let mapped = converted(item).map(|into| quote!(.into_iter().map(#into)));
            quote!(#method(#description, #argument #mapped))
        }
        (_, ty) => {
            let method = method("value");
            let ty = page.ty(&Ty::new(ty, api));
            let value = value(input, argument, Some(&ty));
            quote!(#method(#description, #value))
        }
    }
}

/// Writes the call that sends the only value of a parameter, if it has one.
pub fn constant(parameter: &Parameter) -> Option<TokenStream> {
    let value = parameter.constant.as_ref()?;
    let description = description(parameter);
    Some(quote!(.text(#description, #value)))
}

fn description(parameter: &Parameter) -> TokenStream {
    let wire = &parameter.wire;
    let location = match parameter.location {
        Location::QueryString => format_ident!("query_string"),
        location => format_ident!("{}", location.name()),
    };
    let serialization = parameter.serialization;
    let default = Serialization::of(parameter.location);
    let is_default = serialization.style == default.style
        && (serialization.explode == default.explode || parameter.kind == ParameterKind::Scalar);
    let style = if is_default { reserved(serialization) } else { style(serialization) };
    let is_text = serialization.style == Style::Json && parameter.ty.is_text();
    let text = is_text.then(|| quote!(.as_text()));
    let secret = parameter.is_secret.then(|| quote!(.secret()));
    quote!(internal::Parameter::#location(#wire) #style #text #secret)
}

fn reserved(serialization: Serialization) -> TokenStream {
    if serialization.allow_reserved { quote!(.allow_reserved()) } else { TokenStream::new() }
}

/// Writes the calls that set how a parameter is written.
pub fn style(serialization: Serialization) -> TokenStream {
    let Serialization { style, explode, .. } = serialization;
    // The variants of the runtime have the same names.
    let style = match style {
        Style::DeepObject(keys) => {
            let keys = format_ident!("{keys:?}");
            quote!(DeepObject(internal::ListKeys::#keys))
        }
        style => format_ident!("{style:?}").into_token_stream(),
    };
    let reserved = reserved(serialization);
    quote!(.style(internal::Style::#style, #explode) #reserved)
}
