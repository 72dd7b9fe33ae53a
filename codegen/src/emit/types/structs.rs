//! A struct: its definition, the table that ties its fields to the wire, its constructor and setters.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::usage::Usage;
use super::{fields, provenance};
use crate::emit::rust::arguments::Argument;
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::Item;
use crate::emit::rust::types::{of_field, plain};
use crate::ir::{Access, Api, Field, FieldName, FieldWire, Rest, Struct, Type, TypeDef, TypeId};

/// Writes a struct. Constructors and setters are for requests: whatever only responses carry has none.
pub fn items<'a>(
    id: TypeId,
    definition: &'a TypeDef,
    object: &'a Struct,
    usage: &Usage<'_>,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> Vec<Item> {
    let mut items = vec![
        Item::Rust(definition_of(id, definition, object, usage, api, imports)),
        Item::Macro(table(definition, object)),
    ];
    if definition.in_requests {
        items.push(Item::Rust(methods(definition, object, api, imports)));
    }
    items
}

fn definition_of<'a>(
    id: TypeId,
    definition: &'a TypeDef,
    object: &'a Struct,
    usage: &Usage<'_>,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> TokenStream {
    let name = &definition.name;
    let documentation = Doc::of(&definition.docs, || provenance::of(definition));
    let documentation = usage.add_to(documentation, id).attributes(0);
    let deprecated = definition.docs.deprecated.then(|| quote!(#[deprecated]));
    let members = object.fields.iter().map(|field| {
        let documentation = fields::documentation(field, definition.in_requests).attributes(4);
        let deprecated = field.docs.deprecated.then(|| quote!(#[deprecated]));
        let alias = fields::alias_of(field, &field.name);
        let name = &field.name;
        let ty = of_field(field, api, imports);
        quote!(#documentation #deprecated #alias pub #name: #ty,)
    });
    let members: TokenStream = members.collect();
    let additional = additional(object, api, imports).map(|(name, ty)| {
        quote!(#[doc = " The properties that the spec allows beside those it names."] pub #name: #ty,)
    });
    quote! {
        #documentation
        #deprecated
        #[derive(Clone, Default)]
        #[non_exhaustive]
        pub struct #name {
            #members
            #additional
            pub(crate) unknown: runtime::UnknownMembers,
        }
    }
}

/// Returns the field of the additional properties and its type.
fn additional<'a>(
    object: &'a Struct,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> Option<(&'a FieldName, TokenStream)> {
    let Rest::Additional(name, ty) = &object.rest else {
        return None;
    };
    let ty = match ty {
        Type::Value => plain(&Type::Map, api, imports),
        ty => plain(&Type::Dictionary(Box::new(ty.clone())), api, imports),
    };
    Some((name, ty))
}

fn methods<'a>(
    definition: &'a TypeDef,
    object: &'a Struct,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> TokenStream {
    let name = &definition.name;
    let constructor = constructor(definition, object, api, imports);
    let sent = object.fields.iter().filter(|field| field.access != Access::Read);
    let setters: TokenStream = sent.map(|field| setter(field, api, imports)).collect();
    let additional = additional(object, api, imports).map(|(name, ty)| {
        quote! {
            /// The properties that the spec allows beside those it names.
            #[must_use]
            pub fn #name(mut self, value: impl Into<#ty>) -> Self {
                self.#name = value.into();
                self
            }
        }
    });
    quote! {
        impl #name {
            #constructor
            #setters
            #additional
        }
    }
}

fn constructor<'a>(
    definition: &TypeDef,
    object: &'a Struct,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> TokenStream {
    let mut arguments = Vec::new();
    let mut values = Vec::new();
    for field in object.arguments() {
        let name = &field.name;
        let argument = Argument::of(&field.ty, name, api, imports);
        let (ty, value) = (argument.ty, argument.value);
        arguments.push(quote!(#name: #ty));
        values.push(match (field.boxed, argument.is_generic) {
            (true, _) => quote!(#name: Box::new(#value)),
            (false, true) => quote!(#name: #value),
            (false, false) => quote!(#name),
        });
    }
    let name = &definition.name;
    let (documentation, body) = if values.is_empty() {
        (text!("Creates a [`{}`] without any property.", name), quote!(Self::default()))
    } else {
        let documentation =
            text!("Creates a [`{}`] with the properties that the spec requires.", name);
        (documentation, quote!(Self { #(#values,)* ..Self::default() }))
    };
    let documentation = Doc::from(documentation).attributes(4);
    quote! {
        #documentation
        #[inline]
        #[must_use]
        pub fn new(#(#arguments),*) -> Self {
            #body
        }
    }
}

fn setter<'a>(field: &Field, api: &'a Api, imports: &mut Imports<'a>) -> TokenStream {
    let documentation = fields::documentation(field, true).attributes(4);
    let deprecated = field.docs.deprecated.then(|| quote!(#[deprecated]));
    let name = &field.name;
    let attributes = quote!(#documentation #deprecated #[must_use]);
    fields::setter(field, name, &quote!(#name), &attributes, api, imports)
}

/// Writes the table that the runtime encodes and decodes the struct by.
fn table(definition: &TypeDef, object: &Struct) -> String {
    let mut out = format!("runtime::internal::object! {{\n    {} {{\n", definition.name);
    for field in &object.fields {
        let required = if field.required || field.null { "!" } else { "" };
        let (wire, form) = match &field.wire {
            FieldWire::Member(member) => (format!("{member:?}"), form(&field.ty)),
            FieldWire::Flattened => ("..".to_owned(), ""),
        };
        let is_left_out = definition.in_requests && field.access == Access::Read;
        let readonly = if is_left_out { " readonly" } else { "" };
        let _ = writeln!(out, "        {}{required}: {wire}{form}{readonly},", field.name);
    }
    out.push_str("    }\n");
    match &object.rest {
        Rest::Unknown => out.push_str("    unknown\n"),
        Rest::Additional(name, ty) => {
            let _ = writeln!(out, "    additional: {name}{}", form(ty));
        }
    }
    out.push_str("}\n");
    out
}

/// Names the form of a type on the wire, where it is not the usual one of its Rust type.
pub fn form(ty: &Type) -> &'static str {
    match ty {
        Type::Int64Text | Type::UInt64Text => " as text",
        Type::List(inner) | Type::Dictionary(inner) | Type::Secret(inner) => form(inner),
        _ => "",
    }
}
