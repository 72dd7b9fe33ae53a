//! A struct: its definition, its constructor and setters, and the table that ties its fields to the wire.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::{fields, provenance};
use crate::emit::rust::docs;
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::Item;
use crate::emit::rust::rust_types::{argument, ident, of_field, plain};
use crate::ir::{Api, Field, FieldWire, Rest, Struct, Type, TypeDef};

/// Writes a struct.
pub fn items(definition: &TypeDef, object: &Struct, api: &Api, imports: &mut Imports) -> Vec<Item> {
    vec![
        Item::Rust(definition_of(definition, object, api, imports)),
        Item::Rust(methods(definition, object, api, imports)),
        Item::Table(table(definition, object)),
    ]
}

fn definition_of(
    definition: &TypeDef,
    object: &Struct,
    api: &Api,
    imports: &mut Imports,
) -> TokenStream {
    let name = ident(definition.name.as_str());
    let documentation = docs::of(&definition.docs, &provenance::of(definition, api), 0);
    let members = object.fields.iter().map(|field| {
        let documentation = fields::documented(field, 4);
        let name = ident(field.name.as_str());
        let ty = of_field(field, api, imports);
        quote!(#documentation pub #name: #ty,)
    });
    let members: TokenStream = members.collect();
    let additional = additional(object, api, imports).map(|(name, ty)| {
        let documentation =
            docs::attributes("The members that the description allows beside those it names.", 4);
        quote!(#documentation pub #name: #ty,)
    });
    let unknown = imports.runtime("UnknownMembers");
    quote! {
        #documentation
        #[derive(Clone, Default)]
        #[non_exhaustive]
        pub struct #name {
            #members
            #additional
            pub(crate) unknown: #unknown,
        }
    }
}

/// Returns the field of the additional members and its type.
fn additional(
    object: &Struct,
    api: &Api,
    imports: &mut Imports,
) -> Option<(syn::Ident, TokenStream)> {
    let Rest::Additional(name, ty) = &object.rest else {
        return None;
    };
    let ty = match ty {
        Type::Value => plain(&Type::Map, api, imports),
        ty => plain(&Type::Dictionary(Box::new(ty.clone())), api, imports),
    };
    Some((ident(name.as_str()), ty))
}

fn methods(definition: &TypeDef, object: &Struct, api: &Api, imports: &mut Imports) -> TokenStream {
    let name = ident(definition.name.as_str());
    let constructor = constructor(object, api, imports);
    let setters: TokenStream =
        object.fields.iter().map(|field| setter(field, api, imports)).collect();
    let additional = additional(object, api, imports).map(|(name, ty)| {
        let documentation = docs::attributes(&format!("Sets `{name}`."), 4);
        fields::setter(
            &documentation,
            &name,
            &quote!(impl Into<#ty>),
            &quote!(#name),
            &quote!(value.into()),
        )
    });
    quote! {
        impl #name {
            #constructor
            #setters
            #additional
        }
    }
}

fn constructor(object: &Struct, api: &Api, imports: &mut Imports) -> TokenStream {
    let required: Vec<&Field> = object.required().collect();
    if required.is_empty() {
        return quote! {
            /// Returns a value without any member.
            #[inline]
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
        };
    }
    let mut arguments = Vec::new();
    let mut values = Vec::new();
    for field in required {
        let name = ident(field.name.as_str());
        let argument = argument(&field.ty, &name, api, imports);
        let (ty, value) = (argument.ty, argument.value);
        arguments.push(quote!(#name: #ty));
        values.push(match (field.boxed, name == value.to_string()) {
            (true, _) => quote!(#name: Box::new(#value)),
            (false, true) => quote!(#name),
            (false, false) => quote!(#name: #value),
        });
    }
    quote! {
        /// Returns a value with the members that the description requires.
        #[inline]
        #[must_use]
        pub fn new(#(#arguments),*) -> Self {
            Self { #(#values,)* ..Self::default() }
        }
    }
}

fn setter(field: &Field, api: &Api, imports: &mut Imports) -> TokenStream {
    let name = ident(field.name.as_str());
    let argument = argument(&field.ty, &ident("value"), api, imports);
    let (value, inline) = (stored(field, &argument.value), &argument.inline);
    let documentation = docs::attributes(&format!("Sets `{}`.", field.name.bare()), 4);
    let deprecated = field.docs.deprecated.then(|| quote!(#[deprecated]));
    fields::setter(
        &quote!(#documentation #deprecated #inline),
        &name,
        &argument.ty,
        &quote!(#name),
        &value,
    )
}

/// Writes a value as the field stores it.
pub fn stored(field: &Field, value: &TokenStream) -> TokenStream {
    let value = if field.boxed { quote!(Box::new(#value)) } else { value.clone() };
    if field.required { value } else { quote!(Some(#value)) }
}

/// Writes the table that the runtime encodes and decodes the struct by.
fn table(definition: &TypeDef, object: &Struct) -> String {
    let mut out = format!("runtime::internal::object! {{\n    {} {{\n", definition.name);
    for field in &object.fields {
        let required = if field.required || field.null { "!" } else { "" };
        let _ = match &field.wire {
            FieldWire::Member(member) => {
                writeln!(
                    out,
                    "        {}{required}: {member:?}{},",
                    field.name,
                    spelling(&field.ty)
                )
            }
            FieldWire::Group => writeln!(out, "        {}{required}: ..,", field.name),
        };
    }
    out.push_str("    }\n");
    match &object.rest {
        Rest::Unknown => out.push_str("    unknown\n"),
        Rest::Additional(name, ty) => {
            let _ = writeln!(out, "    additional: {name}{}", spelling(ty));
        }
    }
    out.push_str("}\n");
    out
}

/// Names the form of a type on the wire, where it is not the natural one of its Rust type.
pub fn spelling(ty: &Type) -> &'static str {
    match ty {
        Type::Int64Text | Type::UInt64Text => " as text",
        Type::List(inner) | Type::Dictionary(inner) | Type::Secret(inner) => spelling(inner),
        _ => "",
    }
}
