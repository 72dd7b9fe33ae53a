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
use crate::emit::rust::print::Part;
use crate::ir::{Api, TypeDef, TypeId, Union, UnionVariant};
use crate::items::{Ty, models};

/// Writes a union.
pub fn items(
    id: TypeId,
    definition: &TypeDef,
    union: &Union,
    usage: &Usage<'_>,
    api: &Api,
    page: &mut Page<'_>,
) -> Vec<Part> {
    let name = &definition.name;
    let attributes = attributes::of(id, definition, usage);
    let mut variants = TokenStream::new();
    let mut table = format!("    {name} {{\n");
    for variant in &union.variants {
        let payload = page.ty(&Ty::payload(&variant.ty, variant.boxed, api));
        let name = &variant.name;
        let attributes = variant_attributes(variant).alias(Some(&variant.property), name.as_str());
        variants.extend(quote!(#attributes #name(#payload),));
        let _ = writeln!(table, "        {name} = {:?}{},", variant.property, form(&variant.ty));
    }
    table.push_str("    }\n");
    let tokens = quote! {
        #attributes
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum #name {
            #variants
            /// None of the properties above, or more than one. What was received is retained.
            Unknown(runtime::UnknownUnion),
        }
    };
    let mut items = vec![Part::Rust(tokens), Part::Table("union", table)];
    items.extend(conversions(definition, union, api, page).into_iter().map(Part::Rust));
    items
}

fn variant_attributes(variant: &UnionVariant) -> Attributes {
    let documentation =
        Doc::of(&variant.docs, || text!("The property {}.", Inline::code(&variant.property)));
    documentation.attributes(4).deprecated(&variant.docs)
}

/// Writes the conversions from types that only one variant has.
fn conversions(
    definition: &TypeDef,
    union: &Union,
    api: &Api,
    page: &mut Page<'_>,
) -> Vec<TokenStream> {
    let of = &definition.name;
    let conversions = models::conversions(definition, union, api).map(|variant| {
        let payload = page.ty(&Ty::new(&variant.ty, api));
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
