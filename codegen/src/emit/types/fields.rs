//! What the emitters of structs and requests share: documentation and setters of one field.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::emit::rust::alias::alias;
use crate::emit::rust::arguments::Argument;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::imports::Imports;
use crate::emit::rust::types::plain;
use crate::ir::{Access, Api, Field, FieldName, FieldWire, Type};

/// Returns the documentation of a field, with a note where a type of requests has a field that not all messages have.
pub fn documentation(field: &Field, in_requests: bool) -> Doc {
    let doc = Doc::of(&field.docs, || match &field.wire {
        FieldWire::Member(member) => text!("The property {}.", Inline::code(member)),
        FieldWire::Flattened => text!("Which of the properties of its type is present."),
    });
    match field.access {
        Access::Read if in_requests => doc.paragraph(text!("Read-only: requests do not send it.")),
        Access::Write => doc.paragraph(text!("Write-only: responses do not have it.")),
        _ => doc,
    }
}

/// Returns the `#[doc(alias)]` of a field, or of its setter, of this name.
pub fn alias_of(field: &Field, name: &FieldName) -> Option<TokenStream> {
    match &field.wire {
        FieldWire::Member(member) => alias(member, name.bare()),
        FieldWire::Flattened => None,
    }
}

/// Writes a setter of a field, in the place `target`.
pub fn setter<'a>(
    field: &Field,
    name: &impl ToTokens,
    target: &TokenStream,
    attributes: &TokenStream,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> TokenStream {
    let taken = taken(&field.ty, api, imports);
    let value = stored(field, &taken.argument.value);
    setter_of(name, &taken, attributes, &quote!(self.#target = #value;))
}

/// Writes a setter that takes what it is called on and gives it back.
pub fn setter_of(
    name: &impl ToTokens,
    Taken { generics, argument }: &Taken,
    attributes: &TokenStream,
    statement: &TokenStream,
) -> TokenStream {
    let inline = (!argument.is_generic).then(|| quote!(#[inline]));
    let ty = &argument.ty;
    quote! {
        #attributes
        #inline
        pub fn #name #generics(mut self, value: #ty) -> Self {
            #statement
            self
        }
    }
}

/// What a setter takes.
pub struct Taken {
    /// The generics of the setter.
    generics: Option<TokenStream>,
    /// The argument `value`.
    pub argument: Argument,
}

/// Returns how a setter takes a value: as any argument, but a list so that the items of an empty one are known.
pub fn taken<'a>(ty: &Type, api: &'a Api, imports: &mut Imports<'a>) -> Taken {
    match ty {
        Type::List(item) if api.is_converted(item) => {
            let item = plain(item, api, imports);
            let argument = Argument {
                ty: quote!(impl runtime::IntoList<#item, By>),
                value: quote!(value.into_list()),
                is_generic: true,
            };
            Taken { generics: Some(quote!(<By>)), argument }
        }
        ty => Taken { generics: None, argument: Argument::of(ty, &quote!(value), api, imports) },
    }
}

/// Writes a value as the field stores it.
pub fn stored(field: &Field, value: &TokenStream) -> TokenStream {
    let value = if field.boxed { quote!(Box::new(#value)) } else { value.clone() };
    if field.required { value } else { quote!(Some(#value)) }
}
