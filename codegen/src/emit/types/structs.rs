//! A struct: its definition, its wire table, its constructor and setters.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::usage::Usage;
use super::{attributes, fields};
use crate::emit::rust::arguments::Argument;
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::Item;
use crate::emit::rust::types::{of_field, plain};
use crate::ir::{Access, Field, FieldName, FieldWire, Struct, Type, TypeDef, TypeId};

/// Writes a struct. Types that only responses carry have neither constructor nor setters.
pub fn items(
    id: TypeId,
    definition: &TypeDef,
    object: &Struct,
    usage: &Usage<'_>,
    page: &mut Page<'_>,
) -> Vec<Item> {
    let mut items = vec![
        Item::Rust(definition_of(id, definition, object, usage, page)),
        Item::Text(table(definition, object)),
    ];
    if definition.in_requests {
        items.push(Item::Rust(methods(definition, object, page)));
    }
    items
}

fn definition_of(
    id: TypeId,
    definition: &TypeDef,
    object: &Struct,
    usage: &Usage<'_>,
    page: &mut Page<'_>,
) -> TokenStream {
    let name = &definition.name;
    let attributes = page.attributes(attributes::of(id, definition, usage));
    let members = object.fields.iter().map(|field| {
        let name = &field.name;
        let documentation = fields::documentation(field, definition.in_requests).attributes(4);
        let attributes = fields::aliased(documentation.deprecated(&field.docs), field, name);
        let attributes = page.attributes(attributes);
        let ty = of_field(field, page);
        quote!(#attributes pub #name: #ty,)
    });
    let members: TokenStream = members.collect();
    let additional = additional(object, page).map(|(name, ty)| {
        quote!(#[doc = " The properties that the spec allows beside those it names."] pub #name: #ty,)
    });
    quote! {
        #attributes
        #[derive(Clone, Default)]
        #[non_exhaustive]
        pub struct #name {
            #members
            #additional
            pub(crate) unknown: runtime::UnknownProperties,
        }
    }
}

/// Returns the field of the additional properties and its type.
fn additional<'o>(object: &'o Struct, page: &mut Page<'_>) -> Option<(&'o FieldName, TokenStream)> {
    let (name, ty) = object.additional.as_ref()?;
    let ty = match ty {
        Type::Value => plain(&Type::Map, page),
        ty => plain(&Type::Dictionary(Box::new(ty.clone())), page),
    };
    Some((name, ty))
}

fn methods(definition: &TypeDef, object: &Struct, page: &mut Page<'_>) -> TokenStream {
    let name = &definition.name;
    let constructor = constructor(definition, object, page);
    let sent = object.fields.iter().filter(|field| field.access != Access::Read);
    let setters: TokenStream = sent.map(|field| setter(field, page)).collect();
    let additional = additional(object, page).map(|(name, ty)| {
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

fn constructor(definition: &TypeDef, object: &Struct, page: &mut Page<'_>) -> TokenStream {
    let mut arguments = Vec::new();
    let mut values = Vec::new();
    for field in object.arguments() {
        let name = &field.name;
        let argument = Argument::of(&field.ty, name, page);
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
    let attributes = Doc::from(documentation).attributes(4).and("inline").and("must_use");
    let attributes = page.attributes(attributes);
    quote! {
        #attributes
        pub fn new(#(#arguments),*) -> Self {
            #body
        }
    }
}

fn setter(field: &Field, page: &mut Page<'_>) -> TokenStream {
    let documentation = fields::documentation(field, true).attributes(4);
    let attributes = documentation.deprecated(&field.docs).and("must_use");
    let name = &field.name;
    fields::setter(field, name, &quote!(#name), attributes, page)
}

/// Writes the wire table.
fn table(definition: &TypeDef, object: &Struct) -> String {
    let mut out = format!("runtime::internal::object! {{\n    {} {{\n", definition.name);
    for field in &object.fields {
        let required = if field.required || field.null { "!" } else { "" };
        let (wire, form) = match &field.wire {
            FieldWire::Property(name) => (format!("{name:?}"), form(&field.ty)),
            FieldWire::Flattened => ("..".to_owned(), ""),
        };
        let is_left_out = definition.in_requests && field.access == Access::Read;
        let readonly = if is_left_out { " readonly" } else { "" };
        let _ = writeln!(out, "        {}{required}: {wire}{form}{readonly},", field.name);
    }
    out.push_str("    }\n");
    match &object.additional {
        None => out.push_str("    unknown\n"),
        Some((name, ty)) => {
            let _ = writeln!(out, "    additional: {name}{}", form(ty));
        }
    }
    out.push_str("}\n");
    out
}

/// Returns the form of a type on the wire, if it differs from that of its Rust type.
pub fn form(ty: &Type) -> &'static str {
    match ty {
        Type::Int64Text | Type::UInt64Text => " as text",
        Type::List(inner) | Type::Dictionary(inner) | Type::Secret(inner) => form(inner),
        _ => "",
    }
}
