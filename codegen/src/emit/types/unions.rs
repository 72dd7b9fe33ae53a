//! A union: its definition, and the table of its variants.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes;
use super::structs::form;
use super::usage::Usage;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::Item;
use crate::emit::rust::types::plain;
use crate::ir::{TypeDef, TypeId, Union, UnionVariant};

/// Writes a union.
pub fn items(
    id: TypeId,
    definition: &TypeDef,
    union: &Union,
    usage: &Usage<'_>,
    page: &mut Page<'_>,
) -> Vec<Item> {
    let name = &definition.name;
    let attributes = page.attributes(attributes::of(id, definition, usage));
    let mut variants = TokenStream::new();
    let mut table = format!("runtime::internal::union! {{\n    {name} {{\n");
    for variant in &union.variants {
        let payload = plain(&variant.ty, page);
        let payload = if variant.boxed { quote!(Box<#payload>) } else { payload };
        let name = &variant.name;
        let attributes = variant_attributes(variant).alias(&variant.property, name.as_str());
        let attributes = page.attributes(attributes);
        variants.extend(quote!(#attributes #name(#payload),));
        let payload = written(&payload);
        let _ = writeln!(
            table,
            "        {name}({payload}) = {:?}{},",
            variant.property,
            form(&variant.ty)
        );
    }
    table.push_str("    }\n}\n");
    let tokens = quote! {
        #attributes
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum #name {
            #variants
            /// A property that this version of the crate does not know, none, or several at once; retained unchanged.
            Unknown(runtime::UnknownUnion),
        }
    };
    let mut items = vec![Item::Rust(tokens), Item::Text(table)];
    items.extend(constructors(definition, union, page).map(Item::Rust));
    items.extend(conversions(definition, union, page).into_iter().map(Item::Rust));
    items
}

fn variant_attributes(variant: &UnionVariant) -> Attributes {
    let documentation =
        Doc::of(&variant.docs, || text!("The property {}.", Inline::code(&variant.property)));
    documentation.attributes(4).deprecated(&variant.docs)
}

/// Writes the constructors of the variants without properties.
fn constructors(definition: &TypeDef, union: &Union, page: &mut Page<'_>) -> Option<TokenStream> {
    let functions = page.api.constructors(definition, union).map(|variant| {
        let attributes = page.attributes(variant_attributes(variant));
        let (constructor, name) = (&variant.constructor, &variant.name);
        quote! {
            #attributes
            #[inline]
            #[must_use]
            pub fn #constructor() -> Self {
                Self::#name(Default::default())
            }
        }
    });
    let functions: Vec<_> = functions.collect();
    let name = &definition.name;
    (!functions.is_empty()).then(|| quote!(impl #name { #(#functions)* }))
}

/// Writes the conversions from types that only one variant has.
fn conversions(definition: &TypeDef, union: &Union, page: &mut Page<'_>) -> Vec<TokenStream> {
    let of = &definition.name;
    let conversions = page.api.conversions(definition, union).map(|(variant, ty)| {
        let payload = plain(ty, page);
        let name = &variant.name;
        let value = if variant.boxed { quote!(Box::new(value)) } else { quote!(value) };
        quote! {
            impl From<#payload> for #of {
                #[inline]
                fn from(value: #payload) -> Self {
                    Self::#name(#value)
                }
            }
        }
    });
    conversions.collect()
}

/// Writes a type without the spaces that tokens have between them.
fn written(ty: &TokenStream) -> String {
    ty.to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">").replace(" ,", ",")
}
